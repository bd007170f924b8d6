// pvs: what areas see as sets of bits, and as lists of differences.
#include "host/program/results/area_pairs.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/formats/visible_sets.hpp"
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/progress.hpp"
#include "host/program/results/verify.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

/// Of the ids in visible sets: u16 where the numbers of all areas fit, else u32.
constexpr io::Dtype area_id_dtype(std::uint64_t areas) {
  return areas <= 1 << 16 ? io::Dtype::u16 : io::Dtype::u32;
}

class VisibleSets : public AreaPairs {
 public:
  VisibleSets() : AreaPairs({"visible sets", "pvs", "pairs", "areas {} and {}"}) {}

  std::uint64_t differences = 0;  ///< ids of all lists
  bool unknown_seen = false;      ///< there are areas without samples, which are taken as seen

  void visit(Parameters& p) override {
    AreaPairs::visit(p);
    p.number("differences.count", differences);
    if (!p.has("query.unknown", unknown_seen)) return;
    p.fixed("query.unknown", "seen");
    unknown_seen = true;
  }
  /// Those of the areas in a file, all but the differences.
  void take_parameters(const ResultFile& areas) {
    Parameters p(areas.name(), areas.container().metadata());
    AreaPairs::visit(p);
    scene_hash = areas.text("scene.hash");
  }
  std::uint64_t words() const { return bit_words(count()); }
  std::vector<Column> columns() const override {
    return {{"bits", io::Dtype::u64, {count(), words()}, Layout::bits, "visible"},
            {"reference",
             io::Dtype::u32,
             {count()},
             Layout::other,
             "reference",
             false,
             {},
             [this](const ResultFile& file, Differences& found) { check(file, found); }},
            {"offsets", io::Dtype::u64, {count() + 1}, Layout::other},
            {"id", area_id_dtype(count()), {differences}, Layout::other}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    std::vector<AreaClass> classes(part.rows * part.columns);
    area_classes(caster(), samples_, range_of(part.row, part.rows),
                 range_of(part.column, part.columns), classes, options);
    const auto bits = buffer.of<std::uint64_t>("bits");
    std::fill(bits.begin(), bits.end(), 0);
    for (std::uint64_t k = 0; k < classes.size(); ++k) {
      const std::uint64_t row = k / part.columns, column = k % part.columns;
      const bool unknown =
          samples_.count(part.row + row) == 0 || samples_.count(part.column + column) == 0;
      if (classes[k] == AreaClass::hidden && !(unknown && unknown_seen)) continue;
      bits[row * bit_words(part.columns) + column / 64] |= std::uint64_t{1} << (column % 64);
    }
    return {};
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counted) const override {
    counted.sum[0] += count_bits(buffer.of<std::uint64_t>("bits"));
  }
  std::vector<Counted> counted(const io::JobCounts& counted) const override {
    return {{"areas", "areas", count()},
            {"visible", "visible pairs", counted.sum[0]},
            {"differences", "ids of lists", differences}};
  }

  /// The lists must tell the same as the bits.
  void check(const ResultFile& file, Differences& found) const {
    const auto refuse = [&](const std::string& words) {
      io::fail(ErrorKind::bad_input, "{}: {}", file.name(), words);
    };
    io::RowDecoder decoder(count());
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < count(); ++i) {
      const auto range = file.read<std::uint64_t>("offsets", i, 2);
      if (range[0] > range[1] || range[1] > differences || range[0] != end) {
        refuse(fmt::format("offset {} does not rise within the ids", i + 1));
      }
      end = range[1];
      const io::RowDifferences d = {file.read<std::uint32_t>("reference", i, 1).front(),
                                    read_ids(file, range[0], range[1] - range[0])};
      const auto bits = file.read<std::uint64_t>("bits", i * words(), words());
      try {
        const std::span<const std::uint64_t> row = decoder.next(d);
        if (std::equal(row.begin(), row.end(), bits.begin())) continue;
      } catch (const Error& error) {
        refuse(error.what());
      }
      found.add(i * count(), fmt::format("area {}: its list and its bits differ", i));
    }
    if (end != differences) refuse("the last offset is not the number of ids");
  }
  void write_ids(io::ContainerWriter& writer, std::uint64_t first,
                 const std::vector<std::uint32_t>& ids) const {
    if (area_id_dtype(count()) == io::Dtype::u32) {
      return writer.write("id", first, ids.size(), ids.data());
    }
    std::vector<std::uint16_t> narrow;
    for (const std::uint32_t id : ids) narrow.push_back(static_cast<std::uint16_t>(id));
    writer.write("id", first, narrow.size(), narrow.data());
  }

 private:
  std::vector<std::uint32_t> read_ids(const ResultFile& file, std::uint64_t first,
                                      std::uint64_t n) const {
    if (area_id_dtype(count()) == io::Dtype::u32) return file.read<std::uint32_t>("id", first, n);
    const auto narrow = file.read<std::uint16_t>("id", first, n);
    return {narrow.begin(), narrow.end()};
  }
};

struct SetsArguments {
  std::string areas;         ///< a result of `areas`
  bool unknown_seen = true;  ///< areas without samples see all, and are seen by all
  std::string output;
};

/// The sets of areas, row by row: those of which anything is visible, and where `unknown_seen` also
/// those of which nothing is known, as they have no samples.
class SetRows {
 public:
  SetRows(const ResultFile& areas, bool unknown_seen)
      : areas_(areas),
        size_(areas.result().grid().rows),
        unknown_seen_(unknown_seen),
        samples_(areas.read<std::uint32_t>("samples", 0, size_)),
        words_(bit_words(size_)) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t unknown() const {
    return static_cast<std::uint64_t>(std::count(samples_.begin(), samples_.end(), 0u));
  }
  /// Calls use(row, bits, differences) for each area in order.
  template <class Use>
  void for_each(Progress& progress, std::uint64_t before, const Use& use) {
    io::RowEncoder encoder(words_.size());
    for (std::uint64_t i = 0; i < size_; ++i) {
      progress.update(before + i);
      read(i);
      use(i, words_, encoder.next(words_));
    }
  }

 private:
  void read(std::uint64_t i) {
    const auto classes = areas_.read<std::uint8_t>("class", i * size_, size_);
    std::fill(words_.begin(), words_.end(), 0);
    for (std::uint64_t j = 0; j < size_; ++j) {
      if (classes[j] > 2) {
        io::fail(ErrorKind::bad_input, "{}: areas {} and {} have class {}, not 0 to 2",
                 areas_.name(), i, j, classes[j]);
      }
      const bool unknown = samples_[i] == 0 || samples_[j] == 0;
      if (classes[j] == 0 && !(unknown && unknown_seen_)) continue;
      words_[j / 64] |= std::uint64_t{1} << (j % 64);
    }
  }

  const ResultFile& areas_;
  std::uint64_t size_;
  bool unknown_seen_;
  std::vector<std::uint32_t> samples_;
  std::vector<std::uint64_t> words_;
};

/// The sizes of the sets; shares are of the pairs of which something is known.
void report_sets(Job& job, const SetsArguments& a, const VisibleSets& sets, std::uint64_t visible,
                 std::uint64_t unknown) {
  const std::uint64_t n = sets.grid().rows, known = n - unknown;
  const std::uint64_t pairs = known * known, not_known = n * n - pairs;
  const std::uint64_t bit_bytes = 8 * n * sets.words();
  const std::uint64_t list_bytes =
      io::dtype_bytes(area_id_dtype(n)) * sets.differences + 4 * n + 8 * (n + 1);
  job.set("/query/unknown", a.unknown_seen ? "seen" : "unseen");
  job.set("/counts/areas", n);
  job.set("/counts/areas_without_samples", unknown);
  job.set("/counts/pairs_not_known", not_known);
  job.set("/counts/visible", visible);
  job.set("/counts/differences", sets.differences);
  job.set("/bytes/bits", bit_bytes);
  job.set("/bytes/lists", list_bytes);
  const std::uint64_t seen = sets.unknown_seen ? visible - not_known : visible;
  job.say("sets    {} see {} of {} ({:.2f}%); {} as bits, {} as lists of {}",
          plural(known, "areas"), grouped(seen), plural(pairs, "pairs"), percent(seen, pairs),
          format_bytes(bit_bytes), format_bytes(list_bytes),
          plural(sets.differences, "differences"));
  if (unknown == 0) return;
  job.warn(
      "{} of {} {} no samples, so that {} visibility is unknown: {} {} are written as {}; "
      "--unknown {} writes them as {}",
      grouped(unknown), plural(n, "areas"), agreeing(unknown, "has", "have"),
      agreeing(unknown, "its", "their"), agreeing(unknown, "its", "their"),
      plural(not_known, "pairs"), a.unknown_seen ? "seen" : "unseen",
      a.unknown_seen ? "unseen" : "seen", a.unknown_seen ? "unseen" : "seen");
}

int run_pvs(Job& job, const SetsArguments& a) {
  io::refuse_other_ending(a.output);
  check_files(job, {a.areas}, {OutputFile(a.output, VisibleSets().names().kind)});
  const ResultFile areas(a.areas);
  if (areas.result().names().kind != "area visibility") {
    io::fail(ErrorKind::bad_input, "{}: is of kind '{}', not 'area visibility'", a.areas,
             areas.result().names().kind);
  }
  VisibleSets sets;
  sets.take_parameters(areas);
  SetRows rows(areas, a.unknown_seen);
  sets.unknown_seen = a.unknown_seen && rows.unknown() > 0;
  Progress progress("pvs", "rows", 2 * rows.size(), job.common().quiet);
  // Sizes come first, so that the file has its place before it is written.
  std::uint64_t visible = 0;
  rows.for_each(progress, 0, [&](std::uint64_t, const auto& bits, const io::RowDifferences& d) {
    visible += count_bits(bits);
    sets.differences += d.id.size();
  });
  report_sets(job, a, sets, visible, rows.unknown());
  const io::Metadata metadata = metadata_of(sets, areas.answers());
  if (job.common().dry_run) {
    const std::uint64_t bytes = io::container_bytes(tensors_of(sets.columns()), metadata);
    job.set("/bytes/result", bytes);
    job.say("would write {}", format_bytes(bytes));
    return 0;
  }
  io::ContainerWriter writer(a.output, tensors_of(sets.columns()), metadata);
  std::uint64_t end = 0;
  writer.write("offsets", 0, 1, &end);
  rows.for_each(progress, rows.size(), [&](std::uint64_t i, const auto& bits, const auto& d) {
    writer.write("bits", i * bits.size(), bits.size(), bits.data());
    writer.write("reference", i, 1, &d.reference);
    sets.write_ids(writer, end, d.id);
    end += d.id.size();
    writer.write("offsets", i + 1, 1, &end);
  });
  commit(job, writer);
  return 0;
}

}  // namespace

void add_pvs(Verb& v) {
  auto& a = v.runs<SetsArguments>(run_pvs,
                                  "sightline pvs areas.st -o pvs.st\n"
                                  "sightline pvs areas.st -o pvs.st --dry-run");
  v.positional("AREAS", a.areas, "classes of areas");
  v.choice("--unknown", a.unknown_seen, {{"seen", true}, {"unseen", false}}, "HOW",
           "areas without samples, of which nothing is known: seen by all areas and seeing all "
           "(default), or unseen");
  v.output(a.output, "PVS", "sets to write");
  v.report();
  v.dry_run();
}

std::vector<MakeResult> pvs_kinds() { return {make_result<VisibleSets>}; }

}  // namespace sightline::cli
