#include "host/files/core/npy.hpp"

#include <bit>

namespace sightline::io {

static_assert(std::endian::native == std::endian::little, "files are read and written as they lie");

bool is_npy(const std::string& name) { return File(name).start(npy_magic.size()) == npy_magic; }

NpyReader::NpyReader(const std::string& name)
    : file_(name),
      header_(parse_npy_header(name, file_.start(12 + longest_npy_header), file_.size())),
      rounded_(header_.dtype == Dtype::f64) {
  if (rounded_) header_.dtype = Dtype::f32;
}

void NpyReader::expect(Dtype dtype, const Shape& expected) const {
  if (header_.dtype != dtype || !matches(header_.shape, expected)) {
    refuse(name(), "is {} {}, not {} {}", dtype_name(rounded_ ? Dtype::f64 : header_.dtype),
           to_string(header_.shape), dtype_name(dtype), to_string(expected));
  }
}

void NpyReader::read(std::uint64_t first, std::uint64_t count, void* to) const {
  const std::uint64_t size = dtype_bytes(header_.dtype);
  const std::uint64_t elements = element_count(header_.shape).value();
  if (first > elements || count > elements - first) {
    throw Error(ErrorKind::internal,
                fmt::format("{}: elements {} + {} of {}", name(), first, count, elements));
  }
  if (rounded_) return read_rounded(file_, header_.data_begin, first, count, to);
  file_.read(header_.data_begin + first * size, to, count * size);
}

NpyWriter::NpyWriter(const std::string& name, Dtype dtype, const Shape& shape)
    : header_(format_npy_header(dtype, shape)),
      dtype_(dtype),
      file_(name, header_.size() + tensor_bytes(dtype, shape).value()) {
  file_.write(0, header_.data(), header_.size());
}

void NpyWriter::write(std::uint64_t first, std::uint64_t count, const void* from) {
  const std::uint64_t size = dtype_bytes(dtype_);
  file_.write(header_.size() + first * size, from, count * size);
}

void NpyWriter::read(std::uint64_t first, std::uint64_t count, void* to) const {
  const std::uint64_t size = dtype_bytes(dtype_);
  file_.read(header_.size() + first * size, to, count * size);
}

}  // namespace sightline::io
