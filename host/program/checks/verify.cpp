// verify: recomputes a result with the reference backend and compares bytes.
#include "host/program/checks/verify.hpp"

#include "host/program/checks/verify_bakes.hpp"
#include "host/program/checks/verify_nav.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/fields.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

bool is_visibility(const io::ResultParameters& p) { return p.kind == io::ResultKind::visibility; }

/// Whether the result and the arguments are about shapes that move, or neither is.
bool are_sweeps(const VerifyArguments& a, const io::ResultParameters& p) {
  const bool sweeps = p.kind == io::ResultKind::sweep;
  const bool others = !a.input.rays.empty() || !a.input.origins.empty() || !a.from.empty() ||
                      !a.to.empty() || !a.points.empty() || !a.with.empty() || !a.radii.empty() ||
                      !a.fields.half_angle.empty() || !a.fields.range.empty();
  if (sweeps && (a.capsules.empty() || a.input.directions.empty() || others)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: holds sweep: name its shapes that move with --capsules, and "
                            "their --directions, and nothing else",
                            a.result));
  }
  if (!sweeps && !a.capsules.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: holds {}: --capsules is for sweep", a.result,
                                              io::result_kind_name(p.kind)));
  }
  return sweeps;
}

/// What the result was computed from must be named, and nothing else.
void require_arguments(const VerifyArguments& a, const io::ResultParameters& p) {
  const bool rays = !a.input.rays.empty() || !a.input.origins.empty();
  const bool from = !a.from.empty(), to = !a.to.empty(), points = !a.points.empty();
  const bool with = !a.with.empty();
  const bool has_flat = !a.circles.empty() || !a.segments.empty();
  if (p.flat || has_flat) {
    const bool circles = p.flat && io::is_overlap(p.kind);
    const bool others = rays || !a.from.empty() || !a.to.empty() || !a.points.empty() ||
                        !a.with.empty() || !a.input.directions.empty() ||
                        !a.fields.half_angle.empty() || !a.fields.range.empty() ||
                        !a.capsules.empty() || !a.radii.empty();
    if (p.flat && !others && a.circles.empty() != circles && a.segments.empty() == circles) return;
    throw Error(ErrorKind::usage,
                fmt::format("{}: holds {}{}: name its {}", a.result, io::result_kind_name(p.kind),
                            p.flat ? " of 2D" : "",
                            !p.flat   ? "rays, points or shapes, not --circles or --segments"
                            : circles ? "circles with --circles, and nothing else"
                                      : "segments with --segments, and nothing else"));
  }
  if (are_sweeps(a, p)) return;
  if (!a.radii.empty() && !rays) {
    throw Error(ErrorKind::usage, "--radius is for rays: name them with --rays");
  }
  const auto require = [&](bool named, const char* words) {
    if (named) return;
    throw Error(ErrorKind::usage, fmt::format("{}: holds {}: name its {}", a.result,
                                              io::result_kind_name(p.kind), words));
  };
  if (!is_visibility(p) && (!a.fields.half_angle.empty() || !a.fields.range.empty() ||
                            (!rays && !a.input.directions.empty()))) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: holds {}: it has no fields of view, which are what directions "
                            "without origins, --half-angle and --view-range name",
                            a.result, io::result_kind_name(p.kind)));
  }
  if (io::is_overlap(p.kind)) {
    return require(with && !rays && !from && !to && !points,
                   "shapes that ask with --with, and nothing else");
  }
  if (p.kind == io::ResultKind::distance) {
    return require(points && !rays && !from && !to && !with,
                   "points with --points, and nothing else");
  }
  if (p.kind == io::ResultKind::clearance) {
    return require(points && to && !rays && !from && !with,
                   "ends with --points and --to, and nothing else");
  }
  if (is_visibility(p)) {
    return require(from && !rays && !points && !with,
                   "viewpoints with --from, targets of its own with --to, and nothing else but "
                   "fields of view");
  }
  require(rays && !from && !to && !points && !with,
          "rays with --rays, or --origins and --directions");
}

struct Elements {
  std::uint64_t count;
  const char* unit;
};
/// What of the result is recomputed, one by one.
Elements elements_of(const io::ResultParameters& p) {
  if (io::is_overlap(p.kind)) return {p.asking, "shapes"};
  if (p.kind == io::ResultKind::sweep) return {p.moving, "shapes"};
  if (p.kind == io::ResultKind::distance) return {p.points, "points"};
  if (p.kind == io::ResultKind::clearance) return {p.points, "segments"};
  if (is_visibility(p)) return {p.viewpoints * p.targets, "pairs"};
  return {p.rays, "rays"};
}

void require_fields(const io::ResultReader& result, const LoadedFields& fields) {
  const std::string& expected = result.parameters().fields_hash;
  const auto words = [](const std::string& hash) {
    return hash.empty() ? "none" : "those of hash " + hash;
  };
  if (expected == fields.hash) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: was computed with other fields of view: {}, not {}", result.name(),
                          words(expected), words(fields.hash)));
}

void verify_visibility(const Verification& v, Differences& differences) {
  const VerifyArguments& a = v.arguments;
  const io::ResultParameters& p = v.result.parameters();
  const io::Points from = load_points(v.job, a.from, "/from");
  require_same(v.result, "points", a.from, p.from_hash, io::points_hash(from));
  require_count(v.result, "viewpoints", p.viewpoints, a.from, from.count());
  FieldArguments named = a.fields;
  named.directions = a.input.directions;
  const LoadedFields fields = load_fields(v.job, named, from, a.from, p.field_shape);
  require_fields(v.result, fields);
  if (a.to.empty()) {
    if (p.to_hash != p.from_hash) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: has targets of its own (hash {}), not the viewpoints {} (hash "
                              "{}); name them with --to",
                              a.result, p.to_hash, a.from, p.from_hash));
    }
    require_count(v.result, "targets", p.targets, a.from, from.count());
    verify_pairs(v, from, fields.view(), from, differences);
    return;
  }
  const io::Points to = load_points(v.job, a.to, "/to");
  require_same(v.result, "points", a.to, p.to_hash, io::points_hash(to));
  require_count(v.result, "targets", p.targets, a.to, to.count());
  verify_pairs(v, from, fields.view(), to, differences);
}

void verify_overlap(const Verification& v, Differences& differences) {
  const VerifyArguments& a = v.arguments;
  const io::ResultParameters& p = v.result.parameters();
  const LoadedScene with = load_scene(v.job, a.with, "/asking");
  require_same(v.result, "shapes", a.with, p.asking_hash, with.hash);
  require_count(v.result, "shapes", p.asking, a.with, with.scene.size());
  verify_overlaps(v, with.scene, differences);
}

void verify_distance(const Verification& v, Differences& differences) {
  const VerifyArguments& a = v.arguments;
  const io::ResultParameters& p = v.result.parameters();
  const io::Points points = load_points(v.job, a.points, "/points");
  require_same(v.result, "points", a.points, p.points_hash, io::points_hash(points));
  require_count(v.result, "points", p.points, a.points, points.count());
  if (a.to.empty()) return verify_near(v, points, nullptr, differences);
  const io::Points to = load_points(v.job, a.to, "/to");
  require_same(v.result, "points", a.to, p.to_hash, io::points_hash(to));
  require_count(v.result, "segments", p.points, a.to, to.count());
  verify_near(v, points, &to, differences);
}

void verify_sweep(const Verification& v, Differences& differences) {
  const VerifyArguments& a = v.arguments;
  const io::ResultParameters& p = v.result.parameters();
  const Movers movers(v.job, a.capsules, a.input.directions);
  require_same(v.result, "shapes", a.capsules, p.moving_hash, movers.shapes_hash());
  require_same(v.result, "directions", a.input.directions, p.directions_hash,
               movers.directions_hash());
  require_count(v.result, "shapes", p.moving, a.capsules, movers.count());
  verify_sweeps(v, movers, differences);
}

void verify_cast(const Verification& v, Differences& differences) {
  io::RaysSource rays = open_rays(v.arguments.input, v.result.parameters().defaults);
  if (!v.arguments.radii.empty()) rays.add_radii(v.arguments.radii);
  require_same(v.result, "rays", rays.name(), v.result.parameters().rays_hash, rays.hash());
  require_count(v.result, "rays", v.result.parameters().rays, rays.name(), rays.count());
  const io::ResultKind kind = v.result.parameters().kind;
  const bool rows = kind == io::ResultKind::hit_counts || kind == io::ResultKind::all_hits;
  if (rows) refuse_radii(rays);
  (rows ? verify_rows : verify_rays)(v, rays, differences);
}

int verify_flat_result(Job& job, const VerifyArguments& a, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  LoadedFlatScene set = load_flat_scene(job, a.scene);
  require_same(result, "a set", a.scene, p.scene_hash, set.hash);
  const bool circles = io::is_overlap(p.kind);
  const std::uint64_t total = circles ? p.asking : p.rays;
  const char* unit = circles ? "circles" : "segments";
  if (job.common().dry_run) return tell_dry_run(job, sample_of(a, total), unit);
  Differences differences;
  job.timed("verify", [&] { verify_flat(job, a, result, std::move(set), differences); });
  return tell_outcome(job, differences, total, a.result, unit);
}

}  // namespace

void require_answers_version(const std::string& file, std::uint32_t version) {
  if (version == answers_version) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: holds answers of version {}, this program gives version {}", file,
                          version, answers_version));
}

int tell_dry_run(Job& job, const Sample& sample, const char* unit) {
  job.set("/verify/would_check", sample.count);
  job.set("/verify/of", sample.total);
  job.say(fmt::format("would recompute {} of {} {}", grouped(sample.count), grouped(sample.total),
                      unit));
  return 0;
}

int tell_outcome(Job& job, const Differences& d, std::uint64_t total, const std::string& file,
                 const char* unit) {
  job.set("/verify/checked", d.checked);
  job.set("/verify/of", total);
  job.set("/verify/different", d.different);
  job.set("/verify/same", d.different == 0);
  job.say(fmt::format("verify  {}: {} of {} {} recomputed by the reference, {} differ", file,
                      grouped(d.checked), grouped(total), unit, grouped(d.different)));
  if (d.different == 0) return 0;
  job.set("/verify/first/index", d.first);
  job.set("/verify/first/words", d.first_words);
  job.warn(fmt::format("{}: the first difference: {}", file, d.first_words));
  return 1;
}

void Differences::add_checked(std::uint64_t n) {
  const std::lock_guard lock(mutex_);
  checked += n;
}

void Differences::add(std::uint64_t index, const std::string& words) {
  const std::lock_guard lock(mutex_);
  ++different;
  if (index >= first) return;
  first = index;
  first_words = words;
}

void require_same(const std::string& result, const char* what, const std::string& file,
                  const std::string& expected, const std::string& found) {
  if (expected == found) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: was computed from {} of hash {}, but {} has hash {}", result, what,
                          expected, file, found));
}

/// The elements of a shorter one may all be right, and still not be the answer.
void require_count(const std::string& result, const char* what, std::uint64_t claimed,
                   const std::string& file, std::uint64_t found) {
  if (claimed == found) return;
  throw Error(ErrorKind::bad_input, fmt::format("{}: holds answers to {} {}, but {} has {}", result,
                                                claimed, what, file, found));
}

Sample sample_of(const VerifyArguments& a, std::uint64_t total) {
  return {total, a.full ? total : std::min(a.sample, total), a.seed};
}

namespace {

int verify_bake_file(Job& job, const VerifyArguments& a) {
  const io::BakeReader result(a.result);
  const io::BakeParameters& p = result.parameters();
  job.set("/result/file", a.result);
  job.set("/result/kind", std::string(io::bake_kind_name(p.kind)));
  require_answers_version(a.result, p.answers);
  require_bake_arguments(a, p);
  LoadedScene scene = load_scene(job, a.scene);
  require_same(result, "a scene", a.scene, p.scene_hash, scene.hash);
  const Caster judge = build_caster(job, std::move(scene.scene), "reference");
  const auto [total, unit] = bake_elements(p);
  if (job.common().dry_run) return tell_dry_run(job, sample_of(a, total), unit);
  Differences differences;
  const BakeVerification v{job, a, result, judge, scene.metadata};
  job.timed("verify", [&] { verify_bake(v, differences); });
  return tell_outcome(job, differences, total, a.result, unit);
}

}  // namespace

int run_verify(Job& job, const VerifyArguments& a) {
  refuse_same_files(job,
                    {a.result, a.scene, a.input.rays, a.input.origins, a.input.directions, a.from,
                     a.to, a.points, a.with, a.capsules, a.radii, a.fields.half_angle,
                     a.fields.range, a.circles, a.segments, a.areas},
                    {});
  if (io::is_bake(a.result)) return verify_bake_file(job, a);
  if (io::is_nav(a.result)) return verify_nav_file(job, a);
  if (!a.areas.empty()) throw Error(ErrorKind::usage, "--areas is for bakes of areas");
  const io::ResultReader result(a.result);
  const io::ResultParameters& p = result.parameters();
  job.set("/result/file", a.result);
  job.set("/result/kind", std::string(io::result_kind_name(p.kind)));
  require_answers_version(a.result, p.answers);
  require_arguments(a, p);
  if (p.flat) return verify_flat_result(job, a, result);
  LoadedScene scene = load_scene(job, a.scene);
  require_same(result, "a scene", a.scene, p.scene_hash, scene.hash);
  const auto [total, unit] = elements_of(p);
  const Caster judge = build_caster(job, std::move(scene.scene), "reference");
  if (job.common().dry_run) return tell_dry_run(job, sample_of(a, total), unit);
  Differences differences;
  const Verification v{job, a, result, judge};
  job.timed("verify", [&] {
    if (io::is_overlap(p.kind)) {
      verify_overlap(v, differences);
    } else if (io::is_near(p.kind)) {
      verify_distance(v, differences);
    } else if (p.kind == io::ResultKind::sweep) {
      verify_sweep(v, differences);
    } else if (is_visibility(p)) {
      verify_visibility(v, differences);
    } else {
      verify_cast(v, differences);
    }
  });
  return tell_outcome(job, differences, total, a.result, unit);
}

}  // namespace sightline::cli
