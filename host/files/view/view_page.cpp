#include "host/files/view/view_page.hpp"

#include "host/files/view/page_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace sightline::io {
namespace {

/// For text and for attributes in double quotes.
std::string escaped(std::string_view text) {
  static constexpr std::pair<char, std::string_view> names[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (const char c : text) {
    const auto* const name = std::ranges::find(names, c, &std::pair<char, std::string_view>::first);
    name == std::end(names) ? out += c : out += name->second;
  }
  return out;
}

/// The header of a container, its length before it, and its tensors with their places.
std::string header_of(const PageData& data, std::vector<TensorInfo>& placed) {
  for (const TensorSource& t : data.tensors) placed.push_back({t.name, t.dtype, t.shape});
  place_tensors(placed);
  const std::string text = format_header({placed, data.metadata});
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

/// Bytes that come in pieces as base64.
class Base64 {
 public:
  explicit Base64(PartialFile& to) : to_(to) {}

  void add(std::span<const unsigned char> bytes) {
    for (const unsigned char byte : bytes) {
      group_ = group_ << 8 | byte;
      if (++held_ == 3) put(4);
    }
    if (text_.size() > most) flush();
  }
  void finish() {
    if (held_ > 0) {
      const int digits = held_ + 1, missing = 3 - held_;
      group_ <<= 8 * missing;
      put(digits);
      text_.append(static_cast<std::size_t>(missing), '=');
    }
    flush();
  }

 private:
  static constexpr std::size_t most = 1 << 20;

  void put(int digits) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int k = 0; k < digits; ++k) text_ += alphabet[group_ >> (18 - 6 * k) & 63];
    group_ = 0, held_ = 0;
  }
  void flush() {
    to_.append(text_.data(), text_.size());
    text_.clear();
  }

  PartialFile& to_;
  std::string text_;
  std::uint32_t group_ = 0;
  int held_ = 0;
};

/// Bytes that come in pieces in zlib's format, as base64.
class Deflate {
 public:
  explicit Deflate(PartialFile& to) : base64_(to) {
    if (deflateInit(&stream_, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { deflateEnd(&stream_); }

  /// Chunks are far shorter than the 4 GiB that zlib takes at once.
  void add(const void* bytes, std::uint64_t count) { feed(bytes, count, Z_NO_FLUSH); }
  void finish() {
    feed(nullptr, 0, Z_FINISH);
    base64_.finish();
  }

 private:
  void feed(const void* bytes, std::uint64_t count, int flush) {
    stream_.next_in = static_cast<Bytef*>(const_cast<void*>(bytes));
    stream_.avail_in = static_cast<uInt>(count);
    do {
      stream_.next_out = out_.data();
      stream_.avail_out = static_cast<uInt>(out_.size());
      if (deflate(&stream_, flush) == Z_STREAM_ERROR) {
        throw Error(ErrorKind::internal, "zlib refuses to compress");
      }
      base64_.add({out_.data(), out_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  Base64 base64_;
  z_stream stream_ = {};
  std::array<unsigned char, 1 << 16> out_;
};

void write_data(PartialFile& file, const PageData& data) {
  std::vector<TensorInfo> placed;
  const std::string header = header_of(data, placed);
  std::ranges::sort(placed, {}, &TensorInfo::begin);
  Deflate deflate(file);
  deflate.add(header.data(), header.size());
  for (const TensorInfo& t : placed) {
    const auto source = std::ranges::find(data.tensors, t.name, &TensorSource::name);
    for_each_chunk(*source, [&](std::uint64_t, std::uint64_t count, const void* bytes) {
      deflate.add(bytes, count * dtype_bytes(t.dtype));
    });
  }
  deflate.finish();
}

/// What nobody can know who writes a name into a file: the hash of all data, names and all.
std::string nonce_of(const Page& page) {
  std::vector<TensorSource> all;
  std::vector<std::string> headers(page.data.size());  // must outlive their sources
  for (std::size_t i = 0; i < page.data.size(); ++i) {
    std::vector<TensorInfo> placed;
    headers[i] = page.data[i].name + '\n' + header_of(page.data[i], placed);
    all.push_back(stored(fmt::format("{}", i), Dtype::u8, {headers[i].size()}, headers[i].data()));
    for (TensorSource source : page.data[i].tensors) {
      source.name = fmt::format("{} {}", i, source.name);
      all.push_back(std::move(source));
    }
  }
  all.push_back(stored("title", Dtype::u8, {page.title.size()}, page.title.data()));
  return content_hash(std::move(all));
}

}  // namespace

std::uint64_t bytes_of_data(const PageData& data) {
  std::vector<TensorInfo> placed;
  std::uint64_t bytes = header_of(data, placed).size();
  for (const TensorInfo& t : placed) bytes += t.end - t.begin;
  return bytes;
}

void write_page(const std::string& file, const Page& page) {
  const std::string nonce = nonce_of(page), title = escaped(page.title);
  PartialFile out(file, 0);
  const auto put = [&](std::string_view text) { out.append(text.data(), text.size()); };
  put("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
  put(fmt::format("<title>{}</title>\n", title));
  put("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
  put(fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data: blob:; base-uri 'none'; "
      "form-action 'none'\">\n<style nonce=\"{0}\">\n",
      nonce));
  put(page_style());
  put(fmt::format("</style></head>\n<body data-title=\"{}\" data-answers=\"{}\">\n", title,
                  page.answers));
  put(page_body());
  for (const PageData& data : page.data) {
    const auto kind = data.metadata.find(kind_key);
    put(
        fmt::format("<script type=\"text/plain\" data-file=\"{}\" data-kind=\"{}\" "
                    "data-encoding=\"deflate\">",
                    escaped(data.name), escaped(kind == data.metadata.end() ? "" : kind->second)));
    write_data(out, data);
    put("</script>\n");
  }
  put(fmt::format("<script nonce=\"{}\">\n'use strict';\n(() => {{\n", nonce));
  for (const std::string_view module : page_modules()) put(module);
  put("})();\n</script>\n</body></html>\n");
  out.commit();
}

}  // namespace sightline::io
