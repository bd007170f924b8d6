// By the OpenEXR library, into memory: only whole files get their names.
#include "host/files/pictures/exr.hpp"

#include "host/files/core/file.hpp"

#include <sightline/error.hpp>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>

#include <algorithm>
#include <cstring>

namespace sightline::io {
namespace {

/// What the library writes; it goes back once, to tell where the lines are.
class ExrMemory : public Imf::OStream {
 public:
  ExrMemory(const std::string& name, std::uint64_t bytes) : OStream(name.c_str()) {
    bytes_.reserve(bytes);
  }
  void write(const char from[], int n) override {
    const auto size = static_cast<std::uint64_t>(n);
    bytes_.resize(std::max<std::uint64_t>(bytes_.size(), at_ + size));
    std::memcpy(bytes_.data() + at_, from, size);
    at_ += size;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t place) override { at_ = place; }
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
  std::uint64_t at_ = 0;
};

void encode_exr(ExrMemory& memory, int width, int height, const std::vector<ExrChannel>& channels) {
  Imf::Header header(width, height);
  // Not packed: the bytes must not depend on the packer's version.
  header.compression() = Imf::NO_COMPRESSION;
  Imf::FrameBuffer pixels;
  for (const ExrChannel& channel : channels) {
    const bool is_float = std::holds_alternative<const float*>(channel.first);
    const Imf::PixelType type = is_float ? Imf::FLOAT : Imf::UINT;
    const void* first = std::visit([](const auto* at) -> const void* { return at; }, channel.first);
    header.channels().insert(channel.name, Imf::Channel(type));
    // The library reads what it asks for as if it could be written.
    auto* base = static_cast<char*>(const_cast<void*>(first));
    pixels.insert(channel.name, Imf::Slice(type, base, channel.stride,
                                           channel.stride * static_cast<std::size_t>(width)));
  }
  Imf::OutputFile file(memory, header);
  file.setFrameBuffer(pixels);
  file.writePixels(height);
}

}  // namespace

bool can_write_exr() { return true; }

void write_exr(const std::string& name, std::uint64_t width, std::uint64_t height,
               const std::vector<ExrChannel>& channels) {
  constexpr std::uint64_t longest = 1 << 20, header_bytes = 4096, line_head_bytes = 16;
  if (width > longest || height > longest) {
    throw Error(ErrorKind::internal, name + ": the picture is too large");
  }
  ExrMemory memory(name, header_bytes + height * (line_head_bytes + 4 * width * channels.size()));
  try {
    encode_exr(memory, static_cast<int>(width), static_cast<int>(height), channels);
  } catch (const std::exception& error) {
    throw Error(ErrorKind::internal, name + ": the picture cannot be encoded: " + error.what());
  }
  PartialFile file(name, memory.bytes().size());
  file.write(0, memory.bytes().data(), memory.bytes().size());
  file.commit();
}

}  // namespace sightline::io
