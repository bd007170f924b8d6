// The ways in which kernels look for hits; every test of theirs goes all of them.
#pragma once

namespace sightline::testing {

enum class Way { brute_force, binary, wide4, wide8 };
inline constexpr Way every_way[] = {Way::brute_force, Way::binary, Way::wide4, Way::wide8};
inline const char* name_of(Way way) {
  constexpr const char* names[] = {"brute_force", "binary", "wide4", "wide8"};
  return names[static_cast<int>(way)];
}

}  // namespace sightline::testing
