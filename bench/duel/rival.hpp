// Ray casters of others that `bench` can hold ours against. The program has none; the build of the
// benchmarks puts them in: bench/rivals.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>
#include <sightline/ray.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sightline::bench {

/// A scene built by a rival. Not thread-safe: it uses threads of its own.
class RivalScene {
 public:
  RivalScene() = default;
  RivalScene(const RivalScene&) = delete;
  RivalScene& operator=(const RivalScene&) = delete;
  virtual ~RivalScene() = default;

  /// Held for the scene, its shapes included, in bytes.
  virtual std::uint64_t memory_bytes() const = 0;
  /// Names of the ways to cast: single rays, packets, sorted first ...
  virtual std::vector<std::string> ways() const = 0;

  // Rays and answers are those of Caster, in the rival's own arithmetic; `way` is an index of
  // ways(). Masks and exclusions of rays are not looked at. What a way does to the rays first, such
  // as sorting them, is part of the call.

  /// t [n] (+inf for a miss), id [n] (none for a miss).
  virtual void closest_hit(std::size_t way, const RaysView& rays, float* t, std::uint32_t* id) = 0;
  /// blocked [ceil(n/64)].
  virtual void any_hit(std::size_t way, const RaysView& rays, std::uint64_t* blocked) = 0;
};

/// A program or library of others.
class Rival {
 public:
  Rival() = default;
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
  virtual ~Rival() = default;

  /// What --against calls it.
  virtual std::string name() const = 0;
  /// One line: name, version, instruction set.
  virtual std::string description() const = 0;
  /// Why it cannot be used here and how to change that, a sentence; "": it can. Nothing below may
  /// be called before it has been asked.
  virtual std::string problem() const { return {}; }
  /// Names of the ways to build a scene; the first is the one whose build counts.
  virtual std::vector<std::string> variants() const = 0;
  /// `variant` is an index of variants(); the view must outlive the scene. Null where the variant
  /// has nothing of its own for such shapes. Throws Error{usage} for shapes that the rival cannot
  /// hold, naming the kind.
  virtual std::unique_ptr<RivalScene> build(std::size_t variant, const ShapesView& shapes,
                                            int threads) const = 0;
};

/// All rivals of this build.
std::vector<std::unique_ptr<Rival>> make_rivals();

}  // namespace sightline::bench
