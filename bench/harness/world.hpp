// What benchmarks and duels ask about: a scene with its rays and points, made when first asked for,
// and the places where its questions are answered.
#pragma once

#include "bench/harness/query_batch.hpp"
#include "bench/harness/timing.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/gen/rays.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sightline::bench {

/// How much is asked of each scene.
struct Load {
  std::uint64_t count = 1 << 20;  ///< rays of a kind, pairs of a matrix; of other queries an eighth
  std::uint64_t seed = 1;         ///< of scenes, rays and queries
  std::string points = {};        ///< a file: viewpoints and targets of matrices, each for each
};

/// Viewpoints and targets, each for each.
struct Points {
  std::vector<Vec3> from, to;
  PointsView viewpoints() const { return view(from); }
  PointsView targets() const { return view(to); }
  static PointsView view(const std::vector<Vec3>& places) { return places; }
};

/// A scene and all that is asked about it. What it returns lives as long as it does.
class World {
 public:
  /// Of a standard kind, or a file's, whose number of shapes counts.
  World(const std::string& scene, std::uint64_t shapes, const Load& load);
  /// The same, kept until another is asked for: scenes are large.
  static World& of(const std::string& scene, std::uint64_t shapes, const Load& load);

  /// As it was named.
  const std::string& name() const { return name_; }
  const Scene& scene() const { return scene_; }
  const Load& load() const { return load_; }
  /// coherent, incoherent, los, matrix (the segments of points(), row by row), or a file.
  const RaysView& rays(const std::string& kind);
  /// The same, of standard rays or of a matrix.
  const gen::RaySet& ray_set(const std::string& kind) {
    rays(kind);
    return sets_.at(kind);
  }
  double redrawn_share(const std::string& kind) const { return redrawn_.at(kind); }
  /// So many that there are about load().count pairs, a multiple of 64: the ends of lines of sight,
  /// or those of the file, against themselves.
  const Points& points();
  /// Of QueryBatch, an eighth of load().count.
  const QueryBatch& queries(const std::string& kind);
  /// Its tree, kept until another is asked for.
  const Caster& caster(const CasterOptions& options);
  /// Brute force over the scene.
  const Caster& judge();

 private:
  const gen::RayRegion& region();
  gen::RaySet make_rays(gen::RayKind kind, std::uint64_t count);
  gen::RaySet segments();

  std::string name_;
  Load load_;
  std::optional<gen::SceneKind> kind_;
  Scene scene_;
  std::optional<gen::RayRegion> region_;
  std::map<std::string, gen::RaySet> sets_;
  std::map<std::string, io::RayBuffer> buffers_;
  std::map<std::string, RaysView> rays_;
  std::map<std::string, double> redrawn_;
  std::map<std::string, QueryBatch> queries_;
  std::optional<Points> points_;
  std::optional<Caster> caster_, judge_;
  CasterOptions built_for_;
};

/// Where questions are answered.
struct Place {
  std::string name;  ///< avx2/threads:1, cuda, reference
  CasterOptions options = CpuOptions{};
  Timing timing = {};

  /// Whether it is the backend of these options.
  template <class Options>
  bool is() const {
    return std::holds_alternative<Options>(options);
  }
};
/// The cpu's lanes by widths that the processor has, the widest first, each with these threads.
std::vector<Place> cpu_places(const std::vector<int>& threads, Clock clock);
/// avx512, avx2 or portable, on which the caster runs; "" where it has no lanes.
std::string lanes_of(const Caster& caster);
/// Of such a name, or "auto": as wide as the processor has. Throws Error{usage}.
Lanes lanes_named(const std::string& name);

}  // namespace sightline::bench
