#include "host/files/core/tensor.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace sightline::io {
namespace {

struct DtypeRow {
  std::string_view name;
  std::uint64_t bytes;
};
// In the order of Dtype.
constexpr std::array<DtypeRow, 13> dtype_rows = {{{"BOOL", 1},
                                                  {"U8", 1},
                                                  {"I8", 1},
                                                  {"U16", 2},
                                                  {"I16", 2},
                                                  {"F16", 2},
                                                  {"BF16", 2},
                                                  {"U32", 4},
                                                  {"I32", 4},
                                                  {"F32", 4},
                                                  {"U64", 8},
                                                  {"I64", 8},
                                                  {"F64", 8}}};

}  // namespace

std::string_view dtype_name(Dtype dtype) {
  return dtype_rows[static_cast<std::size_t>(dtype)].name;
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
  const auto* const row = std::ranges::find(dtype_rows, name, &DtypeRow::name);
  if (row == dtype_rows.end()) return std::nullopt;
  return static_cast<Dtype>(row - dtype_rows.begin());
}

std::uint64_t dtype_bytes(Dtype dtype) { return dtype_rows[static_cast<std::size_t>(dtype)].bytes; }

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] == any_size ? "n" : std::to_string(shape[i]);
  }
  return text + "]";
}

std::optional<std::uint64_t> element_count(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::optional<std::uint64_t> tensor_bytes(Dtype dtype, const Shape& shape) {
  const std::optional<std::uint64_t> count = element_count(shape);
  std::uint64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, dtype_bytes(dtype), &bytes)) return std::nullopt;
  return bytes;
}

bool matches(const Shape& shape, const Shape& expected) {
  if (shape.size() != expected.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (expected[i] != any_size && expected[i] != shape[i]) return false;
  }
  return true;
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sightline::io
