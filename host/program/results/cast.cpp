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

enum class CastQueryKind { closest, any, count, all };

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

class Rays : public Result {
 public:
  explicit Rays(CastQueryKind of = CastQueryKind::closest) : query(of) {}

  CastQueryKind query;
  RayOptions asked;
  Inside inside = Inside::solid;
  bool normals = false, t_out = false, strict = false;
  std::uint32_t first = none;  ///< how many hits of a ray are kept

  Names names() const override {
    constexpr Names of[] = {
        {"hits", "cast", "rays", "ray", "rays", "", "closest"},
        {"blocked", "cast", "rays", "ray", "rays", "", "any"},
        {"hit counts", "cast", "rays", "ray", "rays", "", "count"},
        {"all hits", "cast", "rays", "ray", "rays", "hits", "all"},
    };
    return of[static_cast<int>(query)];
  }
  /// A bad file of rays is reported before a large scene is read.
  std::string check_options(const InputFiles& in) override {
    const auto refuse = [&](bool given, bool belongs, const char* option) {
      if (!given || belongs) return;
      io::fail(ErrorKind::usage, "--query {} has no {}", names().query, option);
    };
    refuse(normals, is(CastQueryKind::closest), "--normals");
    refuse(first != none, is(CastQueryKind::all), "--first");
    refuse(t_out, is(CastQueryKind::all), "--t-out");
    refuse(has_radius(in), !has_rows(), "--radius");
    if (asked.t_min && asked.t_max && *asked.t_min > *asked.t_max) {
      throw Error(ErrorKind::usage, "--t-min is larger than --t-max");
    }
    if (asked.exclude.size() > 2 || asked.exclude_group.size() > 2) {
      throw Error(ErrorKind::usage, "--exclude and --exclude-group name at most two each");
    }
    static_cast<void>(in.open_rays());
    return "";
  }

  void visit(Parameters& p) override {
    p.inside(inside);
    if (is(CastQueryKind::closest)) p.flag("query.normals", normals);
    // Rows have an offset more than there are rays.
    p.input("rays", input_, ~std::uint64_t{0} - (is(CastQueryKind::all) ? 1 : 0));
    p.number("query.t_min", defaults_.t_min);
    p.number("query.t_max", defaults_.t_max);
    p.number("query.mask", defaults_.mask);
    p.pair("query.exclude", defaults_.exclude);
    p.pair("query.exclude_group", defaults_.exclude_group);
    if (p.has("query.radius", defaults_.radius != 0.0f)) {
      p.number("query.radius", defaults_.radius, std::numeric_limits<float>::denorm_min());
    }
    if (!is(CastQueryKind::all)) return;
    p.number("query.first", first, 1);
    p.flag("query.t_out", t_out);
    p.number("hits.count", kept_);
  }
  Grid grid() const override { return {input_.count}; }
  std::vector<Column> columns() const override {
    switch (query) {
      case CastQueryKind::closest:
        return hit_columns(input_.count, normals);
      case CastQueryKind::any:
        return {{"blocked", io::Dtype::u64, {bit_words(input_.count)}, Layout::bits}};
      case CastQueryKind::count:
        return {{"count", io::Dtype::u32, {input_.count}}};
      case CastQueryKind::all:
        break;
    }
    std::vector<Column> columns = {{"offsets", io::Dtype::u64, {input_.count + 1}, Layout::offsets},
                                   {"count", io::Dtype::u32, {input_.count}},
                                   {"flags", io::Dtype::u8, {input_.count}},
                                   {"id", io::Dtype::u32, {kept_}, Layout::items},
                                   {"t", io::Dtype::f32, {kept_}, Layout::items}};
    if (t_out) columns.push_back({"t_out", io::Dtype::f32, {kept_}, Layout::items});
    return columns;
  }

  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (!in.verifies()) defaults_ = asked.defaults(caster().scene());
    rays_ = in.rays(input_, defaults_, [&](const io::RaysSource& rays) {
      if (!in.verifies()) asked.refuse_columns_of(rays, has_radius(in));
    });
    if (has_rows() && rays_->columns().radius) {
      io::fail(ErrorKind::usage, "{}: rays with radii are for closest and any hits alone",
               rays_->name());
    }
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const RaysView rays = rays_->read(part.row, part.rows, buffer.rays);
    const Column_ radius = rays_->radius(buffer.rays);
    if (is(CastQueryKind::closest)) {
      return first_bad(caster().closest_hit(rays, radius, hits_in(buffer), {inside, false}),
                       part.row);
    }
    if (is(CastQueryKind::any)) {
      const auto bits = buffer.of<std::uint64_t>("blocked");
      const CastReport report = caster().any_hit(rays, radius, bits, {inside, false});
      io::JobCounts counts = first_bad(report, part.row);
      counts.sum[1] = report.bad_rays;
      return counts;
    }
    if (is(CastQueryKind::count)) {
      const auto counts = buffer.of<std::uint32_t>("count");
      const HitRowsReport report = caster().count_hits(rays, counts, {inside, false});
      io::JobCounts counted = first_bad(report, part.row);
      counted.sum[2] = report.bad_rays;
      return counted;
    }
    caster().all_hits(rays, buffer.hits, {inside, false, first, t_out});
    buffer.refer("offsets", buffer.hits.offsets);
    buffer.refer("count", buffer.hits.count);
    buffer.refer("flags", buffer.hits.flags);
    buffer.refer("id", buffer.hits.id);
    buffer.refer("t", buffer.hits.t);
    buffer.refer("t_out", buffer.hits.t_out);
    return {};
  }
  io::JobCounts count_items(std::uint64_t begin, std::span<std::uint32_t> counts,
                            ColumnBuffer& memory) const override {
    const RaysView rays = rays_->read(begin, counts.size(), memory.rays);
    const HitRowsReport report = caster().count_hits(rays, counts, {inside, false});
    io::JobCounts counted = first_bad(report, begin);
    counted.sum = {report.hitting, report.hits, report.bad_rays};
    for (std::uint32_t& count : counts) {
      counted.sum[3] += count > first;
      count = std::min(count, first);
    }
    return counted;
  }
  void set_items(std::uint64_t items) override { kept_ = items; }
  /// While rows are gathered they take up to three times what they are. The rows of a few rays may
  /// be nearly all of them: those are crossings first, in memory that grows by doubling.
  std::uint64_t item_bytes() const override {
    const std::uint64_t hit = 2 * sizeof(float) + (t_out ? sizeof(float) : 0);
    return 2 * sizeof(Crossing) + 3 * hit;
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

  // Large enough that threads do not wait for each other, small enough to be interrupted soon.
  Cost cost() const override {
    return {1 << 20, copies_in_memory(backend()) * rays_->bytes_per_ray()};
  }
  void refuse_bad(std::uint64_t ray) const override {
    if (!strict) return;
    io::RayBuffer buffer;
    io::fail(ErrorKind::bad_input, "{}: ray {}: {}", rays_->name(), ray,
             reason_of_bad_ray(rays_->read(ray, 1, buffer)[0]));
  }

  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    if (is(CastQueryKind::closest)) return tally_hits(buffer, counts);
    if (is(CastQueryKind::any)) {
      counts.sum[0] += count_bits(buffer.of<std::uint64_t>("blocked"));
      return;
    }
    for (const std::uint32_t n : buffer.of<std::uint32_t>("count")) {
      counts.sum[0] += n > 0;
      counts.sum[1] += n;
    }
    for (const std::uint8_t flags : buffer.of<std::uint8_t>("flags")) {
      counts.sum[2] += (flags & hit_flags::bad_ray) != 0;
      counts.sum[3] += (flags & hit_flags::overflow) != 0;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    const auto& sum = counts.sum;
    if (is(CastQueryKind::closest)) {
      return {{"hits", "hits", sum[0], input_.count}, {"bad_rays", "bad rays", sum[1]}};
    }
    if (is(CastQueryKind::any)) {
      return {{"blocked", "blocked", sum[0], input_.count},
              {"hits", "hits", sum[0], 0, Shown::in_reports},
              {"bad_rays", "bad rays", sum[1], 0, Shown::in_reports}};
    }
    std::vector<Counted> rows = {
        {"hitting", "rays that hit", sum[0], input_.count},
        {"hits", "hits", sum[1]},
        {"bad_rays", "bad rays", sum[2], 0,
         is(CastQueryKind::count) ? Shown::in_reports : Shown::everywhere}};
    if (is(CastQueryKind::all)) {
      rows.push_back({"kept", "hits kept", kept_});
      rows.push_back({"overflowing", "rows cut short", sum[3]});
    }
    return rows;
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.first_bad == io::JobCounts::no_bad) return;
    job.set("/counts/first_bad_ray", done.counts.first_bad);
    const std::uint64_t bad = done.counts.sum[has_rows() ? 2 : 1];
    job.warn("{}: {} of {} {}; the first is ray {}", rays_->name(), grouped(bad),
             plural(input_.count, "rays"),
             agreeing(bad, "is bad and counts as a miss", "are bad and count as misses"),
             done.counts.first_bad);
  }

 private:
  using Column_ = sightline::Column<float>;
  bool is(CastQueryKind of) const { return query == of; }
  bool has_rows() const { return is(CastQueryKind::count) || is(CastQueryKind::all); }
  bool has_radius(const InputFiles& in) const { return asked.radius || in.has("--radius"); }

  Input input_{"--rays", "/rays", "rays"};
  std::uint64_t kept_ = 0;
  io::RayDefaults defaults_;
  std::optional<io::RaysSource> rays_;
};

void add_cast(Verbs& verbs) {
  auto [v, r, a] =
      add_result<Rays>(verbs, "cast the rays of a file, of any number, at a scene",
                       "sightline cast city.st --rays rays.st -o hits.st\n"
                       "sightline cast city.st --rays rays.st --query all --first 4 -o rows.st");
  v.scene(a.inputs);
  v.rays(a.inputs);
  v.number("--t-min", r.asked.t_min, not_negative, "T",
           "start, in lengths of the direction; default 0");
  v.number("--t-max", r.asked.t_max, not_negative, "T",
           "end, in lengths of the direction; default inf");
  v.count("--mask", r.asked.mask, 0, most_bits, "BITS",
          "32 bits; a shape counts when its mask shares one; default all");
  v.list("--exclude", r.asked.exclude, "ID,...",
         "shapes to leave out: ids or kind:index, at most two");
  v.list("--exclude-group", r.asked.exclude_group, "GROUP,...", "groups to leave out, at most two")
      .whole(0, most_bits);
  v.choice("--query", r.query,
           {{"closest", CastQueryKind::closest},
            {"any", CastQueryKind::any},
            {"count", CastQueryKind::count},
            {"all", CastQueryKind::all}},
           "QUERY",
           "closest (t, id, flags; default), any (one bit per ray), count, or all (hits in rows)");
  v.count("--first", r.first, 1, none - 1, "K", "all: keep the nearest K hits of a ray")
      .without_default();
  v.flag("--t-out", r.t_out, "all: also write where each shape is left");
  v.number_or_file(
      "--radius", r.asked.radius, a.inputs, any_length, "R|R.npy",
      "of spheres that move along the rays: a number, or a file of [n] f32; default 0");
  v.inside(r.inside);
  v.normals(r.normals);
  v.flag("--strict", r.strict, "a bad ray is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a);
}

const VerbEntry cast_verb{20, add_cast};
const ResultKind rays_kinds[] = {ResultKind{make_result<Rays, CastQueryKind::closest>},
                                 ResultKind{make_result<Rays, CastQueryKind::any>},
                                 ResultKind{make_result<Rays, CastQueryKind::count>},
                                 ResultKind{make_result<Rays, CastQueryKind::all>}};

}  // namespace
}  // namespace sightline::cli
