// The rays that a scene is measured with, how ours and a rival are asked about them, and what the
// answers need and weigh.
#pragma once

#include "host/files/formats/rays_file.hpp"
#include "host/gen/rays.hpp"
#include "host/program/bench/duel.hpp"
#include "host/program/bench/rival.hpp"

#include <sightline/caster.hpp>

#include <deque>

namespace sightline::cli {

enum class BenchQuery { closest, any, visibility };
const char* name_of(BenchQuery query);

/// Rays in memory and the queries they are for. The views are into the batch itself.
struct Batch {
  std::string name;  ///< coherent, incoherent, los, matrix, or a file's
  std::vector<BenchQuery> queries;
  RaysView rays;
  double redrawn_share = 0;
  PointsView from, to;  ///< of a matrix; rays.count = from.count * to.count, row by row

  gen::RaySet set;
  io::RayBuffer buffer;
  std::vector<Vec3> viewpoints, targets;
};

/// Every step-th ray, `n` of them.
RaysView every(RaysView rays, std::uint64_t step, std::uint64_t n);

struct BatchOptions {
  std::vector<std::string> rays;  ///< kinds, or files
  std::vector<BenchQuery> queries_of_files;
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  std::vector<Vec3> points;  ///< of a matrix against themselves; none: the ends of los rays
};

/// All batches for the scene that `caster` holds. A matrix has as many viewpoints as targets, a
/// multiple of 64, so that its bits are those of its segments.
std::deque<Batch> make_batches(const BatchOptions& options, const Caster& caster,
                               const gen::RayRegion& region);

/// Of a ray (a pair) and its answer, in bytes.
double bytes_per_ray(BenchQuery query);

/// Arrays for n answers.
Answers room_for(std::uint64_t n, BenchQuery query);

/// Ours on `rays`, or on the whole matrix of the batch; all must outlive what is returned.
CastFirst ours(const Caster& caster, const Batch& batch, BenchQuery query, const RaysView& rays);
/// A rival's way on the batch's rays; sight is what it does not find blocked.
CastFirst theirs(RivalScene& scene, std::size_t way, const Batch& batch, BenchQuery query);

/// Turns what is blocked into what is seen, and back; there are no padding bits.
void flip(std::vector<std::uint64_t>& bits);

/// The share of n rays that hit, or of pairs that are blocked.
double hit_share(const Answers& answers, BenchQuery query, std::uint64_t n);

/// How many rays the judge, brute force, was asked about, and how many of its answers are others.
struct ReferenceCheck {
  std::uint64_t rays = 0;
  std::uint64_t differing = 0;
};

/// Asks it about rays spread over the batch, as many as take it a second or so; for closest and
/// any.
ReferenceCheck check_by_reference(const Scene& scene, const Batch& batch, BenchQuery query,
                                  const Answers& answers);

}  // namespace sightline::cli
