// The header of a container: JSON text to checked tensor places, and back.
#pragma once

#include "host/files/core/tensor.hpp"

namespace sightline::io {

/// Where a tensor lies: bytes [begin, end) after the header.
struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::u8;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool rounded = false;  ///< of F64 in the file, which are read as F32

  std::uint64_t elements() const {
    return (end - begin) / dtype_bytes(rounded ? Dtype::f64 : dtype);
  }
};

struct ContainerHeader {
  std::vector<TensorInfo> tensors;  ///< in the order of their names, bytewise
  Metadata metadata;
};

/// Headers are at most this long, in bytes.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

/// Reads a header whose tensors must fill `data_bytes` bytes without gap or overlap.
/// `file` names the file in errors. Throws Error{bad_input}.
ContainerHeader parse_header(const std::string& file, std::string_view json,
                             std::uint64_t data_bytes);

/// Gives every tensor its place: large elements first, then by name, so that all are aligned.
/// Throws Error{internal} for a name given twice or a size beyond 64 bits.
void place_tensors(std::vector<TensorInfo>& tensors);

/// The header's text, padded with spaces to a multiple of 8; the same bytes for the same content.
std::string format_header(const ContainerHeader& header);

}  // namespace sightline::io
