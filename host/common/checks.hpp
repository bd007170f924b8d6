// What the door refuses before any work: sizes that do not match, choices that there are not.
#pragma once

#include <sightline/column.hpp>
#include <sightline/error.hpp>

#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sightline::detail {

[[noreturn]] inline void refuse(const std::string& why) { throw Error(ErrorKind::usage, why); }

/// That an array has rows * width elements.
inline void check_size(const char* name, std::uint64_t size, std::uint64_t rows,
                       std::uint64_t width) {
  std::uint64_t expected = 0;
  if (__builtin_mul_overflow(rows, width, &expected) || size != expected) {
    const std::string one = std::to_string(rows == 1 ? width : rows);
    refuse(std::string(name) + " has " + std::to_string(size) +
           (size == 1 ? " element, not " : " elements, not ") + one +
           (rows == 1 || width == 1 ? "" : " x " + std::to_string(width)));
  }
}
/// The same of a span, and that it has memory. Returns the pointer.
template <class T>
T* check_array(const char* name, std::span<T> array, std::uint64_t rows, std::uint64_t width = 1) {
  check_size(name, array.size(), rows, width);
  if (array.data() == nullptr && !array.empty()) refuse(std::string(name) + " is null");
  return array.data();
}
/// The same of a span that is empty where it is not asked for.
template <class T>
T* checked(const char* name, std::span<T> array, std::uint64_t rows, std::uint64_t width = 1) {
  return array.empty() ? nullptr : check_array(name, array, rows, width);
}

/// That a column has n elements in memory, or one for all.
template <class T>
void check_column_size(const char* name, const Column<T>& column, std::uint64_t n) {
  if (column.is_null()) {
    refuse(std::string("a column of ") + name + " is a null pointer to " +
           std::to_string(column.count) + (column.count == 1 ? " element" : " elements"));
  }
  if (column.data == nullptr || column.count == n) return;
  refuse(std::string("a column of ") + name + " has " + std::to_string(column.count) +
         (column.count == 1 ? " element, not " : " elements, not ") + std::to_string(n));
}
[[noreturn]] inline void refuse_not_given(const char* name, std::uint64_t n) {
  refuse(std::string("nothing was given for ") + name + ", which " + std::to_string(n) +
         (n == 1 ? " element needs" : " elements need"));
}

/// That a column has n elements, or one for all, and that it was given.
template <class T>
void check_column(const char* name, const Column<T>& column, std::uint64_t n) {
  check_column_size(name, column, n);
  if (n > 0 && !column.is_given()) refuse_not_given(name, n);
}
template <class Columns>
void check_column(const char* name, const Columns& columns, std::uint64_t n) {
  check_column_size(name, columns.x, n);
  check_column_size(name, columns.y, n);
  if constexpr (requires { columns.z; }) check_column_size(name, columns.z, n);
  if (n > 0 && !columns.is_given()) refuse_not_given(name, n);
  const auto check_given = [&](const Column<float>& column, const char* coordinate) {
    if (n > 0 && !column.is_given()) refuse_not_given((std::string(name) + coordinate).c_str(), n);
  };
  check_given(columns.x, ".x");
  check_given(columns.y, ".y");
  if constexpr (requires { columns.z; }) check_given(columns.z, ".z");
}
/// The same of all columns of a view.
template <class View>
void check_columns(const View& view, std::uint64_t n) {
  View::columns([n](const char* name, const auto& column) { check_column(name, column, n); }, view);
}
/// The same of a view, which knows its count from then on.
template <class View>
void count_columns(View& view) {
  view.count = view.size();
  check_columns(view, view.count);
}
/// A view that knows its count, its columns checked.
template <class View>
View counted(View view) {
  count_columns(view);
  return view;
}

/// That offsets [rows + 1] lead through an array of n elements.
template <class Offsets>
void check_offsets(const char* name, const Offsets& offsets, std::uint64_t rows, std::uint64_t n) {
  bool good = offsets.size() == rows + 1 && offsets.front() == 0 && offsets.back() == n;
  for (std::uint64_t i = 0; good && i < rows; ++i) good = offsets[i] <= offsets[i + 1];
  if (!good) {
    refuse(std::string("the offsets of ") + name + " do not ascend from 0 to " + std::to_string(n));
  }
}

/// That an enumerator is one of those up to `last`.
template <class Enum>
void check_choice(Enum choice, Enum last, const char* what) {
  const int at = static_cast<int>(choice);
  if (at < 0 || at > static_cast<int>(last)) {
    refuse(std::string("there is no ") + what + " of number " + std::to_string(at));
  }
}

/// For where there is not even memory for a message: made before main(), and copied without any.
inline const Error no_memory_left{ErrorKind::out_of_memory, "there is no memory left"};

/// What `call` returns. Memory that there is not, and sizes that no memory has, become an Error of
/// this message, or of what message() returns.
template <class Call, class Message = const char*>
decltype(auto) in_words(const Call& call, const Message& message = "out of memory") {
  const auto out_of_memory = [&] {
    try {
      if constexpr (std::is_invocable_v<Message>) {
        throw Error(ErrorKind::out_of_memory, message());
      } else {
        throw Error(ErrorKind::out_of_memory, message);
      }
    } catch (const std::bad_alloc&) {
      throw no_memory_left;
    }
  };
  try {
    return call();
  } catch (const std::bad_alloc&) {
    out_of_memory();
  } catch (const std::length_error&) {
    out_of_memory();
  }
  __builtin_unreachable();
}

}  // namespace sightline::detail
