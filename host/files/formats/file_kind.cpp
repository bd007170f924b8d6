#include "host/files/formats/file_kind.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/flat_file.hpp"

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

std::string kind_of_csv(const std::string& name) {
  const CsvReader csv(name, read_text(name),
                      "CSV has a header: kind,x,y,z and more of shapes, x,y,z of points");
  if (csv.has("kind")) return "scene";
  return csv.has("origin") && csv.has("direction") ? "rays" : "points";
}

std::string kind_of_json(const std::string& name) {
  const std::string text = read_json_text(name);
  const auto has = [&](std::string_view key) { return has_json_key(text, key); };
  if (has("areas")) return "areas";
  if (has("origin") && has("direction")) return "rays";
  const std::string_view all = without_mark(text);
  const std::size_t first = all.find_first_not_of(" \t\r\n");
  if (first != all.npos && (all[first] == '[' || has("points"))) return "points";
  return is_flat_json(name, text) ? "flat scene" : "scene";
}

}  // namespace

std::string kind_of_file(const std::string& name) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) return "array";
  if (format == FileFormat::json) return kind_of_json(name);
  if (format == FileFormat::csv) return kind_of_csv(name);
  return kind_of_container(name);
}

}  // namespace sightline::io
