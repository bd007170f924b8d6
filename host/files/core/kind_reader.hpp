// Containers of shapes: the columns of a kind are tensors whose names begin with the kind's.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/core/text_fields.hpp"

#include <algorithm>

namespace sightline::io {

/// The columns of one kind; all have the length of the first one asked for.
class KindReader {
 public:
  KindReader(const ContainerReader& file, std::string_view kind, const char* first,
             std::uint64_t width)
      : file_(file), kind_(kind) {
    count_ = file.expect(name(first), Dtype::f32, rows_of(any_size, width)).shape[0];
  }

  std::uint64_t count() const { return count_; }

  /// Of a kind without shapes every tensor must be empty.
  void refuse_elements() const {
    for (const TensorInfo& tensor : file_.tensors()) {
      if (!tensor.name.starts_with(name("")) || tensor.elements() == 0) continue;
      refuse(file_.name(), "tensor {} is {}, but there are no shapes of its kind",
             in_quotes(tensor.name), to_string(tensor.shape));
    }
  }

  std::vector<float> floats(const char* field, std::uint64_t width) const {
    return file_.column<float>(&file_.expect(name(field), Dtype::f32, rows_of(count_, width)));
  }
  template <class T>
  std::vector<T> optional(const char* field) const {
    return file_.column<T>(file_.find(name(field), dtype_of<T>(), {count_}));
  }
  /// Calls use(index, numbers of all fields) for each shape, as the file has them, unless those of
  /// the first field are binary32 there. Fields are pairs of a name and a width.
  template <class Fields, class Use>
  void for_each_rounded(const Fields& fields, const Use& use) const {
    std::uint64_t width = 0;
    std::vector<const TensorInfo*> tensors;
    for (const auto& [field, own] : fields) {
      tensors.push_back(file_.find(name(field)));
      width += own;
    }
    if (!tensors.front()->rounded) return;
    std::vector<double> column;
    const auto read = [&](std::uint64_t first, std::uint64_t n, double* to) {
      std::uint64_t at = 0, k = 0;
      for (const auto& [_, own] : fields) {
        column.resize(n / width * own);
        file_.read_doubles(*tensors[k++], first / width * own, column.size(), column.data());
        for (std::uint64_t i = 0; i < column.size(); ++i) {
          to[i / own * width + at + i % own] = column[i];
        }
        at += own;
      }
    };
    for_each_row(count_, width, read, use);
  }

 private:
  std::string name(const char* field) const { return fmt::format("{}.{}", kind_, field); }

  const ContainerReader& file_;
  std::string_view kind_;
  std::uint64_t count_ = 0;
};

/// Reads the shapes of a container that says that it is `what`, or nothing: calls read(file,
/// ShapeTag) for each kind that is there. Tensors other than the known ones are refused; errors
/// name the file. Its metadata goes to `metadata` where given.
template <class Kinds, class Read>
void read_kinds(const std::string& name, const char* what, const std::vector<std::string>& known,
                Metadata* metadata, const Read& read) {
  const ContainerReader file(name, Numbers::as_floats);
  file.expect_kind(what, false);
  file.refuse_unknown(std::vector<std::string_view>(known.begin(), known.end()));
  Kinds::for_each([&]<class S>(ShapeTag<S> tag) {
    const std::string prefix = fmt::format("{}.", ShapeTraits<S>::name);
    const auto is_its = [&](const TensorInfo& t) { return t.name.starts_with(prefix); };
    if (std::ranges::none_of(file.tensors(), is_its)) return;
    naming(name + ": ", [&] { read(file, tag); });
  });
  Metadata found = file.metadata();
  check_units(name, found);
  if (metadata != nullptr) *metadata = std::move(found);
}

}  // namespace sightline::io
