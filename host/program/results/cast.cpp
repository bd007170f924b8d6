// cast: the closest hit of rays, whether they hit, how many shapes, and all of them.
#include "host/program/results/hits.hpp"
#include "host/program/results/ray_result.hpp"
#include "host/program/results/run.hpp"

#include "host/program/jobs/bit_matrix.hpp"

#include <sightline/geometry/queries/all_hits.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

enum class CastQuery { closest, any, count, all };

struct CastArguments : ResultArguments, RayQuestion {
  CastQuery query = CastQuery::closest;
  bool normals = false, t_out = false;
  std::uint32_t first = none;  ///< how many hits of a ray are kept
};

constexpr Names names_of(std::string_view kind, std::string_view query,
                         std::string_view items = "") {
  return {kind, "cast", "rays", "ray", "rays", items, query};
}

class ClosestHits : public RayResult {
 public:
  explicit ClosestHits(const CastArguments& a = {})
      : RayResult(names_of("hits", "closest"), a, 1, true), normals_(a.normals) {}

  void visit(Parameters& p) override {
    visit_policy(p);
    p.flag("query.normals", normals_);
    visit_rays(p);
  }
  std::vector<Column> columns() const override { return hit_columns(input_.count, normals_); }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const RaysView rays = rays_->read(part.row, part.rows, buffer.rays);
    return first_bad(caster().closest_hit(rays, hits_in(buffer), not_strict()), part.row);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_hits(buffer, counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], input_.count}, {"bad_rays", "bad rays", counts.sum[1]}};
  }

 private:
  bool normals_;
};

class BlockedRays : public RayResult {
 public:
  explicit BlockedRays(const CastArguments& a = {})
      : RayResult(names_of("blocked", "any"), a, 1, true) {}

  std::vector<Column> columns() const override {
    return {{"blocked", io::Dtype::u64, {bit_words(input_.count)}, Layout::bits}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const RaysView rays = rays_->read(part.row, part.rows, buffer.rays);
    const CastReport report =
        caster().any_hit(rays, buffer.of<std::uint64_t>("blocked"), not_strict());
    io::JobCounts counts = first_bad(report, part.row);
    counts.sum[1] = report.bad_rays;
    return counts;
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    counts.sum[0] += count_bits(buffer.of<std::uint64_t>("blocked"));
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"blocked", "blocked", counts.sum[0], input_.count},
            {"hits", "hits", counts.sum[0], 0, Shown::in_reports},
            {"bad_rays", "bad rays", counts.sum[1], 0, Shown::in_reports}};
  }
};

class HitCounts : public RayResult {
 public:
  explicit HitCounts(const CastArguments& a = {}) : HitCounts(names_of("hit counts", "count"), a) {}

  std::vector<Column> columns() const override {
    return {{"count", io::Dtype::u32, {input_.count}}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const HitRowsReport report = count(part.row, buffer.of<std::uint32_t>("count"), buffer);
    io::JobCounts counted = first_bad(report, part.row);
    counted.sum[2] = report.bad_rays;
    return counted;
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_counts(buffer.of<std::uint32_t>("count"), counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hitting", "rays that hit", counts.sum[0], input_.count},
            {"hits", "hits", counts.sum[1]},
            {"bad_rays", "bad rays", counts.sum[2], 0, Shown::in_reports}};
  }

 protected:
  HitCounts(const Names& names, const CastArguments& a) : RayResult(names, a, 2) {}
  HitRowsReport count(std::uint64_t first, std::span<std::uint32_t> counts,
                      ColumnBuffer& memory) const {
    return caster().count_hits(rays_->read(first, counts.size(), memory.rays), counts,
                               not_strict());
  }
};

class AllHits : public HitCounts, public Rows {
 public:
  explicit AllHits(const CastArguments& a = {})
      : HitCounts(names_of("all hits", "all", "hits"), a), first_(a.first), t_out_(a.t_out) {}

  void visit(Parameters& p) override {
    visit_policy(p);
    // Rows have an offset more than there are rays.
    visit_rays(p, ~std::uint64_t{0} - 1);
    p.number("query.first", first_, 1);
    p.flag("query.t_out", t_out_);
    p.number("hits.count", items);
  }
  std::vector<Column> columns() const override {
    const std::uint64_t n = input_.count;
    std::vector<Column> columns = {{"offsets", io::Dtype::u64, {n + 1}, Layout::offsets},
                                   {"count", io::Dtype::u32, {n}},
                                   {"flags", io::Dtype::u8, {n}},
                                   {"id", io::Dtype::u32, {items}, Layout::items},
                                   {"t", io::Dtype::f32, {items}, Layout::items}};
    if (t_out_) columns.push_back({"t_out", io::Dtype::f32, {items}, Layout::items});
    return columns;
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    HitRows& hits = buffer.hits;
    hits = {};  // the last part's, before there are others
    hits = caster().all_hits(rays_->read(part.row, part.rows, buffer.rays),
                             {options_.inside, false, first_, t_out_, options_.side});
    buffer.refer("offsets", hits.offsets);
    buffer.refer("count", hits.count);
    buffer.refer("flags", hits.flags);
    buffer.refer("id", hits.id);
    buffer.refer("t", hits.t);
    buffer.refer("t_out", hits.t_out);
    return {};
  }
  io::JobCounts count_items(std::uint64_t begin, std::span<std::uint32_t> counts,
                            ColumnBuffer& memory) const override {
    const HitRowsReport report = count(begin, counts, memory);
    io::JobCounts counted = first_bad(report, begin);
    counted.sum = {report.hitting, report.hits, report.bad_rays};
    for (std::uint32_t& n : counts) {
      counted.sum[3] += n > first_;
      n = std::min(n, first_);
    }
    return counted;
  }
  /// While rows are gathered they take up to three times what they are. The rows of a few rays may
  /// be nearly all of them: those are crossings first, in memory that grows by doubling.
  Cost cost(const Job& job) const override {
    Cost cost = RayResult::cost(job);
    cost.item_bytes = 2 * sizeof(Crossing) + 3 * (2 + t_out_) * sizeof(float);
    return cost;
  }
  void require_items(const Job& job, std::uint64_t ray, std::uint64_t hits,
                     std::uint64_t room) const override {
    const std::uint64_t limit = job.common().max_memory;
    if (limit == 0) return;
    io::fail(ErrorKind::out_of_memory,
             "{}: ray {} has a row of {} hits, but --max-memory {} leaves room for {}: keep fewer "
             "with --first",
             rays_->name(), ray, hits, format_bytes(limit), room);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    HitCounts::tally(buffer, counts);
    for (const std::uint8_t flags : buffer.of<std::uint8_t>("flags")) {
      counts.sum[2] += (flags & hit_flags::bad_ray) != 0;
      counts.sum[3] += (flags & hit_flags::overflow) != 0;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    std::vector<Counted> rows = HitCounts::counted(counts);
    rows.back().shown = Shown::everywhere;
    rows.push_back({"kept", "hits kept", items});
    rows.push_back({"overflowing", "rows cut short", counts.sum[3]});
    return rows;
  }

 private:
  std::uint32_t first_;
  bool t_out_;
};

template <class R>
int run_of(Job& job, const CastArguments& a) {
  R result(a);
  return run_result(job, result, a);
}

/// A bad file of rays is reported before a large scene is read.
int run_cast(Job& job, const CastArguments& a) {
  constexpr const char* names[] = {"closest", "any", "count", "all"};
  constexpr int (*runs[])(Job&, const CastArguments&) = {run_of<ClosestHits>, run_of<BlockedRays>,
                                                         run_of<HitCounts>, run_of<AllHits>};
  const auto query = static_cast<std::size_t>(a.query);
  const bool radii = a.query == CastQuery::closest || a.query == CastQuery::any;
  const InputFiles in(job, a.inputs);
  const auto refuse = [&](bool given, bool belongs, const char* option) {
    if (given && !belongs) {
      io::fail(ErrorKind::usage, "--query {} has no {}", names[query], option);
    }
  };
  refuse(a.normals, a.query == CastQuery::closest, "--normals");
  refuse(a.first != none, a.query == CastQuery::all, "--first");
  refuse(a.t_out, a.query == CastQuery::all, "--t-out");
  refuse(a.rays.radius || in.has("--radius"), radii, "--radius");
  if (a.rays.t_min && a.rays.t_max && *a.rays.t_min > *a.rays.t_max) {
    throw Error(ErrorKind::usage, "--t-min is larger than --t-max");
  }
  if (a.rays.exclude.size() > 2 || a.rays.exclude_group.size() > 2) {
    throw Error(ErrorKind::usage, "--exclude and --exclude-group name at most two each");
  }
  static_cast<void>(in.open_rays());
  return runs[query](job, a);
}

}  // namespace

void add_cast(Verb& v) {
  auto& a = v.runs<CastArguments>(
      run_cast,
      "sightline cast city.st --rays rays.st -o hits.st\n"
      "sightline cast city.st --rays rays.st --query all --first 4 -o rows.st");
  v.scene(a.inputs);
  v.rays(a.inputs);
  v.number("--t-min", a.rays.t_min, not_negative, "T",
           "start, in lengths of the direction; default 0");
  v.number("--t-max", a.rays.t_max, not_negative, "T",
           "end, in lengths of the direction; default inf");
  v.count("--mask", a.rays.mask, 0, most_bits, "BITS",
          "32 bits; a shape counts when its mask shares one; default all");
  v.add("--exclude", a.rays.exclude, "ID,...",
        "shapes to leave out: ids or kind:index, at most two")
      .with_commas();
  v.add("--exclude-group", a.rays.exclude_group, "GROUP,...", "groups to leave out, at most two")
      .with_commas()
      .whole(0, most_bits);
  v.choice("--query", a.query,
           {{"closest", CastQuery::closest},
            {"any", CastQuery::any},
            {"count", CastQuery::count},
            {"all", CastQuery::all}},
           "QUERY",
           "closest (t, id, flags; default), any (one bit per ray), count, or all (hits in rows)");
  v.count("--first", a.first, 1, none - 1, "K", "all: keep the nearest K hits of a ray")
      .without_default();
  v.flag("--t-out", a.t_out, "all: also write where each shape is left");
  v.number_or_file(
      "--radius", a.rays.radius, a.inputs, any_length, "R|R.npy",
      "of spheres that move along the rays: a number, or a file of [n] f32; default 0");
  v.inside(a.options.inside);
  v.side(a.options.side);
  v.normals(a.normals);
  v.flag("--strict", a.options.strict, "a bad ray is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a);
}

std::vector<MakeResult> cast_kinds() {
  return {make_result<ClosestHits>, make_result<BlockedRays>, make_result<HitCounts>,
          make_result<AllHits>};
}

}  // namespace sightline::cli
