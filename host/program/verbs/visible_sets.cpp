// pvs: what areas see as sets of bits, and as lists of differences.
#include "host/files/formats/visible_sets.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/progress.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

/// The sets of areas, row by row: those of which anything is visible.
class SetRows {
 public:
  explicit SetRows(const io::BakeReader& areas)
      : areas_(areas), classes_(areas.parameters().areas), words_(words_for(classes_.size())) {}

  std::uint64_t size() const { return classes_.size(); }
  std::uint64_t words() const { return words_.size(); }
  std::span<const std::uint64_t> row(std::uint64_t i) {
    areas_.read("class", i * size(), size(), classes_.data());
    std::fill(words_.begin(), words_.end(), 0);
    for (std::uint64_t j = 0; j < size(); ++j) {
      if (classes_[j] > 2) {
        throw Error(ErrorKind::bad_input, fmt::format("{}: areas {} and {} have class {}, not 0 "
                                                      "to 2",
                                                      areas_.name(), i, j, classes_[j]));
      }
      if (classes_[j] != 0) words_[j / 64] |= std::uint64_t{1} << (j % 64);
    }
    return words_;
  }

 private:
  const io::BakeReader& areas_;
  std::vector<std::uint8_t> classes_;
  std::vector<std::uint64_t> words_;
};

/// Calls use(row, bits, differences) for each area in order.
template <class Use>
void for_each_row(SetRows& sets, Progress& progress, std::uint64_t before, const Use& use) {
  io::RowEncoder encoder(sets.words());
  for (std::uint64_t i = 0; i < sets.size(); ++i) {
    progress.update(before + i);
    const std::span<const std::uint64_t> bits = sets.row(i);
    use(i, bits, encoder.next(bits));
  }
}

}  // namespace

int run_pvs(Job& job, const SetsArguments& a) {
  refuse_same_files(job, {a.areas}, {a.output});
  const io::BakeReader areas(a.areas);
  io::BakeParameters p = areas.parameters();
  if (p.kind != io::BakeKind::area_visibility) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: holds {}, not area visibility", a.areas,
                                                  io::bake_kind_name(p.kind)));
  }
  p.kind = io::BakeKind::visible_sets;
  p.counts = false;
  SetRows sets(areas);
  Progress progress("pvs", "rows", 2 * sets.size(), job.common().quiet);
  // Sizes come first, so that the file has its place before it is written.
  std::uint64_t visible = 0;
  for_each_row(sets, progress, 0, [&](std::uint64_t, auto bits, const io::RowDifferences& d) {
    visible += count_bits(bits);
    p.differences += d.id.size();
  });
  const std::uint64_t id_bytes = io::dtype_bytes(io::area_id_dtype(p.areas));
  const std::uint64_t list_bytes = id_bytes * p.differences + 4 * p.areas + 8 * (p.areas + 1);
  const std::uint64_t bit_bytes = 8 * p.areas * sets.words();
  job.set("/counts/areas", p.areas);
  job.set("/counts/visible", visible);
  job.set("/counts/differences", p.differences);
  job.set("/bytes/bits", bit_bytes);
  job.set("/bytes/lists", list_bytes);
  job.say(
      fmt::format("sets    {} areas see {} of {} pairs; {} as bits, {} as lists of {} "
                  "differences",
                  grouped(p.areas), grouped(visible), grouped(p.areas * p.areas),
                  format_bytes(bit_bytes), format_bytes(list_bytes), grouped(p.differences)));
  if (job.common().dry_run) return 0;
  io::ContainerWriter writer = io::create_bake(a.output, p);
  std::uint64_t end = 0;
  writer.write("offsets", 0, 1, &end);
  const auto keep = [&](std::uint64_t i, auto bits, const io::RowDifferences& d) {
    writer.write("bits", i * bits.size(), bits.size(), bits.data());
    writer.write("reference", i, 1, &d.reference);
    io::write_area_ids(writer, p.areas, end, d.id);
    end += d.id.size();
    writer.write("offsets", i + 1, 1, &end);
  };
  for_each_row(sets, progress, sets.size(), keep);
  commit(job, writer);
  return 0;
}

}  // namespace sightline::cli
