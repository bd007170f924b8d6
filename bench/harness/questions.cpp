#include "bench/harness/questions.hpp"

#include <sightline/error.hpp>

#include <cmath>
#include <utility>

namespace sightline::bench {
namespace {

constexpr double ray_bytes = 2 * sizeof(Vec3), hit_bytes = 2 * sizeof(float) + 1;
constexpr float thick_radius = 0.1f;

Answers bits(std::uint64_t n) {
  Answers a;
  a.bits.resize(bit_words(n));
  return a;
}
Answers hits(std::uint64_t n) {
  Answers a = {.t = std::vector<float>(n), .id = std::vector<std::uint32_t>(n)};
  a.flags.resize(n);
  return a;
}
Answers distances(std::uint64_t n) {
  return {.t = std::vector<float>(n), .id = std::vector<std::uint32_t>(n)};
}
Answers counts(std::uint64_t n) { return {.counts = std::vector<std::uint32_t>(n)}; }
Answers rows(std::uint64_t n) { return {.offsets = std::vector<std::uint64_t>(n + 1)}; }

std::span<std::uint64_t> first_bits(Answers& a, std::uint64_t n) {
  return std::span(a.bits).first(bit_words(n));
}
IdRange first_ids(std::uint64_t n) { return {0, static_cast<std::uint32_t>(n)}; }

[[noreturn]] void refuse(const std::string& ask) {
  throw Error(ErrorKind::usage, "nothing is asked by " + ask +
                                    ": there are any, eights, count, all, nearest, clearance and "
                                    "blocked");
}

Question shape_question(const QueryBatch& batch, const std::string& ask) {
  const Scene& shapes = batch.shapes;
  Question q = {batch.size(), "queries"};
  if (ask == "any") {
    q.room = bits;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.overlap_any(shapes, first_bits(a, n), {.of = first_ids(n)});
    };
  } else if (ask == "count") {
    q.room = counts;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.overlap_count(shapes, std::span(a.counts).first(n), {first_ids(n)});
    };
  } else if (ask == "all") {
    q.room = rows;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      OverlapRows found = caster.overlap_all(shapes, {first_ids(n)});
      a.offsets = std::move(found.offsets), a.id = std::move(found.ids);
    };
  } else if (ask == "eights") {
    if (shapes.view().count(Kind::sphere) != batch.size()) {
      throw Error(ErrorKind::usage, "eights are asked of spheres and rakes, not of " + batch.name);
    }
    q = {batch.size() / 8, "spheres", 8, 0, bits};
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.overlap_any(shapes, first_bits(a, n), {first_ids(8 * n), 8});
    };
  } else {
    refuse(ask);
  }
  return q;
}

}  // namespace

Question ray_question(World& world, const std::string& ask, const std::string& of) {
  const RaysView& rays = world.rays(of);
  Question q = {rays.size(), "rays"};
  if (ask == "closest") {
    q.bytes = ray_bytes + hit_bytes;
    q.room = hits;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.closest_hit(rays.slice(0, n), a.hits(n));
    };
  } else if (ask == "any") {
    q.bytes = ray_bytes + 1.0 / 8;
    q.room = bits;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.any_hit(rays.slice(0, n), first_bits(a, n));
    };
  } else if (ask == "thick" || ask == "thick_0") {
    q.room = hits;
    q.ask = [&, radius = ask == "thick" ? thick_radius : 0.0f](const Caster& caster,
                                                               std::uint64_t n, Answers& a) {
      RaysView thick = rays.slice(0, n);
      thick.radius = radius;
      caster.closest_hit(thick, a.hits(n));
    };
  } else if (ask == "count_hits") {
    q.room = counts;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.count_hits(rays.slice(0, n), std::span(a.counts).first(n));
    };
  } else if (ask == "all_hits") {
    q.room = rows;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      HitRows found = caster.all_hits(rays.slice(0, n));
      a.offsets = std::move(found.offsets), a.id = std::move(found.id), a.t = std::move(found.t);
    };
  } else {
    throw Error(ErrorKind::usage, "nothing is asked of rays by " + ask);
  }
  return q;
}

Question sight_question(World& world, const std::string& ask) {
  const Points& points = world.points();
  const PointsView from = points.viewpoints(), to = points.targets();
  const std::uint64_t words = bit_words(to.size());
  Question q = {from.size(), "pairs", static_cast<double>(to.size()), 1.0 / 8};
  q.room = [words](std::uint64_t n) { return bits(64 * n * words); };
  if (ask == "visibility") {
    q.ask = [=](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.visibility(from.slice(0, n), to, std::span(a.bits).first(n * words));
    };
  } else if (ask == "self") {
    // Fewer than all are asked as a matrix, which has the same bits.
    q.ask = [=](const Caster& caster, std::uint64_t n, Answers& a) {
      if (n == from.size()) return void(caster.visibility(from, a.bits));
      caster.visibility(from.slice(0, n), from, std::span(a.bits).first(n * words));
    };
  } else if (ask == "fields") {
    q.ask = [=, &points](const Caster& caster, std::uint64_t n, Answers& a) {
      std::vector<Vec3> ahead;  // at their own targets
      for (std::uint64_t i = 0; i < n; ++i) ahead.push_back(points.to[i] - points.from[i]);
      FieldsView fields;
      fields.direction = Vec3Column::rows(ahead);
      fields.cosine = std::sqrt(0.75f), fields.sine = 0.5f;
      caster.visibility(from.slice(0, n), fields, to, std::span(a.bits).first(n * words));
    };
  } else if (ask == "pairs") {
    q = {from.size(), "pairs", 1, 0, bits};
    q.ask = [=](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.visibility_pairs(from.slice(0, n), to.slice(0, n), first_bits(a, n));
    };
  } else {
    throw Error(ErrorKind::usage, "nothing is asked of points by " + ask);
  }
  return q;
}

Question query_question(const QueryBatch& batch, const std::string& ask) {
  if (batch.points.empty()) return shape_question(batch, ask);
  Question q = {batch.size(), "queries"};
  if (ask == "nearest") {
    q.room = distances;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      caster.nearest(Points::view(batch.points).slice(0, n), {a.t, a.id});
    };
  } else if (ask == "blocked" && !batch.moves.empty()) {
    q.room = bits;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      RaysView rays;
      rays.origin = std::span(batch.points).first(n);
      rays.direction = std::span(batch.moves).first(n);
      rays.t_max = 1.0f;
      rays.radius = std::span(batch.radii).first(n);
      caster.any_hit(rays, first_bits(a, n));
    };
  } else if (ask == "clearance" && !batch.moves.empty()) {
    q.room = distances;
    q.ask = [&](const Caster& caster, std::uint64_t n, Answers& a) {
      std::vector<Vec3> ends;
      for (std::uint64_t i = 0; i < n; ++i) ends.push_back(batch.points[i] + batch.moves[i]);
      caster.clearance(Points::view(batch.points).slice(0, n), Points::view(ends), {a.t, a.id});
    };
  } else {
    refuse(ask);
  }
  return q;
}

}  // namespace sightline::bench
