#include "host/files/core/container.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::string_view metadata_name = "__metadata__";
constexpr std::size_t most_dimensions = 32;

template <class... A>
[[noreturn]] void fail_tensor(const std::string& file, const TensorInfo& tensor,
                              fmt::format_string<A...> words, A&&... args) {
  refuse(file, "bad header: tensor {} {}", in_quotes(tensor.name),
         fmt::format(words, std::forward<A>(args)...));
}

/// Takes the header in as it is parsed: no tree is built, and nesting beyond the format's three
/// levels is refused where it begins.
class HeaderHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderHandler(const std::string& file) : file_(file) {}

  ContainerHeader take() { return std::move(header_); }

  bool null() override { refuse("null"); }
  bool boolean(bool) override { refuse("a boolean"); }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    refuse("a number that is not whole or needs more than 64 bits");
  }
  bool binary(binary_t&) override { refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ == Place::shape) {
      if (tensor().shape.size() == most_dimensions) {
        fail_tensor(file_, tensor(), "has too many dimensions");
      }
      tensor().shape.push_back(value);
    } else if (place_ == Place::offsets) {
      if (offsets_ == 2) fail_tensor(file_, tensor(), "has more than two data_offsets");
      (offsets_++ == 0 ? tensor().begin : tensor().end) = value;
    } else {
      refuse("a number");
    }
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::metadata) {
      if (!header_.metadata.emplace(key_, std::move(value)).second) {
        io::refuse(file_, "bad header: metadata {} appears twice", in_quotes(key_));
      }
    } else if (place_ == Place::tensor && key_ == "dtype") {
      const std::optional<Dtype> dtype = dtype_from_name(value);
      if (!dtype) fail_tensor(file_, tensor(), "has an unknown dtype {}", in_quotes(value));
      tensor().dtype = *dtype;
    } else {
      refuse("a string");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::before) {
      place_ = Place::top;
    } else if (place_ == Place::top && key_ == metadata_name) {
      if (std::exchange(has_metadata_, true)) {
        io::refuse(file_, "bad header: __metadata__ appears twice");
      }
      place_ = Place::metadata;
    } else if (place_ == Place::top) {
      header_.tensors.emplace_back().name = key_;
      has_dtype_ = has_shape_ = has_offsets_ = false;
      place_ = Place::tensor;
    } else {
      refuse("an object");
    }
    return true;
  }

  bool key(string_t& value) override {
    key_ = std::move(value);
    if (place_ != Place::tensor) return true;
    bool* seen = key_ == "dtype"          ? &has_dtype_
                 : key_ == "shape"        ? &has_shape_
                 : key_ == "data_offsets" ? &has_offsets_
                                          : nullptr;
    if (seen == nullptr) fail_tensor(file_, tensor(), "has an unknown entry {}", in_quotes(key_));
    if (std::exchange(*seen, true)) {
      fail_tensor(file_, tensor(), "gives {} twice", in_quotes(key_));
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor && !(has_dtype_ && has_shape_ && has_offsets_)) {
      fail_tensor(file_, tensor(), "lacks dtype, shape or data_offsets");
    }
    place_ = place_ == Place::top ? Place::after : Place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::tensor && key_ == "shape") {
      place_ = Place::shape;
    } else if (place_ == Place::tensor && key_ == "data_offsets") {
      place_ = Place::offsets;
      offsets_ = 0;
    } else {
      refuse("an array");
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::offsets && offsets_ != 2) {
      fail_tensor(file_, tensor(), "lacks one of its data_offsets");
    }
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    io::refuse(file_, "bad header: it is not JSON from byte {} on", position);
  }

 private:
  enum class Place { before, top, metadata, tensor, shape, offsets, after };

  TensorInfo& tensor() { return header_.tensors.back(); }

  [[noreturn]] void refuse(std::string_view what) {
    if (place_ == Place::before) io::refuse(file_, "bad header: it is {}, not an object", what);
    if (place_ == Place::top || place_ == Place::metadata) {
      io::refuse(file_, "bad header: {} is {}", in_quotes(key_), what);
    }
    fail_tensor(file_, tensor(), "has {} in {}", what, in_quotes(key_));
  }

  const std::string& file_;
  ContainerHeader header_;
  Place place_ = Place::before;
  std::string key_;
  bool has_metadata_ = false, has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
  int offsets_ = 0;
};

/// In the order of their places, tensors must follow each other from the first byte to the last.
void check_places(const std::string& file, const std::vector<TensorInfo>& tensors,
                  std::uint64_t data_bytes) {
  std::vector<const TensorInfo*> order;
  for (const TensorInfo& tensor : tensors) order.push_back(&tensor);
  std::ranges::sort(order, {}, [](const TensorInfo* t) { return std::pair(t->begin, t->end); });
  std::uint64_t expected = 0;
  for (const TensorInfo* tensor : order) {
    if (tensor->begin > tensor->end) fail_tensor(file, *tensor, "ends before it begins");
    if (tensor->end > data_bytes) {
      fail_tensor(file, *tensor, "ends at byte {} of the data, which has {}", tensor->end,
                  data_bytes);
    }
    if (tensor->begin != expected) {
      fail_tensor(file, *tensor, "begins at byte {}, where {} was expected (overlap or gap)",
                  tensor->begin, expected);
    }
    const std::optional<std::uint64_t> bytes = tensor_bytes(tensor->dtype, tensor->shape);
    if (!bytes || *bytes != tensor->end - tensor->begin) {
      fail_tensor(file, *tensor, "has {} bytes, which is not {} {}", tensor->end - tensor->begin,
                  dtype_name(tensor->dtype), to_string(tensor->shape));
    }
    expected = tensor->end;
  }
  if (expected != data_bytes) {
    refuse(file, "bad header: {} bytes of data, but the tensors end at {}", data_bytes, expected);
  }
}

/// Sorts by name; returns the first tensor whose name another has, or null.
const TensorInfo* sort_by_name(std::vector<TensorInfo>& tensors) {
  std::ranges::sort(tensors, {}, &TensorInfo::name);
  const auto twice = std::ranges::adjacent_find(tensors, {}, &TensorInfo::name);
  return twice == tensors.end() ? nullptr : &*twice;
}

}  // namespace

ContainerHeader parse_header(const std::string& file, std::string_view json,
                             std::uint64_t data_bytes) {
  if (json.empty() || json.front() != '{') {
    refuse(file, "bad header: it does not begin with '{{'");
  }
  HeaderHandler handler(file);
  nlohmann::json::sax_parse(json.begin(), json.end(), &handler);
  ContainerHeader header = handler.take();
  if (const TensorInfo* twice = sort_by_name(header.tensors)) {
    fail_tensor(file, *twice, "appears twice");
  }
  check_places(file, header.tensors, data_bytes);
  return header;
}

void place_tensors(std::vector<TensorInfo>& tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    const std::uint64_t size_a = dtype_bytes(a.dtype), size_b = dtype_bytes(b.dtype);
    return size_a != size_b ? size_a > size_b : a.name < b.name;
  });
  std::uint64_t end = 0;
  for (TensorInfo& tensor : tensors) {
    const std::optional<std::uint64_t> bytes = tensor_bytes(tensor.dtype, tensor.shape);
    tensor.begin = end;
    if (!bytes || __builtin_add_overflow(end, *bytes, &end)) {
      throw Error(ErrorKind::internal, "tensor " + in_quotes(tensor.name) + " is beyond 64 bits");
    }
    tensor.end = end;
  }
  if (const TensorInfo* twice = sort_by_name(tensors)) {
    throw Error(ErrorKind::internal, "tensor " + in_quotes(twice->name) + " is given twice");
  }
}

std::string format_header(const ContainerHeader& header) {
  std::string text = "{";
  if (!header.metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [key, value] : header.metadata) {
      if (text.back() != '{') text += ',';
      text += json_string(key) + ':' + json_string(value);
    }
    text += '}';
  }
  for (const TensorInfo& tensor : header.tensors) {
    if (text.size() > 1) text += ',';
    text += fmt::format(R"({}:{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                        json_string(tensor.name), dtype_name(tensor.dtype), to_string(tensor.shape),
                        tensor.begin, tensor.end);
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace sightline::io
