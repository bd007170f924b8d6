#include "host/cli/verify_hits.hpp"

#include <fmt/format.h>

#include <cstring>

namespace sightline::cli {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, std::size_t i, const std::vector<T>& b, std::size_t k) {
  if (a.empty()) return true;
  const void *x = &a[i], *y = &b[k];
  return std::memcmp(x, y, sizeof(T)) == 0;
}

}  // namespace

bool same_hit(const io::HitsBuffer& file, std::size_t i, const io::HitsBuffer& truth,
              std::size_t k) {
  return same_bytes(file.t, i, truth.t, k) && same_bytes(file.id, i, truth.id, k) &&
         same_bytes(file.flags, i, truth.flags, k) && same_bytes(file.normal, i, truth.normal, k);
}

std::string words_of(const io::HitsBuffer& hits, std::size_t i) {
  std::string words = fmt::format("t {} id {} flags {}", hits.t[i],
                                  static_cast<std::int64_t>(hits.id[i]), hits.flags[i]);
  if (!hits.normal.empty()) {
    const Vec3 n = hits.normal[i];
    words += fmt::format(" normal {} {} {}", n.x, n.y, n.z);
  }
  return words;
}

}  // namespace sightline::cli
