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

/// Text whose first line has separators.
bool is_csv(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
  const bool text = std::ranges::all_of(
      line, [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\t'; });
  return text && (line.starts_with('#') || line.find_first_of(",;\t") != std::string_view::npos);
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
