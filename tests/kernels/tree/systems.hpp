// The tree's source on Thrust's systems of the CPU, in each Thrust that was found.
#pragma once

#include "host/tree/builder.hpp"
#include "kernels/launch/launch.hpp"
#include "tests/standin/emulation.hpp"

#include <span>
#include <vector>

namespace sightline::testing {

enum class System { cpp, tbb, omp };
inline constexpr System every_system[] = {System::cpp, System::tbb, System::omp};
const char* name_of(System system);

/// How a tree is built; none of it changes a byte.
struct Building {
  standin::Emulation emulation{};
  standin::WarpOrder warps{};
};

/// What build_tree makes.
struct Tree {
  detail::Bvh bvh;
  kernels::TreeRounds rounds;
  bool was_too_deep = false;  ///< so that there is none
};
struct Order {
  std::vector<std::uint32_t> order, rank;
};
/// What widen_tree makes.
struct WideTree {
  std::vector<QuantisedNode> nodes;  ///< of which the first node_count are written
  std::vector<kernels::RecordUnit> records;
  std::vector<std::uint32_t> ids;
  std::uint32_t node_count = 0;

  kernels::WideView view() const {
    return {node_count == 0 ? nullptr : nodes.data(), records.data(), ids.data()};
  }
};

/// Thrust of one version.
struct Thrust {
  int version;
  Tree (*build_tree)(System system, const ShapesView& shapes, const kernels::Scratch& scratch,
                     const Building& building);
  double (*tree_area)(System system, const detail::Bvh& bvh, const kernels::Scratch& scratch);
  WideTree (*widen)(System system, const ShapesView& shapes, const BvhView& bvh,
                    const kernels::Scratch& scratch);
  Order (*morton_order)(System system, const PointsView& points, const kernels::Scratch& scratch);
};
extern const Thrust packaged_thrust;  ///< the system's
extern const Thrust* const cccl;      ///< the CUDA toolkit's; null where there is none
/// Those that are there.
std::span<const Thrust* const> every_thrust();

/// Host memory that is filled with rubbish before it is given out, and counted.
class CountedScratch {
 public:
  /// The allocation of this number (1 = the first) throws Error{out_of_memory}; 0: none does.
  explicit CountedScratch(std::uint64_t failing = 0) : failing_(failing) {}
  kernels::Scratch get();
  std::uint64_t calls() const { return calls_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  static void* allocate(void* self, std::size_t bytes);
  static void release(void* self, void* memory, std::size_t bytes);

  std::uint64_t failing_, calls_ = 0, bytes_ = 0, peak_bytes_ = 0;
};

/// The same on the system's Thrust, sequentially, with memory of its own.
Tree build_tree(const ShapesView& shapes, const Building& building = {});
WideTree widen(const ShapesView& shapes, const BvhView& bvh);

/// The tree by rounds of PLOC over all clusters (rounds.hpp), to which H-PLOC's is held.
Tree build_by_rounds(const ShapesView& shapes);

}  // namespace sightline::testing
