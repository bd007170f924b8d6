// Single arrays as NumPy's .npy, versions 1 to 3, little-endian.
#pragma once

#include "host/files/core/file.hpp"
#include "host/files/core/numbers.hpp"
#include "host/files/core/tensor.hpp"

namespace sightline::io {

/// How such a file begins.
inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// In bytes; longer than any header of a plain array of up to 32 dimensions.
inline constexpr std::uint64_t longest_npy_header = 65536;

struct NpyHeader {
  Dtype dtype = Dtype::f32;
  Shape shape;
  bool fortran = false;          ///< of two dimensions: the file has column after column
  std::uint64_t data_begin = 0;  ///< in bytes from the file's start
};

/// Reads the header at the start of `bytes` (at least the whole header, or all there is) of a file
/// of `file_bytes` bytes. `file` names the file in errors. Throws Error{bad_input}.
NpyHeader parse_npy_header(const std::string& file, std::string_view bytes,
                           std::uint64_t file_bytes);
/// A version 1 header, padded so that the data begins at a multiple of 64 bytes.
std::string format_npy_header(Dtype dtype, const Shape& shape);
/// Of a whole file.
inline std::uint64_t npy_bytes(Dtype dtype, const Shape& shape) {
  return format_npy_header(dtype, shape).size() + tensor_bytes(dtype, shape).value_or(0);
}

/// An array read by slices, in C order whatever the file's order is. F64 and integers are read as
/// if they were F32, rounded, unless they are kept. Throws Error{bad_input} for a malformed file,
/// Error{io}.
class NpyReader {
 public:
  explicit NpyReader(const std::string& name, Numbers numbers = Numbers::as_floats);

  const std::string& name() const { return file_.name(); }
  /// As it is read.
  Dtype dtype() const { return rounded_ ? Dtype::f32 : header_.dtype; }
  Dtype dtype_in_file() const { return header_.dtype; }
  const Shape& shape() const { return header_.shape; }
  /// Error{bad_input} when dtype or shape is another.
  void expect(Dtype dtype, const Shape& expected) const;
  bool rounded() const { return rounded_; }
  /// Elements [first, first + count) in C order.
  void read(std::uint64_t first, std::uint64_t count, void* to) const;
  /// All elements, in steps between which poll() is asked.
  void read_whole(void* to) const;
  /// The same as read() of F64 and integers as they are in the file.
  void read_doubles(std::uint64_t first, std::uint64_t count, double* to) const;
  /// A sentence that counts integers which rounding changes; "" where it changes none. Looks
  /// through all of them.
  std::string note_on_integers() const;

 private:
  template <class ReadRun>
  void for_each_run(std::uint64_t first, std::uint64_t count, const ReadRun& read_run) const;

  File file_;
  NpyHeader header_;
  bool rounded_;
};

/// An array of known shape, written by slices in any order; whole at commit(). Throws Error{io}.
class NpyWriter {
 public:
  NpyWriter(const std::string& name, Dtype dtype, const Shape& shape);

  const std::string& name() const { return file_.name(); }
  void write(std::uint64_t first, std::uint64_t count, const void* from);
  void commit() { file_.commit(); }

 private:
  std::string header_;
  Dtype dtype_;
  PartialFile file_;
};

}  // namespace sightline::io
