// By the OpenEXR library, into memory: only whole files get their names.
#include "host/files/pictures/exr.hpp"

#include "host/files/core/file.hpp"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfOutputFile.h>
#include <ImfStdIO.h>

#include <new>

namespace sightline::io {
namespace {

void encode_exr(Imf::OStream& memory, int width, int height,
                const std::vector<ExrChannel>& channels) {
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
  constexpr std::uint64_t longest = 1 << 20;
  if (width > longest || height > longest) {
    throw Error(ErrorKind::internal, name + ": the picture is too large");
  }
  Imf::StdOSStream memory;
  try {
    encode_exr(memory, static_cast<int>(width), static_cast<int>(height), channels);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::internal, name + ": the picture cannot be encoded: " + error.what());
  }
  write_file(name, memory.str());
}

}  // namespace sightline::io
