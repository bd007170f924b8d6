// The rays that a scene is measured with.
#pragma once

#include "host/files/formats/rays_file.hpp"
#include "host/gen/rays.hpp"

#include <deque>
#include <string>
#include <vector>

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
};

/// All batches for the scene that `caster` holds. A matrix has as many viewpoints as targets, a
/// multiple of 64, so that its bits are those of its segments: the ends of los rays.
std::deque<Batch> make_batches(const BatchOptions& options, const Caster& caster,
                               const gen::RayRegion& region);

}  // namespace sightline::cli
