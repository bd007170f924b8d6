#include "host/program/results/kinds.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

struct Kind {
  std::string_view name;
  bool flat;  ///< of a set of 2D shapes
  std::unique_ptr<Result> (*make)();
};

constexpr Kind kinds[] = {
    {"hits", false, new_hits},
    {"blocked", false, new_blocked},
    {"hit counts", false, new_hit_counts},
    {"all hits", false, new_all_hits},
    {"sweep", false, new_sweep},
    {"overlap any", false, new_overlap_any},
    {"overlap count", false, new_overlap_count},
    {"overlap all", false, new_overlap_all},
    {"hits", true, new_segments},
    {"overlap any", true, new_circles_any},
    {"overlap count", true, new_circles_count},
    {"overlap all", true, new_circles_all},
    {"distance", false, new_distance},
    {"clearance", false, new_clearance},
    {"visibility", false, new_visibility},
    {"area visibility", false, new_area_visibility},
    {"visible sets", false, new_visible_sets},
    {"exposure", false, new_exposure},
    {"probes", false, new_probes},
    {"cover", false, new_cover},
};

}  // namespace

std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata) {
  const auto named = metadata.find(io::kind_key);
  const bool flat = metadata.contains("query.dimensions");
  for (const Kind& kind : kinds) {
    if (named != metadata.end() && named->second == kind.name && kind.flat == flat) {
      return kind.make();
    }
  }
  Parameters(file, metadata)
      .fail(named == metadata.end() || !is_result_kind(named->second) ? io::kind_key
                                                                      : "query.dimensions");
}

bool is_result_kind(std::string_view name) {
  return std::any_of(std::begin(kinds), std::end(kinds),
                     [&](const Kind& kind) { return kind.name == name; });
}

}  // namespace sightline::cli
