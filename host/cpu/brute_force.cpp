// The cpu backend without a tree: every shape, a vector of them at a time, on all cores. For small
// sets, and for checks: it has nothing of the trees, and computes every interval whole.
#include "host/backend/brute_force.hpp"
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {
namespace {

/// The bounds of all bounded shapes as columns.
class BoundsByColumn {
 public:
  void assign(const ShapesView& shapes) {
    const std::size_t n = shapes.bounded();
    room_ = n + 16;
    planes_.assign(6 * room_, 0.0f);
    for (std::size_t id = 0; id < n; ++id) {
      const Aabb b = bounds_of(shapes, static_cast<std::uint32_t>(id));
      const float of_box[6] = {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
      for (std::size_t k = 0; k < 6; ++k) planes_[k * room_ + id] = of_box[k];
    }
  }
  BoundsColumns view() const {
    const auto column = [&](std::size_t k) { return planes_.data() + k * room_; };
    return {{column(0), column(1), column(2)}, {column(3), column(4), column(5)}};
  }
  Aabb operator()(std::uint32_t id) const {
    const auto plane = [&](std::size_t k) { return planes_[k * room_ + id]; };
    return {{plane(0), plane(1), plane(2)}, {plane(3), plane(4), plane(5)}};
  }
  std::uint64_t bytes() const { return planes_.size() * sizeof(float); }

 private:
  std::size_t room_ = 0;
  std::vector<float> planes_;
};

/// Rays by lanes; sweeps, overlaps and distances one shape after the other.
struct AllInLanes {
  ShapesView shapes;
  const SimdKernels& simd;
  std::unique_ptr<Threads> threads;
  BoundsByColumn bounds{};

  AllInLanes(const ShapesView& all, const CpuOptions& options)
      : shapes(all),
        simd(choose_simd(options.lanes)),
        threads(std::make_unique<Threads>(options.threads)) {
    update(all);
  }
  void update(const ShapesView& all) {
    bounds.assign(all);
    shapes = all;
  }
  std::string description() const {
    return "cpu: brute force in lanes of " + std::string(simd.name) + ", " + threads->description();
  }
  std::uint64_t memory_bytes() const { return bounds.bytes(); }

  std::uint64_t part_of(std::uint64_t n) const { return threads->small_part_of(n); }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    threads->for_each_part(n, use);
  }
  template <class Use>
  void for_each_row(std::uint64_t n, const Use& use) const {
    threads->for_each_part(
        n, 1, [] { return 0; }, [&](int, std::uint64_t i, std::uint64_t) { use(i); });
  }

  template <class Q, class Leaf>
  bool along(const Q& q, const Leaf& leaf) const {
    return any_along(shapes, bounds, q, leaf);
  }
  template <class Leaf>
  bool along(const Query& q, const Leaf& leaf) const {
    if (q.ray.bad) return false;
    const auto of_block = [&](const Block& b) {
      for (std::uint32_t k = 0; k < b.count; ++k) {
        if (leaf(b.id[k], b.gate_near[k])) return true;
      }
      return false;
    };
    return any_block(q, of_block) || any_unbounded(shapes, [&](std::uint32_t id) {
             return passes_filter(q, shapes, id) && leaf(id, q.ray.t_min);
           });
  }
  template <class Q, class Limit, class Leaf>
  void along(const Q& q, const Limit&, const Leaf& leaf) const {
    along(q, leaf);
  }

  /// Calls use(id, gate_near, interval) for the shapes that count, whose gate is not empty and that
  /// the line meets, until it returns true; returns whether it did.
  template <class Use>
  bool cross(const Query& q, const Use& use) const {
    if (q.ray.bad) return false;
    const auto of_block = [&](const Block& b) {
      Interval i[most_intervals];
      for (std::uint32_t first = 0, end; first < b.count; first = end) {
        const Kind kind = shapes.kind_of(b.id[first]);
        const std::uint32_t end_of_kind = shapes.begin[static_cast<int>(kind) + 1];
        end = first + 1;
        while (end < b.count && end - first < most_intervals && b.id[end] < end_of_kind) ++end;
        simd.intervals(shapes, q.ray.line, kind, b.id + first, end - first, i);
        for (std::uint32_t k = first; k < end; ++k) {
          if (i[k - first].hit && use(b.id[k], b.gate_near[k], i[k - first])) return true;
        }
      }
      return false;
    };
    return any_block(q, of_block) || any_unbounded(shapes, [&](std::uint32_t id) {
             if (!passes_filter(q, shapes, id)) return false;
             const Interval i =
                 shapes.visit(id, [&](const auto& s) { return staged_interval(q.ray.line, s); });
             return i.hit && use(id, q.ray.t_min, i);
           });
  }

 private:
  static constexpr std::uint32_t block = 512, most_intervals = 16;

  /// Shapes whose gate is not empty.
  struct Block {
    std::uint32_t count;
    std::uint32_t id[block + 16];
    float gate_near[block + 16];
  };

  void keep_those_that_count(const Query& q, Block& b) const {
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < b.count; ++k) {
      b.id[kept] = b.id[k];
      b.gate_near[kept] = b.gate_near[k];
      kept += passes_filter(q, shapes, b.id[k]);
    }
    b.count = kept;
  }

  /// Calls use(block) until it returns true; returns whether it did.
  template <class Use>
  bool any_block(const Query& q, const Use& use) const {
    Block b;
    const BoundsColumns columns = bounds.view();
    const bool all_count = shapes.mask == nullptr && q.mask == 0xFFFFFFFFu &&
                           q.exclude[0] == none && q.exclude[1] == none &&
                           q.exclude_group[0] == none && q.exclude_group[1] == none;
    for (std::uint32_t begin = 0; begin < shapes.bounded(); begin += block) {
      const std::uint32_t end = std::min(shapes.bounded(), begin + block);
      b.count = simd.gates(columns, q.ray, begin, end, b.id, b.gate_near);
      if (!all_count) keep_those_that_count(q, b);
      if (use(b)) return true;
    }
    return false;
  }
};

/// The shape's answer to the query, given its interval.
Found found(const AllInLanes& search, const Query& q, std::uint32_t id, float gate_near,
            const Interval& i) {
  Found f = apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.policy);
  if (f.hit && q.policy.side != Side::both) {
    f.hit = search.shapes.visit(
        id, [&](const auto& s) { return on_side(q.ray.line, s, true, q.policy.side); });
  }
  return f;
}

// Found in place of the templates for any Search.
Best closest(const AllInLanes& search, const Query& q) {
  Best best;
  search.cross(q, [&](std::uint32_t id, float gate_near, const Interval& i) {
    best.offer(found(search, q, id, gate_near, i), id);
    return false;
  });
  return best;
}
bool any(const AllInLanes& search, const Query& q) {
  return search.cross(q, [&](std::uint32_t id, float gate_near, const Interval& i) {
    return found(search, q, id, gate_near, i).hit;
  });
}
bool sees(const AllInLanes& search, const SightPoint& p, const SightPoint& q,
          const SightOptions& options) {
  const SightQuery sight = sight_query(p, q, options);
  return sight.possible &&
         !search.cross(sight.query, [&](std::uint32_t, float gate_near, const Interval& i) {
           return blocks(sight.query, i, gate_near);
         });
}

}  // namespace

std::unique_ptr<CastBackend> make_brute_force_backend(const ShapesView& shapes,
                                                      const CpuOptions& options) {
  return std::make_unique<BruteForce<AllInLanes>>(AllInLanes(shapes, options));
}

}  // namespace sightline::detail
