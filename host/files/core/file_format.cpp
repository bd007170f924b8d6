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

enum class Foreign : std::uint8_t {
  none,
  mesh,
  usd,
  urdf,
  mujoco,
  xml,
  octomap,
  model,
  pdb,
  mmcif,
  voxel_map
};

/// A file of other programs, by how it begins.
Foreign foreign_bytes(std::string_view bytes) {
  bytes = without_mark(bytes);
  if (bytes.starts_with("#usda") || bytes.starts_with("PXR-USDC")) return Foreign::usd;
  if (bytes.starts_with("glTF") || bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) {
    return Foreign::mesh;
  }
  if (bytes.starts_with("Kaydara FBX") || bytes.starts_with("BLENDER")) return Foreign::model;
  if (bytes.starts_with("# Octomap")) return Foreign::octomap;
  if (!bytes.starts_with('<')) return Foreign::none;
  return bytes.find("<mujoco") != bytes.npos  ? Foreign::mujoco
         : bytes.find("<robot") != bytes.npos ? Foreign::urdf
                                              : Foreign::xml;
}

/// The same by its name, where the bytes say nothing.
Foreign foreign_name(std::string_view name) {
  constexpr std::pair<std::string_view, Foreign> endings[] = {
      {".obj", Foreign::mesh},    {".stl", Foreign::mesh},       {".ply", Foreign::mesh},
      {".off", Foreign::mesh},    {".dae", Foreign::mesh},       {".gltf", Foreign::mesh},
      {".glb", Foreign::mesh},    {".usd", Foreign::usd},        {".usda", Foreign::usd},
      {".usdc", Foreign::usd},    {".usdz", Foreign::usd},       {".urdf", Foreign::urdf},
      {".mjcf", Foreign::mujoco}, {".mjb", Foreign::mujoco},     {".bt", Foreign::octomap},
      {".ot", Foreign::octomap},  {".fbx", Foreign::model},      {".blend", Foreign::model},
      {".pdb", Foreign::pdb},     {".ent", Foreign::pdb},        {".cif", Foreign::mmcif},
      {".mmcif", Foreign::mmcif}, {".3dmap", Foreign::voxel_map}};
  // Packed by gzip or not.
  if (has_ending(name, ".gz")) name.remove_suffix(3);
  for (const auto& [ending, what] : endings) {
    if (has_ending(name, ending)) return what;
  }
  return Foreign::none;
}

Foreign foreign_of(std::string_view name, std::string_view bytes) {
  const Foreign found = foreign_bytes(bytes);
  if (found != Foreign::none && found != Foreign::xml) return found;
  const Foreign named = foreign_name(name);
  return named == Foreign::none ? found : named;
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
  if (is_text && foreign_of(name, bytes) != Foreign::none) return FileFormat::other;
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
  const auto by_python = [&](std::string_view reader) {
    return fmt::format("is read by the Python package: sightline.{}(\"{}\").scene.save(\"{}\")",
                       reader, name, output);
  };
  switch (foreign_of(name, file.start(telling_bytes))) {
    case Foreign::mesh:
      return "is a mesh, and meshes are not read; in Python, sightline.from_trimesh(trimesh.load("
             "FILE), approximate=True) takes the box around each";
    case Foreign::usd:
      return "is OpenUSD: in Python, sightline.from_usd(FILE) makes a scene of its shapes";
    case Foreign::urdf:
      return "is URDF: in Python, sightline.from_urdf(FILE) makes a scene of its collision shapes";
    case Foreign::mujoco:
      return "is a model of MuJoCo: in Python, sightline.from_mujoco(model, data) makes a scene of "
             "its geoms";
    case Foreign::xml:
      return "is XML of no kind that is read here";
    case Foreign::octomap:
      return "is an OctoMap, which nothing here reads yet";
    case Foreign::model:
      return "is a model of a 3D editor, which nothing here reads yet; export its boxes, spheres "
             "and "
             "capsules as JSON or CSV";
    case Foreign::pdb:
      return by_python("from_pdb");
    case Foreign::mmcif:
      return by_python("from_mmcif");
    case Foreign::voxel_map:
      return by_python("from_3dmap");
    case Foreign::none:
      break;
  }
  return "";
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
