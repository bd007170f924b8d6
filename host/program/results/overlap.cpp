// overlap, and flat of circles: which shapes of a scene overlap those that query it.
#include "host/program/results/run.hpp"

#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/results/flat.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

using Query = OverlapQueryKind;

/// A bit, a number or a row of ids for each of those that query; a bit for each body of these.
template <class Base>
class Overlaps : public Base {
 public:
  Overlaps(Query of, const char* option, const char* unit, std::uint64_t most)
      : query(of), input_{option, "/asking", unit}, most_(most) {}

  Query query;
  std::uint32_t body = 1;

  void visit(Parameters& p) override {
    Base::visit(p);
    p.input("asking", input_, most_);
    if (query == Query::all) p.number("pairs.count", pairs_);
    if (query == Query::any && !this->is_flat() && p.has("query.body", body > 1)) {
      p.number("query.body", body, 2);
      if (p.reads() && input_.count % body != 0) p.fail("query.body");
    }
  }
  Grid grid() const override { return {asked()}; }
  std::vector<Column> columns() const override {
    switch (query) {
      case Query::any:
        return {{"bits", io::Dtype::u64, {bit_words(asked())}, Layout::bits, "overlap"}};
      case Query::count:
        return {{"count", io::Dtype::u32, {input_.count}}};
      case Query::all:
        break;
    }
    return {{"offsets", io::Dtype::u64, {input_.count + 1}, Layout::offsets},
            {"id", io::Dtype::u32, {pairs_}, Layout::items}};
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    if (query == Query::any) return any(part, buffer.of<std::uint64_t>("bits"), buffer);
    if (query == Query::count) return counts(part, buffer.of<std::uint32_t>("count"), buffer);
    all(part, buffer);
    buffer.refer("offsets", buffer.overlaps.offsets);
    buffer.refer("id", buffer.overlaps.ids);
    return {};
  }
  io::JobCounts count_items(std::uint64_t first, std::span<std::uint32_t> numbers,
                            ColumnBuffer& memory) const override {
    io::JobCounts counted = counts({first, numbers.size(), 0, 1}, numbers, memory);
    for (const std::uint32_t n : numbers) {
      counted.sum[0] += n > 0;
      counted.sum[1] += n;
    }
    return counted;
  }
  void set_items(std::uint64_t items) override { pairs_ = items; }
  // A device gives back ids in pinned memory; the host puts the ids of a run in order while it has
  // them, six times at most.
  std::uint64_t item_bytes() const override {
    return (this->backend() == Backend::cuda ? 2 : 6) * sizeof(std::uint32_t);
  }
  void require_items(const Job& job, std::uint64_t index, std::uint64_t ids,
                     std::uint64_t) const override {
    require_memory(job.common().max_memory, ids * item_bytes(),
                   fmt::format("all that {} overlaps", this->element(index)));
  }

  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    if (query == Query::any) counts.sum[0] += count_bits(buffer.of<std::uint64_t>("bits"));
    for (const std::uint32_t n : buffer.of<std::uint32_t>("count")) {
      counts.sum[0] += n > 0;
      counts.sum[1] += n;
    }
    const auto offsets = buffer.of<std::uint64_t>("offsets");
    for (std::size_t i = 1; i < offsets.size(); ++i) counts.sum[0] += offsets[i] != offsets[i - 1];
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    std::vector<Counted> rows = {{"overlapping", "overlapping something", counts.sum[0], asked()}};
    if (query != Query::any) {
      rows.push_back({"pairs", "pairs", query == Query::all ? pairs_ : counts.sum[1]});
    }
    return rows;
  }
  Cost cost() const override {
    const std::uint64_t copies = copies_in_memory(this->backend());
    // Of a row its count, its offset and, on a device, where its ids are.
    const bool device = this->backend() == Backend::cuda;
    const std::uint64_t row =
        query != Query::all ? 0 : copies * 4 + 8 + (device ? 2 * sizeof(std::uint64_t) : 0);
    // Bodies are asked by copies of some of their shapes, of at most 2^20 at a time; there are
    // never fewer than 64 bodies in memory.
    const std::uint64_t shapes = std::min<std::uint64_t>(body, (1 << 20) / 64);
    const std::uint64_t copy = body == 1 ? 0 : sizeof(ObbFrame) + 2 * sizeof(std::uint32_t);
    return {std::max<std::uint64_t>((1 << 18) / body, 1), shapes * (input_bytes() + copy) + row};
  }

 protected:
  std::uint64_t asked() const { return input_.count / body; }
  Names names_of(std::string_view verb, std::string_view unit, std::string_view one) const {
    constexpr std::string_view kinds[] = {"overlap any", "overlap count", "overlap all"};
    return {kinds[static_cast<int>(query)], verb, unit, one, "asking", "ids"};
  }
  virtual io::JobCounts any(const io::GridPart& part, std::span<std::uint64_t> bits,
                            ColumnBuffer& memory) const = 0;
  virtual io::JobCounts counts(const io::GridPart& part, std::span<std::uint32_t> numbers,
                               ColumnBuffer& memory) const = 0;
  /// Into the rows of the buffer.
  virtual void all(const io::GridPart& part, ColumnBuffer& buffer) const = 0;
  /// Of one that queries, in memory.
  virtual std::uint64_t input_bytes() const = 0;

  Input input_;
  std::uint64_t most_, pairs_ = 0;
};

class ShapeOverlaps : public Overlaps<Result> {
 public:
  // Shapes have ids of 32 bits.
  explicit ShapeOverlaps(Query of = Query::any) : Overlaps(of, "--with", "shapes", none - 1) {}

  Names names() const override {
    return body == 1 ? names_of("overlap", "shapes", "shape")
                     : names_of("overlap", "bodies", "body");
  }
  std::string check_options(const InputFiles&) override {
    if (body > 1 && query != Query::any) {
      io::fail(ErrorKind::usage, "--query {} has no --body", query == Query::all ? "all" : "count");
    }
    return "";
  }
  void load(InputFiles& in) override {
    query_shapes_ = in.shapes(input_).scene;
    const std::string file = in.file_of(input_.option);
    in.settle_count(input_, file, query_shapes_.size());
    if (query_shapes_.count(Kind::plane) > 0) {
      io::fail(ErrorKind::bad_input,
               "{}: shape {} is a plane, which has no bounds and cannot query", file,
               query_shapes_.id(Kind::plane, 0));
    }
    if (query_shapes_.size() % body != 0) {
      io::fail(ErrorKind::bad_input, "{}: {} shapes are no whole number of bodies of {}", file,
               query_shapes_.size(), body);
    }
    caster_ = in.caster(scene_hash, scene_);
  }

 private:
  IdRange ids_of(const io::GridPart& part) const {
    return {static_cast<std::uint32_t>(part.row * body),
            static_cast<std::uint32_t>(part.rows * body)};
  }
  io::JobCounts any(const io::GridPart& part, std::span<std::uint64_t> bits,
                    ColumnBuffer&) const override {
    caster().overlap_any(query_shapes_, bits, ids_of(part), body);
    return {};
  }
  io::JobCounts counts(const io::GridPart& part, std::span<std::uint32_t> numbers,
                       ColumnBuffer&) const override {
    caster().overlap_count(query_shapes_, numbers, ids_of(part));
    return {};
  }
  void all(const io::GridPart& part, ColumnBuffer& buffer) const override {
    buffer.overlaps = caster().overlap_all(query_shapes_, ids_of(part));
  }
  // A device takes shapes and masks from pinned memory.
  std::uint64_t input_bytes() const override {
    return backend() == Backend::cuda ? sizeof(ObbFrame) + sizeof(std::uint32_t) : 0;
  }

  Scene query_shapes_;
};

class CircleOverlaps : public Overlaps<FlatResult> {
 public:
  // Rows have an offset more than there are circles.
  explicit CircleOverlaps(Query of) : Overlaps(of, "--circles", "circles", ~std::uint64_t{0} - 1) {}

  Names names() const override { return names_of("flat", "circles", "circle"); }
  void load(InputFiles& in) override { load_rows(in, input_, "circle", 3); }
  void report(Job& job, const Done& done) const override { warn_of_bad(job, done.counts); }

 private:
  CirclesView circles(const io::GridPart& part, ColumnBuffer& memory) const {
    rows().read(part.row, part.rows, memory.numbers);
    return CirclesView::rows(memory.numbers);
  }
  io::JobCounts any(const io::GridPart& part, std::span<std::uint64_t> bits,
                    ColumnBuffer& memory) const override {
    return bad(part, flat().overlap_any(circles(part, memory), bits));
  }
  io::JobCounts counts(const io::GridPart& part, std::span<std::uint32_t> numbers,
                       ColumnBuffer& memory) const override {
    return bad(part, flat().overlap_count(circles(part, memory), numbers));
  }
  void all(const io::GridPart& part, ColumnBuffer& buffer) const override {
    flat().overlap_all(circles(part, buffer), buffer.overlaps);  // the bad ones were counted before
  }
  std::uint64_t input_bytes() const override { return row_bytes(); }
};

void add_overlap(Verbs& verbs) {
  auto [v, r, a] = add_result<ShapeOverlaps>(
      verbs, "which shapes of a scene overlap those of another",
      "sightline overlap city.st --with agents.st --query all -o pairs.st\n"
      "sightline overlap city.st --with robots.st --body 8 -o in_collision.st");
  v.scene(a.inputs);
  v.input("--with", a.inputs, "SHAPES",
          "scene of the query shapes, in the order of their ids; a point is a sphere of radius 0, "
          "planes cannot query")
      .required();
  add_overlap_query(v, r.query, "any (one bit per shape; default), count, or all (ids in rows)");
  v.count("--body", r.body, 1, none - 1, "N",
          "so many query shapes in turn are a body, such as a robot's spheres: one bit per body");
  v.output(a.output, "OUT", "result to write");
  v.job(a);
}

const VerbEntry overlap_verb{22, add_overlap};
const ResultKind overlap_kinds[] = {ResultKind{make_result<ShapeOverlaps, Query::any>},
                                    ResultKind{make_result<ShapeOverlaps, Query::count>},
                                    ResultKind{make_result<ShapeOverlaps, Query::all>},
                                    ResultKind{make_result<CircleOverlaps, Query::any>},
                                    ResultKind{make_result<CircleOverlaps, Query::count>},
                                    ResultKind{make_result<CircleOverlaps, Query::all>}};

}  // namespace

Option add_overlap_query(Verb& v, Query& to, const char* words) {
  return v.choice("--query", to,
                  {{"any", Query::any}, {"count", Query::count}, {"all", Query::all}}, "QUERY",
                  words);
}

std::unique_ptr<Result> new_circles(Query query) { return std::make_unique<CircleOverlaps>(query); }

}  // namespace sightline::cli
