#include "host/files/core/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <set>

namespace sightline::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read and written as they lie");

constexpr std::size_t most_npy_dimensions = 32;

struct Descr {
  std::string_view text;
  Dtype dtype;
};
constexpr Descr descrs[] = {{"<f4", Dtype::f32},    {"<f8", Dtype::f64}, {"<u4", Dtype::u32},
                            {"<u8", Dtype::u64},    {"|u1", Dtype::u8},  {"<u1", Dtype::u8},
                            {"<i4", Dtype::i32},    {"<i8", Dtype::i64}, {"|i1", Dtype::i8},
                            {"<i2", Dtype::i16},    {"<u2", Dtype::u16}, {"<f2", Dtype::f16},
                            {"|b1", Dtype::boolean}};

/// Reads the one Python dictionary that a header is: three known keys in any order.
class DictionaryParser {
 public:
  DictionaryParser(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader parse() {
    bool fortran = false;
    std::set<std::string_view> seen;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key != "descr" && key != "fortran_order" && key != "shape") {
        fail("unknown entry {}", in_quotes(key));
      }
      if (!seen.insert(key).second) fail("{} appears twice", in_quotes(key));
      if (key == "descr") {
        read_dtype();
      } else if (key == "shape") {
        read_shape();
      } else {
        fortran = boolean();
      }
      if (!accept(',') && peek() != '}') fail("no comma between its entries");
    }
    peek();
    if (!text_.empty()) fail("text after its dictionary");
    if (seen.size() != 3) fail("descr, fortran_order or shape is missing");
    header_.fortran = fortran && header_.shape.size() > 1;
    if (header_.fortran && header_.shape.size() > 2) {
      refuse(file_,
             "is in Fortran order and has {} dimensions: save it in C order, as by "
             "np.ascontiguousarray",
             header_.shape.size());
    }
    return header_;
  }

 private:
  template <class... A>
  [[noreturn]] void fail(fmt::format_string<A...> words, A&&... args) const {
    refuse(file_, "bad .npy header: {}", fmt::format(words, std::forward<A>(args)...));
  }

  void read_dtype() {
    if (peek() == '[') fail("records are not read; a plain array is wanted");
    const std::string_view text = string();
    const auto* const found = std::ranges::find(descrs, text, &Descr::text);
    if (found == std::end(descrs)) fail("dtype {} is not read", in_quotes(text));
    header_.dtype = found->dtype;
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      if (header_.shape.size() == most_npy_dimensions) fail("too many dimensions");
      peek();
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error == std::errc::result_out_of_range) fail("a dimension needs more than 64 bits");
      if (error != std::errc()) fail("a dimension is not a number");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      header_.shape.push_back(value);
      if (!accept(',') && peek() != ')') fail("no comma between its dimensions");
    }
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a string was expected");
    text_.remove_prefix(1);
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    const bool value = peek() == 'T';
    const std::string_view word = value ? "True" : "False";
    if (!text_.starts_with(word)) fail("fortran_order is neither True nor False");
    text_.remove_prefix(word.size());
    return value;
  }

  /// What comes behind blanks.
  char peek() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size()));
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char c) {
    const bool found = peek() == c && !text_.empty();
    if (found) text_.remove_prefix(1);
    return found;
  }
  void expect(char c) {
    if (!accept(c)) fail("'{}' was expected", c);
  }

  const std::string& file_;
  std::string_view text_;
  NpyHeader header_;
};

}  // namespace

NpyHeader parse_npy_header(const std::string& file, std::string_view bytes,
                           std::uint64_t file_bytes) {
  if (bytes.size() < 10 || !bytes.starts_with(npy_magic)) refuse(file, "is not an .npy file");
  const int version = bytes[6];
  if (version < 1 || version > 3) refuse(file, "bad .npy header: version {} is unknown", version);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (bytes.size() < begin) refuse(file, "bad .npy header: it is cut off");
  std::uint64_t length = 0;  // little-endian
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  if (length > longest_npy_header || length > bytes.size() - begin) {
    refuse(file, "bad .npy header: {} bytes long in a file of {}", length, file_bytes);
  }
  NpyHeader header = DictionaryParser(file, bytes.substr(begin, length)).parse();
  header.data_begin = begin + length;
  const std::uint64_t data_bytes = file_bytes - header.data_begin;
  const std::optional<std::uint64_t> needed = tensor_bytes(header.dtype, header.shape);
  if (!needed || *needed != data_bytes) {
    refuse(file, "{} bytes of data are not {} {}", data_bytes, dtype_name(header.dtype),
           to_string(header.shape));
  }
  return header;
}

std::string format_npy_header(Dtype dtype, const Shape& shape) {
  const auto* const found = std::ranges::find(descrs, dtype, &Descr::dtype);
  if (found == std::end(descrs)) {
    fail(ErrorKind::usage, "NumPy has no {}", dtype_name(dtype));
  }
  std::string sizes;
  for (const std::uint64_t size : shape) sizes += std::to_string(size) + ", ";
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  if (shape.size() == 1) sizes.pop_back();
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", found->text, sizes);
  text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 11, ' ');
  text += '\n';
  std::string header(npy_magic);
  header += '\1';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

NpyReader::NpyReader(const std::string& name, Numbers numbers)
    : file_(name),
      header_(parse_npy_header(name, file_.start(12 + longest_npy_header), file_.size())),
      rounded_(numbers == Numbers::as_floats &&
               (header_.dtype == Dtype::f64 || is_integer(header_.dtype))) {}

void NpyReader::expect(Dtype dtype, const Shape& expected) const {
  if (this->dtype() != dtype || !matches(header_.shape, expected)) {
    refuse(name(), "is {} {}, not {} {}", dtype_name(header_.dtype), to_string(header_.shape),
           dtype_name(dtype), to_string(expected));
  }
}

/// Calls read_run(place in the file, numbers, place in C order from `first` on, stride there) for
/// runs of elements that the file has side by side.
template <class ReadRun>
void NpyReader::for_each_run(std::uint64_t first, std::uint64_t count,
                             const ReadRun& read_run) const {
  const std::uint64_t elements = element_count(header_.shape).value();
  if (first > elements || count > elements - first) {
    fail(ErrorKind::internal, "{}: elements {} + {} of {}", name(), first, count, elements);
  }
  if (!header_.fortran) return read_run(first, count, 0, 1);
  const std::uint64_t rows = header_.shape[0], width = header_.shape[1];
  // Of column k, rows whose place `row * width + k` is at least `place`.
  const auto rows_before = [width](std::uint64_t place, std::uint64_t k) {
    return place <= k ? 0 : (place - k - 1) / width + 1;
  };
  for (std::uint64_t k = 0; k < width && count > 0; ++k) {
    const std::uint64_t row = rows_before(first, k), end = rows_before(first + count, k);
    if (row < end) read_run(k * rows + row, end - row, row * width + k - first, width);
  }
}

void NpyReader::read(std::uint64_t first, std::uint64_t count, void* to) const {
  const std::uint64_t size = dtype_bytes(header_.dtype), begin = header_.data_begin;
  for_each_run(first, count,
               [&](std::uint64_t place, std::uint64_t n, std::uint64_t at, std::uint64_t stride) {
                 if (rounded_) {
                   auto* const floats = static_cast<float*>(to) + at;
                   return read_numbers(file_, header_.dtype, begin, place, n, floats, stride);
                 }
                 auto* const bytes = static_cast<char*>(to) + at * size;
                 if (stride == 1) return file_.read(begin + place * size, bytes, n * size);
                 std::string piece;
                 constexpr std::uint64_t most = 1 << 16;
                 for (std::uint64_t done = 0; done < n; done += most) {
                   const std::uint64_t some = std::min(most, n - done);
                   piece.resize(some * size);
                   file_.read(begin + (place + done) * size, piece.data(), piece.size());
                   for (std::uint64_t i = 0; i < some; ++i) {
                     std::memcpy(bytes + (done + i) * stride * size, piece.data() + i * size, size);
                   }
                 }
               });
}

void NpyReader::read_doubles(std::uint64_t first, std::uint64_t count, double* to) const {
  for_each_run(first, count,
               [&](std::uint64_t place, std::uint64_t n, std::uint64_t at, std::uint64_t stride) {
                 read_numbers(file_, header_.dtype, header_.data_begin, place, n, to + at, stride);
               });
}

std::string NpyReader::note_on_integers() const {
  if (!rounded_ || !is_integer(header_.dtype)) return "";
  const std::uint64_t elements = element_count(header_.shape).value();
  const ChangedIntegers changed =
      changed_integers(file_, header_.dtype, header_.data_begin, elements);
  if (changed.count == 0) return "";
  return fmt::format(
      "{}: {} of {} integers have more than 24 bits and are rounded to binary32, the first {}",
      name(), changed.count, elements, changed.value);
}

void NpyReader::read_whole(void* to) const {
  constexpr std::uint64_t step = 1 << 22;
  const std::uint64_t elements = element_count(header_.shape).value();
  for (std::uint64_t first = 0; first < elements; first += step) {
    poll();
    read(first, std::min(step, elements - first),
         static_cast<char*>(to) + first * dtype_bytes(dtype()));
  }
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

}  // namespace sightline::io
