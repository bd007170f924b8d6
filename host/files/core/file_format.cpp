#include "host/files/core/file_format.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace sightline::io {
namespace {

constexpr std::uint64_t telling_bytes = 4096;

bool is_container(std::string_view bytes, std::uint64_t size) {
  std::uint64_t length = 0;
  if (bytes.size() <= sizeof length) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  return bytes[sizeof length] == '{' && length <= max_header_bytes &&
         length <= size - sizeof length;
}

/// Text whose first line, but for comments, has separators.
bool is_csv(std::string_view bytes) {
  std::string_view line;
  do {
    const std::size_t end = bytes.find_first_of("\r\n");
    line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  } while (!bytes.empty() && (trimmed(line).empty() || line.starts_with('#')));
  const bool text = std::ranges::all_of(
      line, [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\t'; });
  return text && !line.starts_with('#') && line.find_first_of(",;\t") != std::string_view::npos;
}

/// Files of other programs: who reads them, a sentence or a function of the Python package; their
/// endings, between blanks; and how they begin, or the tag that tells them from other XML.
struct Foreign {
  std::string_view who, endings, begins[3] = {}, tag = {};
};
constexpr Foreign foreign_files[] = {
    {"is OpenUSD: in Python, sightline.from_usd(FILE) makes a scene of its shapes",
     " .usd .usda .usdc .usdz ",
     {"#usda", "PXR-USDC"}},
    {"is a mesh, and meshes are not read; in Python, sightline.from_trimesh(trimesh.load(FILE), "
     "approximate=True) takes the box around each",
     " .obj .stl .ply .off .dae .gltf .glb ",
     {"glTF", "ply\n", "ply\r"}},
    {"is a model of a 3D editor, which nothing here reads yet; export its boxes, spheres, "
     "capsules and cylinders as JSON or CSV",
     " .fbx .blend ",
     {"Kaydara FBX", "BLENDER"}},
    {"is an OctoMap, which nothing here reads yet", " .bt .ot ", {"# Octomap"}},
    {"is a model of MuJoCo: in Python, sightline.from_mujoco(model, data) makes a scene of its "
     "geoms",
     " .mjcf .mjb ",
     {},
     "<mujoco"},
    {"is URDF: in Python, sightline.from_urdf(FILE) makes a scene of its collision shapes",
     " .urdf ",
     {},
     "<robot"},
    {"from_pdb", " .pdb .ent "},
    {"from_mmcif", " .cif .mmcif "},
    {"from_3dmap", " .3dmap "}};
constexpr Foreign other_xml = {"is XML of no kind that is read here", ""};

/// By how it begins, or else by its name, packed by gzip or not; null where it is none of these.
const Foreign* foreign_of(std::string_view name, std::string_view bytes) {
  bytes = without_mark(bytes);
  const bool is_xml = bytes.starts_with('<');
  for (const Foreign& one : foreign_files) {
    for (const std::string_view begin : one.begins) {
      if (!begin.empty() && bytes.starts_with(begin)) return &one;
    }
    if (is_xml && !one.tag.empty() && bytes.find(one.tag) != bytes.npos) return &one;
  }
  if (has_ending(name, ".gz")) name.remove_suffix(3);
  std::string ending = fmt::format(" {} ", name.substr(std::min(name.rfind('.'), name.size())));
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Foreign& one : foreign_files) {
    if (ending.size() > 2 && one.endings.find(ending) != one.endings.npos) return &one;
  }
  return is_xml ? &other_xml : nullptr;
}

/// What a file is that is not read as one of ours; null where nothing is known.
const char* other_format(std::string_view bytes) {
  constexpr std::pair<std::string_view, const char*> others[] = {{"PK\3\4", "a zip archive (.npz)"},
                                                                 {"\x89PNG", "a picture"},
                                                                 {"glTF", "glTF"},
                                                                 {"IWAD", "a WAD file"},
                                                                 {"PWAD", "a WAD file"},
                                                                 {"[gd_", "a Godot scene"}};
  for (const auto& [begin, words] : others) {
    if (bytes.starts_with(begin)) return words;
  }
  return nullptr;
}

FileFormat format_of_bytes(std::string_view bytes, std::uint64_t size) {
  if (bytes.starts_with(npy_magic)) return FileFormat::npy;
  if (is_container(bytes, size)) return FileFormat::container;
  if (other_format(bytes) != nullptr) return FileFormat::other;
  bytes = without_mark(bytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return FileFormat::other;
  if (bytes[first] == '{' || bytes[first] == '[') return FileFormat::json;
  return is_csv(bytes) ? FileFormat::csv : FileFormat::other;
}

}  // namespace

FileFormat format_of(const std::string& name) {
  const File file(name);
  const std::string bytes = file.start(telling_bytes);
  const FileFormat found = format_of_bytes(bytes, file.size());
  const bool is_text = found != FileFormat::npy && found != FileFormat::container;
  if (is_text && foreign_of(name, bytes) != nullptr) return FileFormat::other;
  if (found != FileFormat::other || other_format(bytes) != nullptr) return found;
  return has_ending(name, ".json")  ? FileFormat::json
         : has_ending(name, ".csv") ? FileFormat::csv
                                    : FileFormat::other;
}

bool has_ending(std::string_view name, std::string_view ending) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending, same);
}

std::string looks_like(const std::string& name) {
  const File file(name);
  const std::string bytes = file.start(telling_bytes);
  if (const char* const other = other_format(bytes)) return other;
  constexpr const char* words[] = {"a container", "an .npy array", "JSON", "CSV", ""};
  return words[static_cast<int>(format_of_bytes(bytes, file.size()))];
}

std::string who_reads(const std::string& name, const std::string& output) {
  const File file(name);
  const Foreign* const found = foreign_of(name, file.start(telling_bytes));
  if (found == nullptr) return "";
  if (!found->who.starts_with("from_")) return std::string(found->who);
  return fmt::format("is read by the Python package: sightline.{}(\"{}\").scene.save(\"{}\")",
                     found->who, name, output);
}

void refuse_other_ending(const std::string& output, const std::string& also) {
  for (const char* ending : {".npy", ".npz", ".csv", ".json", ".txt", ".png", ".jpg", ".jpeg",
                             ".exr", ".ply", ".obj", ".html"}) {
    if (!has_ending(output, ending) || ending == also) continue;
    fail(ErrorKind::usage,
         "{}: a container would be written, not {}: end the name otherwise, as in .safetensors; "
         "sightline export makes .csv, .json and .npy",
         output, ending);
  }
}

}  // namespace sightline::io
