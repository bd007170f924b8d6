// The backends that one test body is run on, and what each is given to do.
#pragma once

#include "tests/support/scale.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sightline::testing {

struct BackendCase {
  const char* name;
  Backend backend;
  CasterOptions options;
};

inline constexpr Search by_brute_force = Search::brute_force, by_tree = Search::tree;

inline CpuOptions with_lanes(Lanes lanes) { return {.threads = 3, .lanes = lanes}; }

inline CpuOptions by_brute_force_with(Lanes lanes) {
  CpuOptions options = with_lanes(lanes);
  options.search = by_brute_force;
  return options;
}

/// The judge, the host by its widest lanes, by others and without a tree, and the device in each of
/// its ways: chunks of one granule and of many.
inline const BackendCase every_backend[] = {
    {"reference", Backend::reference, ReferenceOptions{}},
    {"cpu", Backend::cpu, CpuOptions{2}},
    {"cpu_avx2", Backend::cpu, with_lanes(Lanes::avx2)},
    {"cpu_portable", Backend::cpu, with_lanes(Lanes::portable)},
    {"cpu_brute_force", Backend::cpu, by_brute_force_with(Lanes::automatic)},
    {"cpu_brute_force_portable", Backend::cpu, by_brute_force_with(Lanes::portable)},
    {"cuda", Backend::cuda, CudaOptions{}},
    {"cuda_fast_tree", Backend::cuda, CudaOptions{0, by_tree, TreeBuild::fast, 64}},
    {"cuda_careful_tree", Backend::cuda, CudaOptions{0, by_tree, TreeBuild::careful, 100}},
    {"cuda_brute_force", Backend::cuda, CudaOptions{0, by_brute_force, TreeBuild::fast, 1000}},
};

/// Those of the host by other lanes than its widest, and without a tree.
inline std::span<const BackendCase> lane_cases() { return std::span(every_backend).subspan(2, 4); }

/// Those of the device alone.
inline std::span<const BackendCase> cuda_cases() { return std::span(every_backend).subspan(6); }

/// Why there is no CUDA device; empty: there is one.
inline std::string cuda_problem() { return cuda_devices().problem; }

/// A test body for each of them; without a device the device's are skipped.
class EveryBackend : public ::testing::TestWithParam<BackendCase> {
 protected:
  void SetUp() override {
    if (GetParam().backend != Backend::cuda) return;
    const std::string problem = cuda_problem();
    if (problem.empty()) return;
    if (on_standin()) FAIL() << "the stand-in is no device: " << problem;
    GTEST_SKIP() << problem;
  }
  Caster caster(Scene scene) const { return Caster(std::move(scene), GetParam().options); }
};

inline std::string name_of_backend(const ::testing::TestParamInfo<BackendCase>& test) {
  return test.param.name;
}

}  // namespace sightline::testing
