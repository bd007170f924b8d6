#include "host/files/core/numbers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace sightline::io {
namespace {

constexpr std::uint64_t piece_bytes = 1 << 19;

/// Calls f with a zero of the type that the numbers have; float for those that are never converted.
template <class F>
auto with_type(Dtype dtype, const F& f) {
  switch (dtype) {
    case Dtype::f64:
      return f(double{});
    case Dtype::i8:
      return f(std::int8_t{});
    case Dtype::u8:
      return f(std::uint8_t{});
    case Dtype::i16:
      return f(std::int16_t{});
    case Dtype::u16:
      return f(std::uint16_t{});
    case Dtype::i32:
      return f(std::int32_t{});
    case Dtype::u32:
      return f(std::uint32_t{});
    case Dtype::i64:
      return f(std::int64_t{});
    case Dtype::u64:
      return f(std::uint64_t{});
    default:
      return f(float{});
  }
}

template <class T, class From>
T rounded_to(From v) {
  if constexpr (std::is_same_v<From, double> && std::is_same_v<T, float>) {
    // Beyond the range of float a conversion is undefined.
    constexpr double most = std::numeric_limits<float>::max();
    constexpr float infinite = std::numeric_limits<float>::infinity();
    return v > most ? infinite : v < -most ? -infinite : static_cast<float>(v);
  } else {
    return static_cast<T>(v);
  }
}

/// Calls use(place of the first, numbers) for pieces of the array.
template <class From, class Use>
void for_each_piece(const File& file, std::uint64_t begin, std::uint64_t count, const Use& use) {
  constexpr std::uint64_t most = piece_bytes / sizeof(From);
  std::vector<From> piece(std::min(count, most));
  for (std::uint64_t done = 0; done < count; done += piece.size()) {
    piece.resize(std::min(count - done, most));
    file.read(begin + done * sizeof(From), piece.data(), piece.size() * sizeof(From));
    use(done, piece);
  }
}

}  // namespace

bool is_integer(Dtype dtype) {
  return with_type(dtype, []<class T>(T) { return std::is_integral_v<T>; });
}

template <class T>
void read_numbers(const File& file, Dtype dtype, std::uint64_t begin, std::uint64_t first,
                  std::uint64_t count, T* to, std::uint64_t stride) {
  with_type(dtype, [&]<class From>(From) {
    for_each_piece<From>(file, begin + first * sizeof(From), count,
                         [&](std::uint64_t done, const std::vector<From>& piece) {
                           for (std::uint64_t i = 0; i < piece.size(); ++i) {
                             to[(done + i) * stride] = rounded_to<T>(piece[i]);
                           }
                         });
  });
}
template void read_numbers(const File&, Dtype, std::uint64_t, std::uint64_t, std::uint64_t, float*,
                           std::uint64_t);
template void read_numbers(const File&, Dtype, std::uint64_t, std::uint64_t, std::uint64_t, double*,
                           std::uint64_t);

ChangedIntegers changed_integers(const File& file, Dtype dtype, std::uint64_t begin,
                                 std::uint64_t count) {
  ChangedIntegers changed;
  with_type(dtype, [&]<class From>(From) {
    // Integers of up to 24 bits are floats.
    if constexpr (std::is_integral_v<From> && sizeof(From) >= 4) {
      for_each_piece<From>(file, begin, count,
                           [&](std::uint64_t done, const std::vector<From>& piece) {
                             for (std::uint64_t i = 0; i < piece.size(); ++i) {
                               // A float of an integer of 64 bits may be 2^64.
                               if (static_cast<__int128>(static_cast<float>(piece[i])) == piece[i])
                                 continue;
                               if (changed.count++ > 0) continue;
                               changed.first = done + i;
                               changed.value = std::to_string(piece[i]);
                             }
                           });
    }
  });
  return changed;
}

}  // namespace sightline::io
