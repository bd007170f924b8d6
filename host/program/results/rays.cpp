// cast: the closest hit of rays, whether they hit, how many shapes, and all of them.
#include "host/program/results/hits.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/ray_defaults.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/queries/all_hits.hpp>

#include <fmt/format.h>

namespace sightline::cli {
namespace {

constexpr Names names_of(CastQueryKind query) {
  constexpr Names names[] = {
      {"hits", "cast", "rays", "ray", "rays", "", "closest"},
      {"blocked", "cast", "rays", "ray", "rays", "", "any"},
      {"hit counts", "cast", "rays", "ray", "rays", "", "count"},
      {"all hits", "cast", "rays", "ray", "rays", "hits", "all"},
  };
  return names[static_cast<int>(query)];
}

class Rays : public Result {
 public:
  explicit Rays(CastQueryKind query) : Result(names_of(query)), query_(query) {}
  /// As the arguments ask, which must stay.
  explicit Rays(const CastArguments& a) : Rays(a.query) {
    arguments_ = &a;
    inside_ = a.inside;
    normals_ = a.normals;
    first_ = a.first.value_or(none);
    t_out_ = a.t_out;
  }

  void visit(Parameters& p) override {
    p.inside(inside_);
    if (is(CastQueryKind::closest)) p.flag("query.normals", normals_);
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
    p.number("query.first", first_, 1);
    p.flag("query.t_out", t_out_);
    p.number("hits.count", kept_);
  }
  Grid grid() const override { return {input_.count}; }
  std::vector<Column> columns() const override {
    switch (query_) {
      case CastQueryKind::closest:
        return hit_columns(input_.count, normals_);
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
    if (t_out_) columns.push_back({"t_out", io::Dtype::f32, {kept_}, Layout::items});
    return columns;
  }

  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (arguments_ != nullptr) defaults_ = ray_defaults(*arguments_, caster().scene());
    rays_ = in.rays(input_, defaults_, [&](const io::RaysSource& rays) {
      if (arguments_ != nullptr) refuse_overridden_columns(*arguments_, rays);
    });
    if ((is(CastQueryKind::count) || is(CastQueryKind::all)) && rays_->columns().radius) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: rays with radii are for closest and any hits alone", rays_->name()));
    }
  }

  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    const RaysView rays = rays_->read(part.row, part.rows, block.rays);
    const Column_ radius = rays_->radius(block.rays);
    if (is(CastQueryKind::closest)) {
      return first_bad(caster().closest_hit(rays, radius, hits_in(block), {inside_, false}),
                       part.row);
    }
    if (is(CastQueryKind::any)) {
      const auto bits = block.of<std::uint64_t>("blocked");
      const CastReport report = caster().any_hit(rays, radius, bits, {inside_, false});
      io::JobCounts counts = first_bad(report, part.row);
      counts.sum[1] = report.bad_rays;
      return counts;
    }
    if (is(CastQueryKind::count)) {
      const auto counts = block.of<std::uint32_t>("count");
      const HitRowsReport report = caster().count_hits(rays, counts, {inside_, false});
      io::JobCounts counted = first_bad(report, part.row);
      counted.sum[2] = report.bad_rays;
      return counted;
    }
    caster().all_hits(rays, block.hits, {inside_, false, first_, t_out_});
    block.refer("offsets", block.hits.offsets);
    block.refer("count", block.hits.count);
    block.refer("flags", block.hits.flags);
    block.refer("id", block.hits.id);
    block.refer("t", block.hits.t);
    block.refer("t_out", block.hits.t_out);
    return {};
  }
  io::JobCounts count_items(std::uint64_t first, std::span<std::uint32_t> counts,
                            Block& memory) const override {
    const RaysView rays = rays_->read(first, counts.size(), memory.rays);
    const HitRowsReport report = caster().count_hits(rays, counts, {inside_, false});
    io::JobCounts counted = first_bad(report, first);
    counted.sum = {report.hitting, report.hits, report.bad_rays};
    for (std::uint32_t& count : counts) {
      counted.sum[3] += count > first_;
      count = std::min(count, first_);
    }
    return counted;
  }
  void set_items(std::uint64_t items) override { kept_ = items; }
  /// While rows are gathered they take up to three times what they are. The rows of a few rays may
  /// be nearly all of them: those are crossings first, in memory that grows by doubling.
  std::uint64_t item_bytes() const override {
    const std::uint64_t hit = 2 * sizeof(float) + (t_out_ ? sizeof(float) : 0);
    return 2 * sizeof(Crossing) + 3 * hit;
  }
  void require_items(const Job& job, std::uint64_t ray, std::uint64_t hits,
                     std::uint64_t room) const override {
    const std::uint64_t limit = job.common().max_memory;
    if (limit == 0) return;
    throw Error(
        ErrorKind::out_of_memory,
        fmt::format("{}: ray {} has a row of {} hits, but --max-memory {} leaves room for {}: keep "
                    "fewer with --first",
                    rays_->name(), ray, hits, format_bytes(limit), room));
  }

  // Large enough that threads do not wait for each other, small enough to be interrupted soon.
  Cost cost() const override {
    return {1 << 20, copies_in_memory(backend()) * rays_->bytes_per_ray()};
  }
  void refuse_bad(std::uint64_t ray) const override {
    if (arguments_ == nullptr || !arguments_->strict) return;
    io::RayBuffer buffer;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: ray {}: {}", rays_->name(), ray,
                            reason_of_bad_ray(rays_->read(ray, 1, buffer)[0])));
  }

  void tally(Block& block, io::JobCounts& counts) const override {
    if (is(CastQueryKind::closest)) return tally_hits(block, counts);
    if (is(CastQueryKind::any)) {
      counts.sum[0] += count_bits(block.of<std::uint64_t>("blocked"));
      return;
    }
    for (const std::uint32_t n : block.of<std::uint32_t>("count")) {
      counts.sum[0] += n > 0;
      counts.sum[1] += n;
    }
    for (const std::uint8_t flags : block.of<std::uint8_t>("flags")) {
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
    const bool plain = is(CastQueryKind::closest) || is(CastQueryKind::any);
    job.set("/counts/first_bad_ray", done.counts.first_bad);
    job.warn(fmt::format("{}: {} of {} rays are bad and count as misses; the first is ray {}",
                         rays_->name(), grouped(done.counts.sum[plain ? 1 : 2]),
                         grouped(input_.count), done.counts.first_bad));
  }

 private:
  using Column_ = sightline::Column<float>;
  bool is(CastQueryKind query) const { return query_ == query; }

  CastQueryKind query_;
  const CastArguments* arguments_ = nullptr;
  Inside inside_ = Inside::solid;
  bool normals_ = false, t_out_ = false;
  std::uint32_t first_ = none;  ///< how many hits of a ray are kept
  Input input_{"--rays", "/rays", "rays"};
  std::uint64_t kept_ = 0;
  io::RayDefaults defaults_;
  std::optional<io::RaysSource> rays_;
};

/// Throws Error{usage} for options that are another query's, or that exclude each other.
void refuse_options(const CastArguments& a) {
  const auto refuse = [&](bool given, bool belongs, const char* option) {
    if (!given || belongs) return;
    throw Error(ErrorKind::usage,
                fmt::format("--query {} has no {}", names_of(a.query).query, option));
  };
  const bool rows = a.query == CastQueryKind::count || a.query == CastQueryKind::all;
  refuse(a.normals, a.query == CastQueryKind::closest, "--normals");
  refuse(a.first.has_value(), a.query == CastQueryKind::all, "--first");
  refuse(a.t_out, a.query == CastQueryKind::all, "--t-out");
  refuse(has_radius(a), !rows, "--radius");
  if (a.t_min && a.t_max && *a.t_min > *a.t_max) {
    throw Error(ErrorKind::usage, "--t-min is larger than --t-max");
  }
  if (a.exclude.size() > 2 || a.exclude_group.size() > 2) {
    throw Error(ErrorKind::usage, "--exclude and --exclude-group name at most two each");
  }
}

}  // namespace

std::unique_ptr<Result> new_rays(CastQueryKind query) { return std::make_unique<Rays>(query); }

int run_cast(Job& job, const CastArguments& a) {
  refuse_options(a);
  // A bad file of rays is reported before a large scene is read.
  static_cast<void>(InputFiles(job, a.inputs).open_rays());
  Rays rays(a);
  return run_result(job, rays, a);
}

}  // namespace sightline::cli
