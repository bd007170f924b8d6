// The ways in which kernels look for hits; every test of theirs goes all of them.
#pragma once

namespace sightline::testing {

enum class Way { brute_force, tree };
inline constexpr Way every_way[] = {Way::brute_force, Way::tree};
inline const char* name_of(Way way) { return way == Way::tree ? "tree" : "brute_force"; }

}  // namespace sightline::testing
