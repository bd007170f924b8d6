#include "host/program/engine/movers.hpp"

#include "host/files/core/hash.hpp"
#include "host/files/formats/scene_tensors.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

void refuse_others(const std::string& file, const Scene& shapes) {
  for (const Kind kind : {Kind::aabb, Kind::obb, Kind::plane}) {
    if (shapes.count(kind) == 0) continue;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: shape {} is of kind {}: only spheres and capsules can move", file,
                            shapes.id(kind, 0), io::kind_name(kind)));
  }
}

}  // namespace

Movers::Movers(Job& job, const std::string& shapes, const std::string& directions)
    : shapes_(load_scene(job, shapes, "/moving")), directions_(directions) {
  refuse_others(shapes, shapes_.scene);
  directions_.expect(io::Dtype::f32, {io::any_size, 3});
  const std::uint64_t n = directions_.shape()[0];
  if (n != count()) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: has {} directions for the {} shapes of {}",
                                                  directions, n, count(), shapes));
  }
  const auto read = [this](std::uint64_t first, std::uint64_t elements, void* to) {
    directions_.read(first, elements, to);
  };
  directions_hash_ = job.timed("hash_directions", [&] {
    return io::content_hash({{"direction", io::Dtype::f32, {n, 3}, read}});
  });
  job.set("/directions/file", directions);
  job.set("/directions/hash", directions_hash_);
}

std::span<const Vec3> Movers::directions(std::uint64_t first, std::uint64_t n,
                                         std::vector<Vec3>& memory) const {
  memory.resize(n);
  directions_.read(3 * first, 3 * n, memory.data());
  return memory;
}

}  // namespace sightline::cli
