// areas: which areas see which.
#include "host/program/results/area_pairs.hpp"

#include "host/program/jobs/memory.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

/// What a call takes for bits and segments.
constexpr std::uint64_t call_bytes = 16 << 20;
constexpr std::uint64_t most_area_side = 1024, most_segments = 1 << 24;

class AreaVisibility : public AreaPairs {
 public:
  bool classes_alone = false;  ///< without how many pairs of samples

  AreaVisibility()
      : AreaPairs({"area visibility", "areas", "pairs of areas", "areas {} and {}", "pairs"}) {
    rate = {"segments", 1, 3};
  }
  void visit(Parameters& p) override {
    AreaPairs::visit(p);
    bool counts = !classes_alone;
    p.flag("query.counts", counts);
    classes_alone = !counts;
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = {{"class", io::Dtype::u8, {count(), count()}},
                                   {"samples",
                                    io::Dtype::u32,
                                    {count()},
                                    Layout::whole,
                                    "number of samples of an area",
                                    false,
                                    [this] { return bytes_of(sample_counts()); }}};
    if (!classes_alone) columns.push_back({"visible", io::Dtype::u32, {count(), count()}});
    return columns;
  }

  /// Counts segments as the fourth sum.
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const IdRange rows = range_of(part.row, part.rows);
    const IdRange columns = range_of(part.column, part.columns);
    const auto classes = buffer.of<AreaClass>("class");
    io::JobCounts counted;
    if (classes_alone) {
      counted.sum[3] = area_classes(caster(), samples_, rows, columns, classes, options);
      return counted;
    }
    const auto visible = buffer.of<std::uint32_t>("visible");
    area_counts(caster(), samples_, rows, columns, visible, options);
    for (std::uint64_t k = 0; k < classes.size(); ++k) {
      const std::uint64_t pairs = samples_.count(part.row + k / part.columns) *
                                  samples_.count(part.column + k % part.columns);
      classes[k] = area_class(visible[k], pairs);
      counted.sum[3] += pairs;
    }
    return counted;
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counted) const override {
    for (const std::uint8_t c : buffer.of<std::uint8_t>("class")) {
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
  Cost cost(const Job& job) const override {
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
    return {.tile_side = side};
  }
  /// The share of the other areas that each sees, of those that have samples.
  void draw(Job& job, const io::ContainerWriter& writer, const std::string& picture) const {
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

}  // namespace

void add_areas(Verb& v) {
  auto [r, a] = add_result<AreaVisibility>(
      v,
      "sightline areas e1m5.st --areas eyes.st -o areas.st\n"
      "sightline areas city.st --areas rooms.json --samples 64 --classes -o areas.st");
  v.scene(a.inputs);
  v.input("--areas", a.inputs, "AREAS", "areas, or points that say which area each is in")
      .required();
  v.count("--samples", r.asked_samples, 1, 65535, "N",
          "points in each area that does not say how many; default 16")
      .without_default();
  v.flag("--classes", r.classes_alone,
         "write the classes alone: areas are done as soon as they are known to be partly visible");
  v.range(r.options.range);
  v.inside(r.options.inside);
  v.output(a.output, "OUT", "classes and counts to write");
  v.picture(a.picture,
            "map from above: samples coloured by how many areas theirs sees, and the shapes");
  v.bake(a);
}

std::vector<MakeResult> areas_kinds() { return {make_result<AreaVisibility>}; }

}  // namespace sightline::cli
