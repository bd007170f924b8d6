// One scene under every way to cast in it, and the comparison of their answers byte by byte.
#pragma once

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/cuda_matrices.hpp"
#include "tests/support/every_query.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

namespace sightline::testing {

/// What all panels add to.
struct Totals {
  std::atomic<std::uint64_t> scenes{0}, pairs{0}, sight_pairs{0}, asked{0}, hits{0}, differing{0};
  std::mutex output;
  /// Prints the first ten.
  void complain(const std::string& what);
};

/// The judge answers everything, the reference judges samples of the judge's answers, and the
/// members are casters of the backend that is tested. The judge of the cuda backend is the cpu's;
/// members are a tree built on the device, the cpu's tree, and (small scenes) brute force; matrices
/// are traced in the ways of large ones, too. The judge of the cpu backend is its brute force, over
/// many shapes its tree by four lanes; members are its tree by every set of lanes that the
/// processor has.
class Panel {
 public:
  /// `name` says how to make the scene again. `chunk` is CudaOptions::chunk of the members.
  Panel(const Scene& scene, std::string name, Backend tested, int threads, std::uint64_t chunk,
        Totals& totals);

  /// Closest hit with normals and any hit, of every ray. The reference answers the first `sample`.
  void cast(const RaysView& rays, RayPolicy policy, std::uint64_t sample);
  /// Points against points, a set against itself, and pair by pair; the reference sees the
  /// first `sample` pairs.
  void see(const PointsView& from, const PointsView& to, const VisibilityOptions& options,
           std::uint64_t sample);
  /// Every query of the table, of n rays, points or shapes, of at most 300 that meet as many; the
  /// reference answers 50 of its own.
  void ask(std::uint64_t n, std::uint64_t seed);
  /// The shapes have moved.
  void update(const Scene& scene, Update how);

 private:
  struct Member {
    std::string name;
    Caster caster;
    CasterOptions options;
  };
  void differ(const std::string& member, const std::string& query, const std::string& where);

  Totals& totals_;
  std::string name_;
  CpuOptions judged_;  ///< the judge's options
  Caster judge_, reference_;
  std::vector<Member> members_;
  std::optional<CudaMatrices> matrices_;  ///< of the cuda backend
};

}  // namespace sightline::testing
