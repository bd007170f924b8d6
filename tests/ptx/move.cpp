// Registers, special registers and addresses into registers.
#include "tests/ptx/lanes.hpp"

namespace sightline::ptx {
namespace {

template <class T>
void copy(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) { return a[lane]; });
}

void copy_predicate(Warp& w, const Instruction& i, std::uint32_t mask) {
  set_predicate(w, i.d[0], predicate(w, i.s[0]), mask);
}

std::uint32_t special_value(const Warp& w, Special which, std::uint32_t lane) {
  const Dim block = w.grid->launch->block, grid = w.grid->launch->grid, id = w.block->id;
  const std::uint32_t thread = w.index * warp_lanes + lane;
  const std::uint32_t below = (1u << lane) - 1, here = 1u << lane;
  switch (which) {
    case Special::tid_x:
      return thread % block.x;
    case Special::tid_y:
      return thread / block.x % block.y;
    case Special::tid_z:
      return thread / block.x / block.y;
    case Special::ntid_x:
      return block.x;
    case Special::ntid_y:
      return block.y;
    case Special::ntid_z:
      return block.z;
    case Special::ctaid_x:
      return id.x;
    case Special::ctaid_y:
      return id.y;
    case Special::ctaid_z:
      return id.z;
    case Special::nctaid_x:
      return grid.x;
    case Special::nctaid_y:
      return grid.y;
    case Special::nctaid_z:
      return grid.z;
    case Special::laneid:
      return lane;
    case Special::mask_eq:
      return here;
    case Special::mask_le:
      return below | here;
    case Special::mask_lt:
      return below;
    case Special::mask_ge:
      return ~below;
    case Special::mask_gt:
      return ~(below | here);
    case Special::smid:
      return 0;
    case Special::nsmid:
      return 4;
  }
  return 0;
}

void copy_special(Warp& w, const Instruction& i, std::uint32_t mask) {
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) {
    return special_value(w, static_cast<Special>(i.s[0].slot), static_cast<std::uint32_t>(lane));
  });
}

template <class T>
void copy_address(Warp& w, const Instruction& i, std::uint32_t mask) {
  put_each(target<T>(w, i.d[0]), mask,
           [&](int lane) { return static_cast<T>(address_of(w, i.s[0], lane)); });
}

void pack_wide(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  put(target<std::uint64_t>(w, i.d[0]), mask,
      [&](int lane) { return std::uint64_t{b[lane]} << 32 | a[lane]; });
}

void pack_word(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  put(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) { return b[lane] << 16 | a[lane]; });
}

/// Where both halves are wanted, the first may lie where the source does.
template <class T, int bits>
void unpack(Warp& w, const Instruction& i, std::uint32_t mask) {
  constexpr T low = (T{1} << bits) - 1;
  T a[warp_lanes];
  std::memcpy(a, source<T>(w, i.s[0]), sizeof a);
  for (int half = 0; half < 2; ++half) {
    if (i.d[half].kind != Operand::Kind::reg) continue;
    put(target<std::uint32_t>(w, i.d[half]), mask,
        [&](int lane) { return static_cast<std::uint32_t>(a[lane] >> half * bits & low); });
  }
}

/// Shared memory has addresses of its own; all others are the host's.
template <bool to_shared>
void convert_address(Warp& w, const Instruction& i, std::uint32_t mask) {
  const std::uint64_t base = reinterpret_cast<std::uint64_t>(w.block->memory()) - shared_base;
  const auto* a = source<std::uint64_t>(w, i.s[0]);
  put(target<std::uint64_t>(w, i.d[0]), mask,
      [&](int lane) { return to_shared ? a[lane] - base : a[lane] + base; });
}

Handler find_cvta(const Instruction& i, const std::vector<std::string_view>& parts) {
  const bool to = parts.size() == 4 && parts[1] == "to";
  if (parts.back() != "u64" || parts.size() != (to ? 4 : 3)) return nullptr;
  const std::string_view space = parts[to ? 2 : 1];
  if (i.s[0].kind == Operand::Kind::symbol) {
    return space == "shared" || to ? nullptr : copy_address<std::uint64_t>;
  }
  if (space == "shared") return to ? convert_address<true> : convert_address<false>;
  return space == "global" || space == "local" || space == "param" ? copy<std::uint64_t> : nullptr;
}

}  // namespace

Handler find_move(const Instruction& i, const std::vector<std::string_view>& parts) {
  if (parts[0] == "cvta") return find_cvta(i, parts);
  Type type;
  if (parts.size() != 2 || !find_type(parts[1], type) || type.size == 1) return nullptr;
  const bool wide = type.file == File::wide;
  if (type.file == File::predicate) return copy_predicate;
  const bool packs = i.sources == 2;
  const bool unpacks = i.d[1].kind != Operand::Kind::none;
  if (packs || unpacks) {
    if (type.kind != 'b' || type.file == File::half || (packs && unpacks)) return nullptr;
    if (packs) return wide ? pack_wide : pack_word;
    return wide ? unpack<std::uint64_t, 32> : unpack<std::uint32_t, 16>;
  }
  if (i.s[0].kind == Operand::Kind::special) return type.size == 4 ? copy_special : nullptr;
  if (i.s[0].kind == Operand::Kind::symbol) {
    return wide ? copy_address<std::uint64_t> : copy_address<std::uint32_t>;
  }
  return wide ? copy<std::uint64_t> : copy<std::uint32_t>;
}

const Forms& forms() {
  static const Forms all = [] {
    Forms made;
    add_arithmetic(made);
    add_bits(made);
    add_comparisons(made);
    add_conversions(made);
    return made;
  }();
  return all;
}

}  // namespace sightline::ptx
