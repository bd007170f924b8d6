#include "host/files/formats/file_kind.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/ray_table.hpp"
#include "host/files/formats/scene_file.hpp"

namespace sightline::io {
namespace {

std::string kind_of_container(const std::string& name) {
  const ContainerReader file(name);
  std::string kind = file.metadata(kind_key);
  if (!kind.empty()) return kind;
  if (file.find("origin") != nullptr) return "rays";
  if (file.find("point.position") != nullptr) return "points";
  if (file.find("area.height") != nullptr) return "areas";
  for (const char* tensor : {"circle.center", "sector.center", "polygon.corner", "obb.turn"}) {
    if (file.find(tensor) != nullptr) return "flat scene";
  }
  return "scene";
}

std::string kind_of_text(const std::string& name, FileFormat format) {
  const bool json = format == FileFormat::json;
  if (json && is_areas_json(name)) return "areas";
  if (!json && is_scene_csv(name)) return "scene";
  if (is_ray_table(name, format)) return "rays";
  if (!json || is_points_json(name)) return "points";
  return is_flat_json(name) ? "flat scene" : "scene";
}

}  // namespace

std::string kind_of_file(const std::string& name) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) return "array";
  if (format == FileFormat::json || format == FileFormat::csv) return kind_of_text(name, format);
  return kind_of_container(name);
}

}  // namespace sightline::io
