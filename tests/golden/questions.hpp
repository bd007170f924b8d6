// Seeded scenes, and what is asked of them: the same floats on every machine.
#pragma once

#include "tests/host/door/near_rows.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/random_fields.hpp"
#include "tests/support/random_queries.hpp"
#include "tests/support/sweeps.hpp"

#include <string>
#include <vector>

namespace sightline::testing {

/// A scene and what is asked of it, with masks and exclusions.
struct Questions {
  std::string name;
  Scene scene;
  std::vector<Ray> rays;
  std::vector<float> radii;
  RandomMovers movers;
  std::vector<SightPoint> from, to;
  std::vector<Field> fields;  ///< of `from`
  Scene shapes;               ///< that ask what they overlap: whole bodies of three and of eight
  Scene spheres;              ///< the same, of robots: so many that the cpu answers them by lanes
  QueryPoints points;
  QuerySegments segments;

  /// About n of each, drawn around another scene than the one that is asked.
  Questions(std::string name, Scene scene, const Scene& around, std::uint64_t n,
            std::uint64_t seed);
};

/// The same without masks and exclusions.
Questions without_filters(Questions q);

/// Scenes of every kind: those of tests/support and of host/gen, each shape kind alone, few shapes,
/// one and none.
std::vector<Questions> golden_questions();

/// The bytes of all that is asked, and of the scene's hash.
Bytes bytes_of_questions(const Questions& q);

}  // namespace sightline::testing
