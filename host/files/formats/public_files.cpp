// <sightline/files.hpp>: what the program reads and writes, for whoever links the library.
#include "host/files/core/file_format.hpp"
#include "host/files/core/text_fields.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/files.hpp>

#include <nlohmann/json.hpp>

#include <new>
#include <stdexcept>

namespace sightline::files {
namespace {

/// Refuses what could not be read back. What the file states by itself may be as it was read.
void check_metadata(const std::string& name, Metadata metadata) {
  for (const auto& [key, own] :
       {std::pair(io::kind_key, "scene"), std::pair(io::format_key, io::format_version)}) {
    const auto at = metadata.find(key);
    if (at == metadata.end() || at->second == own) continue;
    io::fail(ErrorKind::usage, "{}: metadata '{}' is {}, where every scene states '{}'", name, key,
             io::in_quotes(at->second), own);
  }
  for (const auto& [key, value] : metadata) {
    try {
      static_cast<void>(nlohmann::json{key, value}.dump());
    } catch (const nlohmann::json::exception&) {
      io::fail(ErrorKind::usage, "{}: metadata {} is not UTF-8", name, io::in_quotes(key));
    }
  }
  io::check_units(name, metadata, ErrorKind::usage);
}

/// For where there is not even memory for a message: made before main(), and copied without any.
const Error no_memory_left{ErrorKind::out_of_memory, "there is no memory left"};

/// What `call` returns; a lack of memory becomes an Error that names the file.
template <class Call>
decltype(auto) with_memory_for(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  try {
    io::fail(ErrorKind::out_of_memory, "{}: out of memory", name);
  } catch (const std::bad_alloc&) {
    throw no_memory_left;
  }
}

}  // namespace

Scene read_scene(const std::string& name, Metadata* metadata, std::vector<std::string>* notes) {
  return with_memory_for(name, [&] { return io::read_scene(name, metadata, notes); });
}
void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  return with_memory_for(name, [&] {
    io::refuse_other_ending(name);
    check_metadata(name, metadata);
    io::write_scene(name, scene, metadata);
  });
}
std::string scene_hash(const Scene& scene) {
  return with_memory_for("the scene", [&] { return io::scene_hash(scene); });
}

std::vector<Vec3> read_points(const std::string& name) {
  return with_memory_for(name, [&] { return io::read_points(name).position; });
}
void write_points(const std::string& name, std::span<const Vec3> points) {
  return with_memory_for(name, [&] {
    io::refuse_other_ending(name, ".npy");
    io::Points all;
    all.position.assign(points.begin(), points.end());
    io::write_points(name, all);
  });
}

std::vector<Ray> read_rays(const std::string& name) {
  return with_memory_for(name, [&] {
    const io::RaysSource file(name);
    if (file.columns().radius) {
      io::refuse(name, "its rays have radii: read_rays() is for thin ones");
    }
    io::RayBuffer buffer;
    const RaysView view = file.read(0, file.count(), buffer);
    std::vector<Ray> all(view.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = view[i];
    return all;
  });
}
void write_rays(const std::string& name, std::span<const Ray> rays) {
  return with_memory_for(name, [&] {
    io::refuse_other_ending(name);
    io::RaysWriter file(
        name, rays.size(),
        {.t_min = true, .t_max = true, .mask = true, .exclude = true, .exclude_group = true});
    file.write(0, RaysView::rows(rays));
    file.commit();
  });
}

}  // namespace sightline::files
