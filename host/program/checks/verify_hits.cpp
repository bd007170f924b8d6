#include "host/program/checks/verify_hits.hpp"

#include <fmt/format.h>

#include <cstring>

namespace sightline::cli {
namespace {

template <class T>
bool same_element_bytes(const std::vector<T>& a, std::size_t i, const std::vector<T>& b,
                        std::size_t k) {
  if (a.empty()) return true;
  const void *x = &a[i], *y = &b[k];
  return std::memcmp(x, y, sizeof(T)) == 0;
}

}  // namespace

bool same_hit(const io::HitsBuffer& file, std::size_t i, const io::HitsBuffer& truth,
              std::size_t k) {
  return same_element_bytes(file.t, i, truth.t, k) && same_element_bytes(file.id, i, truth.id, k) &&
         same_element_bytes(file.flags, i, truth.flags, k) &&
         same_element_bytes(file.normal, i, truth.normal, k);
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

io::HitsBuffer read_hits(const Sample& sample, const io::ResultReader& result,
                         const std::vector<std::uint64_t>& index) {
  io::HitsBuffer all, one;
  if (sample.is_full()) {
    result.read_hits(index.front(), index.size(), all);
    return all;
  }
  all.resize(index.size(), result.parameters().normals);
  for (std::size_t i = 0; i < index.size(); ++i) {
    result.read_hits(index[i], 1, one);
    all.t[i] = one.t[0];
    all.id[i] = one.id[0];
    all.flags[i] = one.flags[0];
    if (!one.normal.empty()) all.normal[i] = one.normal[0];
  }
  return all;
}

void compare_hits(const char* one, const std::vector<std::uint64_t>& index,
                  const io::HitsBuffer& file, const io::HitsBuffer& truth,
                  Differences& differences) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (same_hit(file, i, truth, i)) continue;
    differences.add(index[i], fmt::format("{} {}: the file has {}, the reference {}", one, index[i],
                                          words_of(file, i), words_of(truth, i)));
  }
}

}  // namespace sightline::cli
