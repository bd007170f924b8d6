#include "tests/ptx/reference.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

std::uint64_t mask_of(std::uint64_t bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}
std::uint64_t bit(std::uint64_t value, std::uint64_t at) { return at < 64 ? value >> at & 1 : 0; }

/// Bit by bit, as far as the specification is written so.
void add_width(References& all, std::uint64_t width) {
  const std::string b = "b" + std::to_string(width), u = "u" + std::to_string(width),
                    s = "s" + std::to_string(width);
  const std::uint64_t ones = mask_of(width);
  const auto by_bits = [&](const std::string& name, auto f) {
    all[name] = [f, width](const Row& r) {
      std::uint64_t result = 0;
      for (std::uint64_t k = 0; k < width; ++k) result |= std::uint64_t{f(r, k)} << k;
      return result;
    };
  };
  by_bits("and." + b, [](const Row& r, auto k) { return bit(r[0], k) & bit(r[1], k); });
  by_bits("or." + b, [](const Row& r, auto k) { return bit(r[0], k) | bit(r[1], k); });
  by_bits("xor." + b, [](const Row& r, auto k) { return bit(r[0], k) ^ bit(r[1], k); });
  by_bits("not." + b, [](const Row& r, auto k) { return 1 - bit(r[0], k); });
  by_bits("shl." + b, [](const Row& r, auto k) { return k >= r[1] ? bit(r[0], k - r[1]) : 0; });
  by_bits("shr." + b,
          [=](const Row& r, auto k) { return k + r[1] < width ? bit(r[0], k + r[1]) : 0; });
  all["shr." + u] = all["shr." + b];
  by_bits("shr." + s,
          [=](const Row& r, auto k) { return bit(r[0], std::min(k + r[1], width - 1)); });
  for (const char* kind : {"b", "u", "s", "f"}) {
    if (width == 16 && *kind == 'f') continue;
    all["selp." + (kind + std::to_string(width))] = [](const Row& r) {
      return r[2] != 0 ? r[0] : r[1];
    };
  }
  if (width == 16) return;
  by_bits("brev." + b, [=](const Row& r, auto k) { return bit(r[0], width - 1 - k); });
  all["popc." + b] = [=](const Row& r) {
    std::uint64_t n = 0;
    for (std::uint64_t k = 0; k < width; ++k) n += bit(r[0], k);
    return n;
  };
  all["clz." + b] = [=](const Row& r) {
    std::uint64_t n = 0;
    while (n < width && bit(r[0], width - 1 - n) == 0) ++n;
    return n;
  };
  by_bits("bfi." + b, [](const Row& r, auto k) {
    const std::uint64_t from = r[2] & 255, length = r[3] & 255;
    return k >= from && k < from + length ? bit(r[0], k - from) : bit(r[1], k);
  });
  const auto field = [=](const Row& r, std::uint64_t k, bool is_signed) -> std::uint64_t {
    const std::uint64_t from = r[1] & 255, length = r[2] & 255, top = width - 1;
    if (k < length && from + k <= top) return bit(r[0], from + k);
    return is_signed && length > 0 ? bit(r[0], std::min(from + length - 1, top)) : 0;
  };
  by_bits("bfe." + u, [=](const Row& r, auto k) { return field(r, k, false); });
  by_bits("bfe." + s, [=](const Row& r, auto k) { return field(r, k, true); });
  static_cast<void>(ones);
}

void add_funnels(References& all) {
  const auto shift = [&](const char* name, bool left, bool wraps) {
    all[name] = [=](const Row& r) {
      const std::uint64_t by = wraps ? r[2] % 32 : std::min<std::uint64_t>(r[2], 32);
      std::uint64_t result = 0;
      for (std::uint64_t k = 0; k < 32; ++k) {
        const std::uint64_t from = left ? 32 + k - by : k + by;
        result |= (from < 32 ? bit(r[0], from) : bit(r[1], from - 32)) << k;
      }
      return result;
    };
  };
  shift("shf.l.wrap.b32", true, true);
  shift("shf.r.wrap.b32", false, true);
  shift("shf.l.clamp.b32", true, false);
  shift("shf.r.clamp.b32", false, false);
}

}  // namespace

void add_bit_references(References& all) {
  for (const std::uint64_t width : {16u, 32u, 64u}) add_width(all, width);
  add_funnels(all);
  all["and.pred"] = [](const Row& r) { return r[0] & r[1]; };
  all["or.pred"] = [](const Row& r) { return r[0] | r[1]; };
  all["xor.pred"] = [](const Row& r) { return r[0] ^ r[1]; };
  all["not.pred"] = [](const Row& r) { return 1 - r[0]; };
  all["prmt.b32"] = [](const Row& r) {
    std::array<std::uint64_t, 8> bytes;
    for (std::size_t k = 0; k < 8; ++k) bytes[k] = r[k / 4] >> 8 * (k % 4) & 255;
    std::uint64_t result = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint64_t choice = r[2] >> 4 * k & 15, byte = bytes[choice % 8];
      const std::uint64_t sign = byte >= 128 ? 255 : 0;
      result |= (choice >= 8 ? sign : byte) << 8 * k;
    }
    return result;
  };
  all["bmsk.clamp.b32"] = [](const Row& r) {
    std::uint64_t result = 0;
    for (std::uint64_t k = 0; k < 32; ++k)
      result |= std::uint64_t{k >= r[0] && k - r[0] < r[1]} << k;
    return result;
  };
}

}  // namespace sightline::ptx
