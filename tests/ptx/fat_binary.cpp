// The fat binary: a header, then entries one after another, each code or PTX for an architecture.
#include "tests/ptx/fat_binary.hpp"

#include "tests/ptx/ptx.hpp"

#include <cstdint>
#include <cstring>

namespace sightline::ptx {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243B1, binary_magic = 0xBA55ED50;
constexpr std::uint16_t kind_of_ptx = 1;
/// Flags of an entry that is packed: in an older way, or by zstd.
constexpr std::uint64_t is_packed = 0x2000 | 0x8000;

struct Wrapper {
  std::uint32_t magic, version;
  const unsigned char* binary;
};
struct BinaryHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< of all entries
};
struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  ///< of what follows the header
  std::uint32_t packed_bytes, unused;
  std::uint32_t versions, architecture, name_at, name_bytes;
  std::uint64_t flags, whole_bytes;
};

template <class T>
T at(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::string ptx_of(const void* fat_binary_wrapper) {
  const auto wrapper = at<Wrapper>(static_cast<const unsigned char*>(fat_binary_wrapper));
  if (wrapper.magic != wrapper_magic)
    throw Error("no fat binary: its wrapper has another magic number");
  const auto header = at<BinaryHeader>(wrapper.binary);
  if (header.magic != binary_magic) throw Error("no fat binary: another magic number");
  const unsigned char* entry = wrapper.binary + header.header_bytes;
  const unsigned char* const end = entry + header.bytes;
  std::string text;
  while (entry + sizeof(EntryHeader) <= end) {
    const auto e = at<EntryHeader>(entry);
    const auto left = static_cast<std::uint64_t>(end - entry);
    if (e.header_bytes < sizeof(EntryHeader) || e.header_bytes > left ||
        e.bytes > left - e.header_bytes) {
      throw Error("a fat binary's entry does not fit into it");
    }
    if (e.kind == kind_of_ptx) {
      if ((e.flags & is_packed) != 0)
        throw Error("the PTX is compressed: compile with nvcc -no-compress");
      const auto* const body = reinterpret_cast<const char*>(entry + e.header_bytes);
      text.assign(body, strnlen(body, e.bytes));
    }
    entry += e.header_bytes + e.bytes;
  }
  if (text.empty()) throw Error("a fat binary without PTX: compile for a virtual architecture");
  return text;
}

}  // namespace sightline::ptx
