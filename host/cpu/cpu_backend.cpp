// The cpu backend: a tree and all cores.
#include "host/cpu/lanes/tracers.hpp"
#include "host/cpu/queries/queries.hpp"
#include "host/cpu/queries/sight.hpp"
#include "host/tree/moving_tree.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// The answer of a record, without its normal, as by hit_of() of cast.hpp. Without branches: which
/// rays hit is unpredictable.
Hit hit_of(const RayRecord& r, float t_min, float t_max) {
  ScaledRay ray{};
  ray.exponent = record_flags::exponent_of(r.flags);
  const float t = unscaled_t(ray, r.reach, t_min, t_max);
  const std::uint32_t is_hit = r.best != none;
  const std::uint32_t inside = (r.flags & record_flags::started_inside) != 0;
  const std::uint32_t bad = (r.flags & record_flags::bad) != 0;
  return {float_of(is_hit != 0 ? bits_of(t) : bits_of(infinity)),
          r.best,
          static_cast<std::uint8_t>(is_hit * hit_flags::hit |
                                    (is_hit & inside) * hit_flags::started_inside |
                                    bad * hit_flags::bad_ray),
          {0, 0, 0}};
}

/// Calls one(k, i, record) for each ray, of place i, and counts it. All by value: see TracedRays.
template <class One>
void for_each(TracedRays traced, std::uint64_t begin, CastReport& seen, One one) {
  std::uint64_t hits = 0;
  for (std::uint32_t k = 0; k < traced.count; ++k) {
    const RayRecord& r = traced.records[k];
    const std::uint32_t i = traced.place(k);
    one(k, i, r);
    hits += r.best != none;
    if ((r.flags & record_flags::bad) != 0) add_bad_ray(seen, begin + i);
  }
  seen.hits += hits;
}

/// Writes the answers, without normals, to their places.
void store_hits(const TracedRays& traced, std::uint64_t begin, CastReport& seen,
                const RaysView& rays, const HitsView& hits) {
  constexpr std::uint32_t ahead = 16;
  for_each(traced, begin, seen,
           [traced, hits, t_min = rays.t_min, t_max = rays.t_max](std::uint32_t k, std::uint32_t i,
                                                                  const RayRecord& r) {
             const std::uint32_t later = traced.place(std::min(k + ahead, traced.count - 1));
             if (hits.t != nullptr) __builtin_prefetch(hits.t + later, 1);
             if (hits.id != nullptr) __builtin_prefetch(hits.id + later, 1);
             if (hits.flags != nullptr) __builtin_prefetch(hits.flags + later, 1);
             const Hit hit = hit_of(r, t_min[i], t_max[i]);
             if (hits.t != nullptr) hits.t[i] = hit.t;
             if (hits.id != nullptr) hits.id[i] = hit.id;
             if (hits.flags != nullptr) hits.flags[i] = hit.flags;
           });
}

/// The centre of the tree and the mean size of its leaves, from a sample of its nodes.
SceneScale scale_of(const WideBvh& bvh) {
  if (bvh.nodes.empty()) return {};
  double extents = 0;
  std::uint64_t leaves = 0;
  const std::size_t step = bvh.nodes.size() / 1024 + 1;
  for (std::size_t i = 0; i < bvh.nodes.size(); i += step) {
    for (int c = 0; c < wide_width; ++c) {
      const Aabb box = box_of(bvh.nodes[i], c);
      if (!is_leaf(bvh.nodes[i].child[c]) || is_empty(box)) continue;
      extents += double{box.max.x - box.min.x} + (box.max.y - box.min.y) + (box.max.z - box.min.z);
      ++leaves;
    }
  }
  Aabb all = empty_aabb();
  for (int c = 0; c < wide_width; ++c) all = unite(box_of(bvh.nodes[0], c), all);
  const auto middle = [](float a, float b) { return a / 2 + b / 2; };
  return {
      {middle(all.min.x, all.max.x), middle(all.min.y, all.max.y), middle(all.min.z, all.max.z)},
      leaves == 0 ? 0.0f : static_cast<float>(extents / (3 * static_cast<double>(leaves)))};
}

class CpuBackend final : public CastBackend {
 public:
  CpuBackend(const ShapesView& shapes, const CasterOptions& options)
      : shapes_(shapes), threads_(options.threads), tracer_(tracer_for(options.lanes)) {
    threads_.run([&] { tree_ = build_tree(shapes_); });
    measure_scene();
  }

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    const auto store = [&](const TracedRays& traced, std::uint64_t begin, CastReport& seen) {
      store_hits(traced, begin, seen, rays.slice(begin, rays.count - begin), hits.from(begin));
      if (hits.normal == nullptr) return;
      for (std::uint32_t k = 0; k < traced.count; ++k) {
        const std::uint64_t i = begin + traced.place(k);
        const Hit hit = hit_of(traced.records[k], 0, 0);
        hits.normal[i] = hit.id == none ? hit.normal : normal_of(rays[i], hit, inside);
      }
    };
    const auto answers = [&](std::uint64_t first) {
      return PacketAnswers{hits.from(first), nullptr};
    };
    const auto done = [&](std::uint64_t first) {
      if (hits.normal == nullptr) return;
      const std::uint64_t end = first + static_cast<std::uint64_t>(tracer_.packet_size);
      for (std::uint64_t i = first; i < end; ++i) {
        const Hit hit = {0, hits.id[i], hits.flags[i], {0, 0, 0}};
        hits.normal[i] = hit.id == none ? hit.normal : normal_of(rays[i], hit, inside);
      }
    };
    // A packet's normals are computed from its ids and flags.
    const bool packets = hits.normal == nullptr || (hits.id != nullptr && hits.flags != nullptr);
    return for_each_ray(rays, RayQuery::closest, inside, store, packets, answers, done);
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    // Parts begin at multiples of 64, so that no two share a word.
    std::fill(blocked, blocked + bit_words(rays.count), 0);
    const auto store = [&](const TracedRays& traced, std::uint64_t begin, CastReport& seen) {
      for_each(traced, begin, seen,
               [words = blocked + begin / 64](std::uint32_t, std::uint32_t i, const RayRecord& r) {
                 words[i / 64] |= std::uint64_t{r.best != none} << i % 64;
               });
    };
    const auto answers = [&](std::uint64_t first) {
      return PacketAnswers{{}, blocked + first / 64};
    };
    const auto nothing = [](std::uint64_t) {};
    return for_each_ray(rays, RayQuery::any, inside, store, true, answers, nothing);
  }

  CastReport closest_hit(const SweepsView& sweeps, const HitsView& hits,
                         Inside inside) const override {
    return cpu_closest_hit(search(), sweeps, hits, inside);
  }
  CastReport any_hit(const SweepsView& sweeps, std::uint64_t* blocked,
                     Inside inside) const override {
    return cpu_any_hit(search(), sweeps, blocked, inside);
  }

  HitRowsReport count_hits(const RaysView& rays, std::uint32_t* counts,
                           Inside inside) const override {
    return cpu_count_hits(search(), rays, counts, inside);
  }
  HitRowsReport all_hits(const RaysView& rays, HitRows& rows,
                         const HitRowsOptions& options) const override {
    return cpu_all_hits(search(), rays, rows, options);
  }

  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::uint64_t* bits, const SightOptions& options) const override {
    return cpu_visibility(cast(), viewpoints, nullptr, targets, bits, options);
  }
  VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                              const PointsView& targets, std::uint64_t* bits,
                              const SightOptions& options) const override {
    return cpu_visibility(cast(), viewpoints, &fields, targets, bits, options);
  }
  VisibilityReport visibility(const PointsView& points, std::uint64_t* bits,
                              const SightOptions& options) const override {
    return cpu_visibility(cast(), points, bits, options);
  }
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::uint64_t* bits,
                                    const SightOptions& options) const override {
    return cpu_visibility_pairs(cast(), from, to, bits, options);
  }

  OverlapReport overlap_any(const ShapesView& queries, std::uint64_t* bits) const override {
    return cpu_overlap_any(search(), queries, bits);
  }
  OverlapReport overlap_count(const ShapesView& queries, std::uint32_t* counts) const override {
    return cpu_overlap_count(search(), queries, counts);
  }
  OverlapRows overlap_all(const ShapesView& queries) const override {
    return cpu_overlap_all(search(), queries);
  }

  NearestReport nearest(const PointsView& points, std::uint32_t k, float range,
                        const NearestView& out) const override {
    return cpu_nearest(search(), points, k, range, out);
  }
  NearestReport clearance(const PointPairsView& segments, std::uint32_t k, float range,
                          const ClearanceView& out) const override {
    return cpu_clearance(search(), segments, k, range, out);
  }

  /// The old tree is kept until nothing can throw any more.
  void update(const ShapesView& shapes, Update how) override {
    MovingTree tree;
    threads_.run([&] { tree = updated(tree_, shapes, how); });
    tree_ = std::move(tree);
    shapes_ = shapes;
    measure_scene();
  }

  std::string description() const override {
    return "cpu: tree of eight children a node, lanes of " + std::string(tracer_.name) + ", " +
           std::to_string(threads_.count()) + (threads_.count() == 1 ? " thread" : " threads");
  }
  std::uint64_t memory_bytes() const override { return tree_.bvh.nodes.size() * sizeof(WideNode); }

 private:
  void measure_scene() {
    scale_ = scale_of(tree_.bvh);
    has_zero_mask_ = has_zero_mask(shapes_);
  }

  CpuCast cast() const {
    const auto& nodes = tree_.bvh.nodes;
    return {{nodes.empty() ? nullptr : nodes.data(), nodes.size(), tree_.bvh.depth, shapes_, scale_,
             has_zero_mask_},
            tracer_,
            threads_,
            pools_};
  }

  TreeSearch search() const { return {tree_.bvh, shapes_, threads_}; }

  Vec3 normal_of(const Ray& ray, const Hit& hit, Inside inside) const {
    const Query q = make_query(ray, inside);
    const bool started_inside = (hit.flags & hit_flags::started_inside) != 0;
    return shapes_.visit(
        hit.id, [&](const auto& shape) { return normal_of_hit(q, shape, started_inside); });
  }

  /// Calls store(traced, begin, seen) for answered rays, whose places count from `begin`, a
  /// multiple of 64. With `packets`, rays of packets are answered to answers(first) instead, and
  /// done(first) follows.
  template <class Store, class Answers, class Done>
  CastReport for_each_ray(const RaysView& rays, RayQuery query, Inside inside, const Store& store,
                          bool packets, const Answers& answers, const Done& done) const {
    const CpuCast cpu = cast();
    ReportSum<CastReport> sum;
    threads_.for_each_part(
        rays.count, cpu.part_of(rays.count),
        [&] { return RayBatches(cpu.scene, tracer_, query, inside, pools_); },
        [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
          CastReport seen{end - begin};
          std::atomic<std::uint64_t> packet_hits{0};
          const RaysView here = rays.slice(begin, end - begin);
          std::vector<RayRun> others = {{0, static_cast<std::uint32_t>(here.count)}};
          if (packets) {
            others = trace_packets(
                cpu.scene, tracer_, here, query, inside,
                [&](std::uint32_t first) { return answers(begin + first); },
                [&](std::uint32_t first, int hits) {
                  packet_hits += static_cast<std::uint64_t>(hits);
                  done(begin + first);
                });
          }
          batches.set_grid(grid_over(here, query == RayQuery::any));
          batches.trace_runs(here, others,
                             [&](const TracedRays& traced) { store(traced, begin, seen); });
          seen.hits += packet_hits;
          sum += seen;
        });
    return sum.total();
  }

  ShapesView shapes_;
  Threads threads_;
  const Tracer& tracer_;
  MovingTree tree_;
  SceneScale scale_{};
  bool has_zero_mask_ = false;
  mutable RayPools pools_;
};

}  // namespace

std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options) {
  return std::make_unique<CpuBackend>(shapes, options);
}

}  // namespace sightline::detail
