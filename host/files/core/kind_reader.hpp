// The columns of one kind of shapes in a container: tensors whose names begin with the kind's.
#pragma once

#include "host/files/core/container.hpp"

#include <sightline/error.hpp>

#include <vector>

namespace sightline::io {

template <class T>
std::vector<T> read_all(const ContainerReader& file, const TensorInfo& tensor) {
  std::vector<T> values(tensor.elements());
  file.read(tensor, 0, values.size(), values.data());
  return values;
}

/// The columns of one kind; all have the length of the first one asked for.
class KindReader {
 public:
  KindReader(const ContainerReader& file, std::string_view kind, const char* first,
             std::uint64_t width)
      : file_(file), kind_(kind) {
    const Shape shape = width == 1 ? Shape{any_size} : Shape{any_size, width};
    count_ = file.expect(name(first), Dtype::f32, shape).shape[0];
  }

  std::uint64_t count() const { return count_; }

  /// Of a kind without shapes every tensor must be empty.
  void refuse_elements() const {
    for (const TensorInfo& tensor : file_.tensors()) {
      if (tensor.name.starts_with(name("")) && tensor.elements() > 0) {
        throw Error(ErrorKind::bad_input, file_.name() + ": tensor " + quote_name(tensor.name) +
                                              " is " + to_string(tensor.shape) +
                                              ", but there are no shapes of its kind");
      }
    }
  }

  std::vector<float> floats(const char* field, std::uint64_t width) const {
    const Shape shape = width == 1 ? Shape{count_} : Shape{count_, width};
    return read_all<float>(file_, file_.expect(name(field), Dtype::f32, shape));
  }
  template <class T>
  std::vector<T> optional(const char* field, Dtype dtype) const {
    const TensorInfo* tensor = file_.find(name(field), dtype, {count_});
    return tensor == nullptr ? std::vector<T>{} : read_all<T>(file_, *tensor);
  }

 private:
  std::string name(const char* field) const { return std::string(kind_) + '.' + field; }

  const ContainerReader& file_;
  std::string_view kind_;
  std::uint64_t count_ = 0;
};

inline bool has_kind(const ContainerReader& file, std::string_view kind) {
  const std::string prefix = std::string(kind) + ".";
  for (const TensorInfo& tensor : file.tensors()) {
    if (tensor.name.starts_with(prefix)) return true;
  }
  return false;
}

/// Calls f(); errors name the file.
template <class F>
void naming_file(const ContainerReader& file, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(file.name() + ": ")) throw;
    throw Error(error.kind(), file.name() + ": " + what);
  }
}

}  // namespace sightline::io
