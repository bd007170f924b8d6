// Shapes, words and bits of answers.
#include "python/bindings/arrays.hpp"

#include <nanobind/stl/string.h>

namespace sightline::python {

std::size_t Shape::elements() const {
  constexpr std::size_t limit = (std::size_t{1} << 60) / sizeof(std::uint64_t);
  std::size_t all = 1;
  for (const std::size_t side : *this) {
    if (side > 0 && all > limit / side) {
      throw Error(ErrorKind::out_of_memory, "the answer does not fit in memory");
    }
    all *= side;
  }
  return all;
}

int choice(const std::string& word, const char* what, std::initializer_list<const char*> names) {
  int i = 0;
  std::string all;
  for (const char* name : names) {
    if (word == name) return i;
    all += (i++ > 0 ? ", " : "") + std::string(name);
  }
  refuse("{} is '{}', not one of {}", what, word, all);
}

Inside inside_of(const std::string& word) {
  return static_cast<Inside>(choice(word, "inside", {"solid", "surface", "ignore"}));
}

Side side_of(const std::string& word) {
  return static_cast<Side>(choice(word, "side", {"both", "front", "back"}));
}

AnyArray bits_as(Answers<std::uint64_t>&& words, const Shape& shape, bool packed) {
  if (packed) return nb::borrow<AnyArray>(words.array());
  Answers<bool> bools(shape);
  const std::size_t n = shape.elements();
  {
    const nb::gil_scoped_release unlocked;
    for (std::uint64_t i = 0; i < n; ++i) bools.data()[i] = words.data()[i / 64] >> (i % 64) & 1;
  }
  return nb::borrow<AnyArray>(bools.array());
}

}  // namespace sightline::python
