// overlap: which shapes of a scene overlap those of another.
#include "host/program/results/overlaps.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>

namespace sightline::cli {
namespace {

class QueryShapes : public Result {
 public:
  explicit QueryShapes(std::string_view kind)
      : Result({kind, "overlap", "shapes", "shape", "asking", "ids"},
               {"--with", "/asking", "shapes"}) {}

  // Shapes have ids of 32 bits.
  void visit(Parameters& p) override { p.input("asking", input_, none - 1); }
  Grid grid() const override { return {input_.count / body_}; }
  void load(InputFiles& in) override {
    query_shapes_ = in.shapes(input_).scene;
    const std::string file = in.file_of(input_.option);
    in.settle_count(input_, file, query_shapes_.size());
    if (query_shapes_.count(Kind::plane) > 0) {
      io::fail(ErrorKind::bad_input,
               "{}: shape {} is a plane, which has no bounds and cannot query", file,
               query_shapes_.id(Kind::plane, 0));
    }
    with_refused(query_shapes_, Refused::rays_alone, [&](Kind kind, std::uint32_t) {
      io::fail(ErrorKind::bad_input, "{}: shape {} is a {}, which cannot query yet", file,
               query_shapes_.id(kind, 0), kind_name(kind));
    });
    if (query_shapes_.size() % body_ != 0) {
      io::fail(ErrorKind::bad_input, "{}: {} shapes are no whole number of bodies of {}", file,
               query_shapes_.size(), body_);
    }
    caster_ = in.caster(scene_hash, scene_);
    in.refuse_kinds(caster(), Refused::rays_alone, "overlaps");
  }
  Cost cost(const Job&) const override {
    // Bodies are asked by copies of some of their shapes, of at most 2^20 at a time; there are
    // never fewer than 64 bodies in memory.
    const std::uint64_t shapes = std::min<std::uint64_t>(body_, (1 << 20) / 64);
    const std::uint64_t copy = body_ == 1 ? 0 : sizeof(ObbFrame) + 2 * sizeof(std::uint32_t);
    // A device takes shapes and masks from pinned memory.
    const std::uint64_t pinned =
        backend() == Backend::cuda ? sizeof(ObbFrame) + sizeof(std::uint32_t) : 0;
    return {std::max<std::uint64_t>((1 << 18) / body_, 1), shapes * (pinned + copy)};
  }

 protected:
  io::JobCounts any(const io::GridPart& part, std::span<std::uint64_t> bits, ColumnBuffer&) const {
    caster().overlap_any(query_shapes_, bits, {ids_of(part), body_});
    return {};
  }
  io::JobCounts counts(const io::GridPart& part, std::span<std::uint32_t> numbers,
                       ColumnBuffer&) const {
    caster().overlap_count(query_shapes_, numbers, {ids_of(part)});
    return {};
  }
  void all(const io::GridPart& part, ColumnBuffer& buffer) const {
    buffer.overlaps = caster().overlap_all(query_shapes_, {ids_of(part)});
  }

  std::uint32_t body_ = 1;

 private:
  IdRange ids_of(const io::GridPart& part) const {
    return {static_cast<std::uint32_t>(part.row * body_),
            static_cast<std::uint32_t>(part.rows * body_)};
  }

  Scene query_shapes_;
};

class AnyOfBodies : public OverlapAny<QueryShapes> {
 public:
  explicit AnyOfBodies(std::uint32_t body = 1) { set_body(body); }

  void visit(Parameters& p) override {
    QueryShapes::visit(p);
    if (!p.has("query.body", body_ > 1)) return;
    p.number("query.body", body_, 2);
    if (p.reads() && input_.count % body_ != 0) p.fail("query.body");
    set_body(body_);
  }

 private:
  void set_body(std::uint32_t body) {
    body_ = body;
    if (body > 1) names_.unit = "bodies", names_.one = "body";
  }
};

struct OverlapArguments : ResultArguments {
  OverlapQuery query = OverlapQuery::any;
  std::uint32_t body = 1;
};

int run_overlap(Job& job, const OverlapArguments& a) {
  if (a.body > 1 && a.query != OverlapQuery::any) {
    io::fail(ErrorKind::usage, "--query {} has no --body",
             a.query == OverlapQuery::all ? "all" : "count");
  }
  return run_overlaps<QueryShapes>(job, a.query, a, AnyOfBodies(a.body));
}

}  // namespace

void add_overlap(Verb& v) {
  auto& a = v.runs<OverlapArguments>(
      run_overlap,
      "sightline overlap city.st --with agents.st --query all -o pairs.st\n"
      "sightline overlap city.st --with robots.st --body 8 -o in_collision.st");
  v.scene(a.inputs);
  v.input("--with", a.inputs, "SHAPES",
          "scene of the query shapes, in the order of their ids; a point is a sphere of radius 0, "
          "planes cannot query")
      .required();
  add_overlap_query(v, a.query, "any (one bit per shape; default), count, or all (ids in rows)");
  v.count(
      "--body", a.body, 1, none - 1, "N",
      "number of consecutive query shapes per body, such as the spheres of one robot pose; writes "
      "one bit per body");
  v.output(a.output, "OUT", "result to write");
  v.job(a);
}

std::vector<MakeResult> overlap_kinds() {
  return {make_result<AnyOfBodies>, make_result<OverlapCount<QueryShapes>>,
          make_result<OverlapAll<QueryShapes>>};
}

}  // namespace sightline::cli
