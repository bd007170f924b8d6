// Atomics. An instruction is done lane by lane, and no other warp runs meanwhile.
#include "tests/ptx/memory.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

struct Add {
  template <class T>
  static T of(T old, T a, T) {
    return static_cast<T>(old + a);
  }
};
struct Least {
  template <class T>
  static T of(T old, T a, T) {
    return std::min(old, a);
  }
};
struct Most {
  template <class T>
  static T of(T old, T a, T) {
    return std::max(old, a);
  }
};
struct And {
  template <class T>
  static T of(T old, T a, T) {
    return old & a;
  }
};
struct Or {
  template <class T>
  static T of(T old, T a, T) {
    return old | a;
  }
};
struct Xor {
  template <class T>
  static T of(T old, T a, T) {
    return old ^ a;
  }
};
struct Exchange {
  template <class T>
  static T of(T, T a, T) {
    return a;
  }
};
struct Swap {
  template <class T>
  static T of(T old, T a, T b) {
    return old == a ? b : old;
  }
};

template <class T, class O>
void atomic(Warp& w, const Instruction& i, std::uint32_t mask) {
  each_lane(mask, [&](int lane) {
    char* const at = place(w, i, lane, sizeof(T));
    if (w.grid->weak) settle({w, i, lane, reinterpret_cast<std::uint64_t>(at), sizeof(T)});
    T old;
    std::memcpy(&old, at, sizeof old);
    const T a = source<T>(w, i.s[1])[lane];
    const T b = i.sources == 3 ? source<T>(w, i.s[2])[lane] : T{0};
    const T made = O::of(old, a, b);
    std::memcpy(at, &made, sizeof made);
    if (i.d[0].kind == Operand::Kind::reg) target<T>(w, i.d[0])[lane] = old;
  });
}

template <class T>
Handler find_ordered(std::string_view operation) {
  if (operation == "add") return atomic<T, Add>;
  if (operation == "min") return atomic<T, Least>;
  return operation == "max" ? atomic<T, Most> : nullptr;
}

template <class T>
Handler find_bits(std::string_view operation) {
  if (operation == "and") return atomic<T, And>;
  if (operation == "or") return atomic<T, Or>;
  if (operation == "xor") return atomic<T, Xor>;
  if (operation == "exch") return atomic<T, Exchange>;
  return operation == "cas" ? atomic<T, Swap> : nullptr;
}

}  // namespace

Handler find_atomic(std::string_view operation, const Type& type) {
  if (type.size != 4 && type.size != 8) return nullptr;
  const bool wide = type.size == 8;
  if (type.kind == 'b')
    return wide ? find_bits<std::uint64_t>(operation) : find_bits<std::uint32_t>(operation);
  if (type.kind == 'u')
    return wide ? find_ordered<std::uint64_t>(operation) : find_ordered<std::uint32_t>(operation);
  if (type.kind == 's')
    return wide ? find_ordered<std::int64_t>(operation) : find_ordered<std::int32_t>(operation);
  return nullptr;
}

}  // namespace sightline::ptx
