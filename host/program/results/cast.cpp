// cast: the closest hit of rays, whether they hit, how many shapes, and all of them.
#include "host/files/core/text_file.hpp"
#include "host/program/results/hits.hpp"
#include "host/program/results/run.hpp"

#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/queries/all_hits.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

/// An id, or kind:index.
std::uint32_t parse_shape(const std::string& text, const Scene& scene) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const auto id = io::number_from<std::uint32_t>(text);
    if (id && *id < scene.size()) return *id;
  } else {
    const auto index = io::number_from<std::uint32_t>(text.substr(colon + 1));
    for (int k = 0; index && k < kind_count; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (text.compare(0, colon, kind_name(kind)) == 0 && *index < scene.count(kind)) {
        return scene.id(kind, *index);
      }
    }
  }
  io::fail(ErrorKind::usage,
           "--exclude {}: the scene of {} shapes has none of that id or kind:index",
           io::in_quotes(text), scene.size());
}

/// Why a bad ray is one.
const char* reason_of_bad_ray(const Ray& ray) {
  if (!in_domain(ray.origin)) return "its origin is NaN, infinite or beyond 2^40";
  if (!is_finite(ray.direction)) return "its direction is NaN or infinite";
  if (!(0.0f <= ray.t_min && ray.t_min <= ray.t_max)) {
    return "its interval is not 0 <= t_min <= t_max";
  }
  return "its radius is not 0 <= radius <= 2^40";
}

/// What the command line gives every ray whose file does not say it.
struct RayOptions {
  std::optional<float> t_min, t_max, radius;
  std::optional<std::uint32_t> mask;
  std::vector<std::string> exclude;
  std::vector<std::uint32_t> exclude_group;

  io::RayDefaults defaults(const Scene& scene) const {
    io::RayDefaults d;
    d.t_min = t_min.value_or(d.t_min);
    d.t_max = t_max.value_or(d.t_max);
    d.mask = mask.value_or(d.mask);
    d.radius = radius.value_or(d.radius);
    for (std::size_t k = 0; k < exclude.size(); ++k) d.exclude[k] = parse_shape(exclude[k], scene);
    std::copy(exclude_group.begin(), exclude_group.end(), d.exclude_group);
    return d;
  }

  /// Throws Error{usage} when an option would give what the file of rays has already.
  void refuse_columns_of(const io::RaysSource& rays, bool has_radius) const {
    const auto refuse = [&](bool given, bool there, const char* option, const char* column) {
      if (!given || !there) return;
      io::fail(ErrorKind::usage, "{}: {} has a column '{}' of its own", option, rays.name(),
               column);
    };
    const io::RayColumns& columns = rays.columns();
    refuse(t_min.has_value(), columns.t_min, "--t-min", "t_min");
    refuse(t_max.has_value(), columns.t_max, "--t-max", "t_max");
    refuse(mask.has_value(), columns.mask, "--mask", "mask");
    refuse(!exclude.empty(), columns.exclude, "--exclude", "exclude");
    refuse(!exclude_group.empty(), columns.exclude_group, "--exclude-group", "exclude_group");
    refuse(has_radius, columns.radius, "--radius", "radius");
  }
};

enum class CastQuery { closest, any, count, all };

struct CastArguments : ResultArguments {
  CastQuery query = CastQuery::closest;
  RayOptions rays;
  Inside inside = Inside::solid;
  bool normals = false, t_out = false, strict = false;
  std::uint32_t first = none;  ///< how many hits of a ray are kept
};

constexpr Names names_of(std::string_view kind, std::string_view query,
                         std::string_view items = "") {
  return {kind, "cast", "rays", "ray", "rays", items, query};
}

/// What all questions about rays have. `bad` is the place of the bad ones among the counts.
class OfRays : public Result {
 public:
  OfRays(const Names& names, const CastArguments& a, std::size_t bad, bool radii = false)
      : Result(names),
        inside_(a.inside),
        asked_(a.rays),
        strict_(a.strict),
        bad_(bad),
        radii_(radii) {}

  void visit(Parameters& p) override {
    p.inside(inside_);
    visit_rays(p);
  }
  Grid grid() const override { return {input_.count}; }
  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (!in.verifies()) defaults_ = asked_.defaults(caster().scene());
    rays_ = in.rays(input_, defaults_, [&](const io::RaysSource& rays) {
      if (!in.verifies()) asked_.refuse_columns_of(rays, asked_.radius || in.has("--radius"));
    });
    if (!radii_ && rays_->columns().radius) {
      io::fail(ErrorKind::usage, "{}: rays with radii are for closest and any hits alone",
               rays_->name());
    }
  }
  // Large enough that threads do not wait for each other, small enough to be interrupted soon.
  Cost cost(const Job&) const override {
    return {1 << 20, copies_in_memory(backend()) * rays_->bytes_per_ray()};
  }
  void refuse_bad(std::uint64_t ray) const {
    if (!strict_) return;
    io::RayBuffer buffer;
    io::fail(ErrorKind::bad_input, "{}: ray {}: {}", rays_->name(), ray,
             reason_of_bad_ray(rays_->read(ray, 1, buffer)[0]));
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.first_bad == io::JobCounts::no_bad) return;
    job.set("/counts/first_bad_ray", done.counts.first_bad);
    const std::uint64_t bad = done.counts.sum[bad_];
    job.warn("{}: {} of {} {}; the first is ray {}", rays_->name(), grouped(bad),
             plural(input_.count, "rays"),
             agreeing(bad, "is bad and counts as a miss", "are bad and count as misses"),
             done.counts.first_bad);
  }

 protected:
  void visit_rays(Parameters& p, std::uint64_t most = ~std::uint64_t{0}) {
    p.input("rays", input_, most);
    p.number("query.t_min", defaults_.t_min);
    p.number("query.t_max", defaults_.t_max);
    p.number("query.mask", defaults_.mask);
    p.pair("query.exclude", defaults_.exclude);
    p.pair("query.exclude_group", defaults_.exclude_group);
    if (!p.has("query.radius", defaults_.radius != 0.0f)) return;
    p.number("query.radius", defaults_.radius, std::numeric_limits<float>::denorm_min());
  }

  Inside inside_;
  Input input_{"--rays", "/rays", "rays"};
  std::optional<io::RaysSource> rays_;

 private:
  RayOptions asked_;
  bool strict_;
  std::size_t bad_;
  bool radii_;
  io::RayDefaults defaults_;
};

class ClosestHits : public OfRays {
 public:
  explicit ClosestHits(const CastArguments& a = {})
      : OfRays(names_of("hits", "closest"), a, 1, true), normals_(a.normals) {}

  void visit(Parameters& p) override {
    p.inside(inside_);
    p.flag("query.normals", normals_);
    visit_rays(p);
  }
  std::vector<Column> columns() const override { return hit_columns(input_.count, normals_); }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const RaysView rays = rays_->read(part.row, part.rows, buffer.rays);
    return first_bad(
        caster().closest_hit(rays, rays_->radius(buffer.rays), hits_in(buffer), {inside_, false}),
        part.row);
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

class BlockedRays : public OfRays {
 public:
  explicit BlockedRays(const CastArguments& a = {})
      : OfRays(names_of("blocked", "any"), a, 1, true) {}

  std::vector<Column> columns() const override {
    return {{"blocked", io::Dtype::u64, {bit_words(input_.count)}, Layout::bits}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const RaysView rays = rays_->read(part.row, part.rows, buffer.rays);
    const CastReport report = caster().any_hit(
        rays, rays_->radius(buffer.rays), buffer.of<std::uint64_t>("blocked"), {inside_, false});
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

class HitCounts : public OfRays {
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
    for (const std::uint32_t n : buffer.of<std::uint32_t>("count")) {
      counts.sum[0] += n > 0;
      counts.sum[1] += n;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hitting", "rays that hit", counts.sum[0], input_.count},
            {"hits", "hits", counts.sum[1]},
            {"bad_rays", "bad rays", counts.sum[2], 0, Shown::in_reports}};
  }

 protected:
  HitCounts(const Names& names, const CastArguments& a) : OfRays(names, a, 2) {}
  HitRowsReport count(std::uint64_t first, std::span<std::uint32_t> counts,
                      ColumnBuffer& memory) const {
    return caster().count_hits(rays_->read(first, counts.size(), memory.rays), counts,
                               {inside_, false});
  }
};

class AllHits : public HitCounts, public Rows {
 public:
  explicit AllHits(const CastArguments& a = {})
      : HitCounts(names_of("all hits", "all", "hits"), a), first_(a.first), t_out_(a.t_out) {}

  void visit(Parameters& p) override {
    p.inside(inside_);
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
    caster().all_hits(rays_->read(part.row, part.rows, buffer.rays), hits,
                      {inside_, false, first_, t_out_});
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
    Cost cost = OfRays::cost(job);
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
  const struct {
    std::string_view name;
    bool radii;
    int (*run)(Job&, const CastArguments&);
  } of[] = {{"closest", true, run_of<ClosestHits>},
            {"any", true, run_of<BlockedRays>},
            {"count", false, run_of<HitCounts>},
            {"all", false, run_of<AllHits>}};
  const auto& [name, radii, run] = of[static_cast<int>(a.query)];
  const InputFiles in(job, a.inputs);
  const auto refuse = [&, name = name](bool given, bool belongs, const char* option) {
    if (!given || belongs) return;
    io::fail(ErrorKind::usage, "--query {} has no {}", name, option);
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
  return run(job, a);
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
  v.list("--exclude", a.rays.exclude, "ID,...",
         "shapes to leave out: ids or kind:index, at most two");
  v.list("--exclude-group", a.rays.exclude_group, "GROUP,...", "groups to leave out, at most two")
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
  v.inside(a.inside);
  v.normals(a.normals);
  v.flag("--strict", a.strict, "a bad ray is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a);
}

std::vector<MakeResult> cast_kinds() {
  return {make_result<ClosestHits>, make_result<BlockedRays>, make_result<HitCounts>,
          make_result<AllHits>};
}

}  // namespace sightline::cli
