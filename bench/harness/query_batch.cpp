#include "bench/harness/query_batch.hpp"

#include "host/gen/random.hpp"

#include <cmath>

namespace sightline::bench {
namespace {

constexpr std::uint64_t stream_query = 1024;  // apart from those of scenes and rays

}  // namespace

QueryBatch make_queries(const std::string& name, const gen::RayRegion& region, std::uint64_t shapes,
                        std::uint64_t count, std::uint64_t seed) {
  double volume = 1;
  for (std::size_t k = 0; k < 3; ++k) volume *= region.high[k] - region.low[k];
  const double cell = std::cbrt(volume / static_cast<double>(shapes));
  QueryBatch batch;
  batch.name = name;
  for (std::uint64_t i = 0; i < count; ++i) {
    gen::Draws draws(seed, stream_query, name == "rakes" ? i / 8 : i);
    const auto place = [&](std::size_t k) { return draws.uniform(region.low[k], region.high[k]); };
    const auto size = [&] { return draws.uniform(0.25, 0.75) * cell; };
    const gen::Vec3d center = {place(0), place(1), place(2)}, half = {size(), size(), size()};
    if (name == "points") {
      batch.points.push_back(gen::to_float(center));
    } else if (name == "spheres") {
      batch.shapes.add_sphere({gen::to_float(center), static_cast<float>(half.x)});
    } else if (name == "rakes") {
      const double along = static_cast<double>(i % 8) / 7 - 0.5;
      batch.shapes.add_sphere({gen::to_float(center + draws.direction() * (along * cell)),
                               static_cast<float>(half.x / 2)});
    } else if (name == "motions") {
      batch.points.push_back(gen::to_float(center));
      batch.moves.push_back(gen::to_float(draws.direction() * (draws.uniform(1, 8) * cell)));
      batch.radii.push_back(static_cast<float>(half.x / 2));
    } else if (name == "capsules") {
      const gen::Vec3d way = draws.direction() * half.x;
      batch.shapes.add_capsule({gen::to_float(center - way), gen::to_float(center + way),
                                static_cast<float>(half.x / 2)});
    } else if (name == "aabbs") {
      batch.shapes.add_aabb({gen::to_float(center - half), gen::to_float(center + half)});
    } else if (name == "obbs") {
      batch.shapes.add_obb({gen::to_float(center), gen::to_float(half), draws.rotation()});
    } else {
      throw Error(ErrorKind::usage,
                  "no queries are called " + name +
                      ": there are spheres, rakes, capsules, aabbs, obbs, points, motions");
    }
  }
  return batch;
}

}  // namespace sightline::bench
