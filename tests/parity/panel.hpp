// One scene under every way to cast in it, and the comparison of their answers byte by byte.
#pragma once

#include "tests/support/answers.hpp"
#include "tests/support/every_query.hpp"
#include "tests/support/trouble.hpp"

#include <atomic>
#include <mutex>
#include <string>

namespace sightline::testing {

/// What all panels add to.
struct Totals {
  std::atomic<std::uint64_t> scenes{0}, pairs{0}, sight_pairs{0}, asked{0}, hits{0}, differing{0};
  std::mutex output;
  /// Prints the first ten.
  void complain(const std::string& what);
};

/// The cpu backend is the judge of the panel, the reference judges samples of the cpu's answers,
/// and the members are casters of the cuda backend: by a tree built on the device, by the cpu's
/// tree, and (small scenes) by brute force.
class Panel {
 public:
  /// `name` says how to make the scene again. `chunk` is CasterOptions::chunk of the members.
  Panel(const Scene& scene, std::string name, int threads, std::uint64_t chunk, Totals& totals);

  /// Closest hit with normals and any hit, of every ray. The reference answers the first `sample`.
  void cast(const RaysView& rays, Inside inside, std::uint64_t sample);
  /// Points against points, a set against itself, and pair by pair; the reference sees the
  /// first `sample` pairs.
  void see(const PointsView& from, const PointsView& to, const VisibilityOptions& options,
           std::uint64_t sample);
  /// Every query of the table, of n rays, points or shapes; the reference answers 50 of its own.
  void ask(std::uint64_t n, std::uint64_t seed);
  /// The shapes have moved.
  void update(const Scene& scene, Update how);

 private:
  struct Member {
    std::string name;
    Caster caster;
    CasterOptions options;
  };
  void differ(const Member& member, const std::string& query, const std::string& where);

  Totals& totals_;
  std::string name_;
  int threads_;
  Caster judge_, reference_;
  std::vector<Member> members_;
};

}  // namespace sightline::testing
