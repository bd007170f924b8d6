// areas: which areas see which; pvs: what they see as sets of bits, and as lists of differences.
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/formats/visible_sets.hpp"
#include "host/program/checks/verify.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/progress.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// What a call takes for bits and segments.
constexpr std::uint64_t call_bytes = 16 << 20;
constexpr std::uint64_t most_area_side = 1024, most_segments = 1 << 24;

IdRange range_of(std::uint64_t first, std::uint64_t count) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
}

/// What both have: a class of sight for each pair of areas.
class AreaPairs : public Result {
 public:
  using Result::Result;

  VisibilityOptions options;
  std::uint32_t asked_samples = 0;  ///< 0: the file has them

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.number("query.range", options.range, 0.0f);
    p.input("areas", areas_, io::most_areas);
    p.number("query.samples", asked_samples, 0, most_area_samples);
  }
  Grid grid() const override { return {count(), count(), true, true}; }
  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    const auto asked = asked_samples == 0 ? std::nullopt : std::optional(asked_samples);
    AreaSamples all;
    const std::string file = in.file(areas_, [&](const std::string& name) {
      all = load_areas(in.job(), name, asked, up_of(scene_));
      return io::samples_hash(all);
    });
    in.settle_count(areas_, file, all.size());
    samples_ = in.verifies() ? free_samples(caster(), all, options.inside)
                             : load_free_samples(in.job(), caster(), all, options.inside);
  }
  std::string element(std::uint64_t index) const override {
    return fmt::format("areas {} and {}", index / count(), index % count());
  }

 protected:
  std::uint64_t count() const { return areas_.count; }

  Input areas_{"--areas", "/areas", "areas"};  ///< its hash is of all samples, also of blocked ones
  AreaSamples samples_;
};

class AreaVisibility : public AreaPairs {
 public:
  AreaVisibility() : AreaPairs({"area visibility", "areas", "pairs of areas", "pair", "pairs"}) {}

  bool counts = true;  ///< also how many pairs of samples

  void visit(Parameters& p) override {
    AreaPairs::visit(p);
    p.flag("query.counts", counts);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = {
        {"class", io::Dtype::u8, {count(), count()}},
        {"samples", io::Dtype::u32, {count()}, Layout::whole, "number of samples of an area"}};
    if (counts) columns.push_back({"visible", io::Dtype::u32, {count(), count()}});
    return columns;
  }
  std::vector<std::byte> whole_column(const Column&) const override {
    const auto numbers = sample_counts();
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
  }

  /// Counts segments as the fourth sum.
  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    const IdRange rows = range_of(part.row, part.rows);
    const IdRange columns = range_of(part.column, part.columns);
    const auto classes = block.of<AreaClass>("class");
    io::JobCounts counted;
    if (!counts) {
      counted.sum[3] = area_classes(caster(), samples_, rows, columns, classes, options);
      return counted;
    }
    const auto visible = block.of<std::uint32_t>("visible");
    area_counts(caster(), samples_, rows, columns, visible, options);
    for (std::uint64_t k = 0; k < classes.size(); ++k) {
      const std::uint64_t pairs = samples_.count(part.row + k / part.columns) *
                                  samples_.count(part.column + k % part.columns);
      classes[k] = area_class(visible[k], pairs);
      counted.sum[3] += pairs;
    }
    return counted;
  }
  void tally(Block& block, io::JobCounts& counted) const override {
    for (const std::uint8_t c : block.of<std::uint8_t>("class")) {
      if (c < 3) ++counted.sum[c];
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counted) const override {
    const auto& sum = counted.sum;
    return {{"areas", "areas", count()},
            {"hidden", "not visible", sum[0]},
            {"partly", "partly", sum[1]},
            {"fully", "fully", sum[2]},
            {"segments", "segments", sum[3], 0, Shown::by_runs}};
  }
  Rate rate(const Done& done) const override {
    return {"segments", done.counts.sum[3] - done.before.sum[3]};
  }
  std::uint64_t tile_side(const Job& job) const override {
    const double mean = static_cast<double>(samples_.point.size()) /
                        static_cast<double>(std::max<std::uint64_t>(1, count()));
    const auto most = static_cast<double>(chunk_size(backend(), shapes(), most_segments));
    require_memory(job.common().max_memory, call_bytes, "the bits of samples");
    // Classes and counts, and their mirror images.
    const std::uint64_t room =
        buffer_elements(job.common().max_memory, 2 * (sizeof(AreaClass) + sizeof(std::uint32_t)),
                        most_area_side * most_area_side);
    std::uint64_t side = most_area_side;
    while (side > 8 &&
           (static_cast<double>(side * side) * mean * mean > most || side * side > room)) {
      side /= 2;
    }
    return side;
  }
  /// The share of the other areas that each sees, of those that have samples.
  void draw(Job& job, const io::ContainerWriter& writer,
            const std::string& picture) const override {
    const auto numbers = sample_counts();
    const auto unknown = std::count(numbers.begin(), numbers.end(), 0u);
    const auto known = static_cast<std::int64_t>(count()) - unknown;
    const double others = static_cast<double>(std::max<std::int64_t>(known - 1, 1));
    std::vector<float> share;
    std::vector<AreaClass> row(count());
    for (std::uint64_t i = 0; i < count(); ++i) {
      writer.read("class", i * count(), count(), row.data());
      double seen = 0;
      for (std::uint64_t j = 0; j < count(); ++j) seen += j != i && row[j] != AreaClass::hidden;
      share.resize(samples_.offsets[i + 1], static_cast<float>(seen / others));
    }
    draw_shares(job, picture, caster(), scene_, samples_.view(), std::move(share),
                "share of the other areas seen");
  }

 private:
  std::vector<std::uint32_t> sample_counts() const {
    std::vector<std::uint32_t> numbers;
    for (std::uint64_t a = 0; a < count(); ++a) {
      numbers.push_back(static_cast<std::uint32_t>(samples_.count(a)));
    }
    return numbers;
  }
};

/// Of the ids in visible sets: u16 where the numbers of all areas fit, else u32.
constexpr io::Dtype area_id_dtype(std::uint64_t areas) {
  return areas <= 1 << 16 ? io::Dtype::u16 : io::Dtype::u32;
}

class VisibleSets : public AreaPairs {
 public:
  VisibleSets() : AreaPairs({"visible sets", "pvs", "pairs", "pair"}) {}

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
            {"reference", io::Dtype::u32, {count()}, Layout::other},
            {"offsets", io::Dtype::u64, {count() + 1}, Layout::other},
            {"id", area_id_dtype(count()), {differences}, Layout::other}};
  }
  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    std::vector<AreaClass> classes(part.rows * part.columns);
    area_classes(caster(), samples_, range_of(part.row, part.rows),
                 range_of(part.column, part.columns), classes, options);
    const auto bits = block.of<std::uint64_t>("bits");
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
  void tally(Block& block, io::JobCounts& counted) const override {
    counted.sum[0] += count_bits(block.of<std::uint64_t>("bits"));
  }
  std::vector<Counted> counted(const io::JobCounts& counted) const override {
    return {{"areas", "areas", count()},
            {"visible", "visible pairs", counted.sum[0]},
            {"differences", "ids of lists", differences}};
  }

  /// The lists must tell the same as the bits.
  void check(const ResultFile& file, Differences& found) const override {
    const auto refuse = [&](const std::string& words) {
      throw Error(ErrorKind::bad_input, fmt::format("{}: {}", file.name(), words));
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
        throw Error(ErrorKind::bad_input, fmt::format("{}: areas {} and {} have class {}, not 0 "
                                                      "to 2",
                                                      areas_.name(), i, j, classes[j]));
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
  job.say(fmt::format("sets    {} see {} of {} ({:.2f}%); {} as bits, {} as lists of {}",
                      plural(known, "area"), grouped(seen), plural(pairs, "pair"),
                      percent(seen, pairs), format_bytes(bit_bytes), format_bytes(list_bytes),
                      plural(sets.differences, "difference")));
  if (unknown == 0) return;
  job.warn(
      fmt::format("{} of {} have no samples, so that nobody knows what they see: their {} are "
                  "written as {}; --unknown {} writes them as {}",
                  grouped(unknown), plural(n, "area"), plural(not_known, "pair"),
                  a.unknown_seen ? "seen" : "unseen", a.unknown_seen ? "unseen" : "seen",
                  a.unknown_seen ? "unseen" : "seen"));
}

}  // namespace

std::unique_ptr<Result> new_area_visibility() { return std::make_unique<AreaVisibility>(); }
std::unique_ptr<Result> new_visible_sets() { return std::make_unique<VisibleSets>(); }

int run_areas(Job& job, const AreasArguments& a) {
  AreaVisibility areas;
  areas.options = a.options;
  areas.asked_samples = a.samples.value_or(0);
  areas.counts = !a.classes;
  return run_result(job, areas, a);
}

int run_pvs(Job& job, const SetsArguments& a) {
  io::refuse_other_ending(a.output);
  check_files(job, {a.areas}, {a.output});
  const ResultFile areas(a.areas);
  if (areas.result().names.kind != "area visibility") {
    throw Error(ErrorKind::bad_input, fmt::format("{}: is of kind '{}', not 'area visibility'",
                                                  a.areas, areas.result().names.kind));
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
  if (job.common().dry_run) return 0;
  io::Metadata metadata = metadata_of(sets);
  metadata["sightline.answers"] = std::to_string(areas.answers());
  io::ContainerWriter writer(a.output, tensors_of(sets), metadata);
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

}  // namespace sightline::cli
