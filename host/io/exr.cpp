#include "host/io/exr.hpp"

#include "host/io/file.hpp"

#include <sightline/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace sightline::io {
namespace {

/// Bytes in the order of the machine, which is the file's.
class ByteList {
 public:
  template <class T>
  void add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_text(const std::string& text) { bytes_ += text + '\0'; }
  template <class T>
  void add_attribute(const std::string& name, const std::string& type, const T& value) {
    add_text(name);
    add_text(type);
    if constexpr (std::is_same_v<T, ByteList>) {
      add(static_cast<std::int32_t>(value.size()));
      bytes_ += value.bytes_;
    } else {
      add(static_cast<std::int32_t>(sizeof value));
      add(value);
    }
  }
  std::size_t size() const { return bytes_.size(); }
  const char* data() const { return bytes_.data(); }

 private:
  std::string bytes_;
};

const void* row_of(const ExrChannel& channel, std::size_t first) {
  return std::visit([first](const auto& v) -> const void* { return v.data() + first; },
                    channel.values);
}

ByteList channel_list(const std::vector<ExrChannel>& channels) {
  ByteList list;
  for (const ExrChannel& channel : channels) {
    list.add_text(channel.name);
    const bool is_float = std::holds_alternative<std::vector<float>>(channel.values);
    list.add(std::int32_t{is_float ? 2 : 0});  // float, or uint
    list.add(std::int32_t{0});                 // not linear by perception, and three unused
    list.add(std::int32_t{1});                 // every pixel in x
    list.add(std::int32_t{1});                 // and in y
  }
  list.add(char{0});
  return list;
}

ByteList header(std::int32_t width, std::int32_t height, const std::vector<ExrChannel>& channels) {
  const std::array<std::int32_t, 4> window = {0, 0, width - 1, height - 1};
  ByteList head;
  head.add(std::uint32_t{20000630});  // the magic number
  head.add(std::uint32_t{2});         // version 2: scan lines, one part
  head.add_attribute("channels", "chlist", channel_list(channels));
  head.add_attribute("compression", "compression", char{0});
  head.add_attribute("dataWindow", "box2i", window);
  head.add_attribute("displayWindow", "box2i", window);
  head.add_attribute("lineOrder", "lineOrder", char{0});
  head.add_attribute("pixelAspectRatio", "float", 1.0f);
  head.add_attribute("screenWindowCenter", "v2f", std::array<float, 2>{0, 0});
  head.add_attribute("screenWindowWidth", "float", 1.0f);
  head.add(char{0});
  return head;
}

}  // namespace

void write_exr(const std::string& name, std::uint64_t width, std::uint64_t height,
               std::vector<ExrChannel> channels) {
  std::sort(channels.begin(), channels.end(),
            [](const ExrChannel& a, const ExrChannel& b) { return a.name < b.name; });
  for (const ExrChannel& channel : channels) {
    const std::size_t size =
        std::visit([](const auto& values) { return values.size(); }, channel.values);
    if (size != width * height || channel.name.size() > 31 || width * height == 0 ||
        width > 1u << 20 || height > 1u << 20) {
      throw Error(ErrorKind::internal, name + ": a channel does not fit the picture");
    }
  }
  const ByteList head =
      header(static_cast<std::int32_t>(width), static_cast<std::int32_t>(height), channels);
  const std::uint64_t row_bytes = 4 * width * channels.size(), line_bytes = 8 + row_bytes;
  const std::uint64_t first_line = head.size() + 8 * height;
  PartialFile file(name, first_line + line_bytes * height);
  file.write(0, head.data(), head.size());
  std::vector<std::uint64_t> offsets(height);
  for (std::uint64_t y = 0; y < height; ++y) offsets[y] = first_line + line_bytes * y;
  file.write(head.size(), offsets.data(), 8 * height);
  std::vector<char> line(line_bytes);
  for (std::uint64_t y = 0; y < height; ++y) {
    const std::int32_t start[2] = {static_cast<std::int32_t>(y),
                                   static_cast<std::int32_t>(row_bytes)};
    std::memcpy(line.data(), start, 8);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      std::memcpy(line.data() + 8 + 4 * width * c, row_of(channels[c], y * width), 4 * width);
    }
    file.write(offsets[y], line.data(), line_bytes);
  }
  file.commit();
}

}  // namespace sightline::io
