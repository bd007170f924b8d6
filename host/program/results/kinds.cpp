#include "host/program/results/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

struct NamedKind {
  std::string_view name;
  bool flat;  ///< of a set of 2D shapes
  std::unique_ptr<Result> (*make)();
};

template <auto make, auto query>
std::unique_ptr<Result> of() {
  return make(query);
}

using Cast = CastQueryKind;
using Overlap = OverlapQueryKind;

constexpr NamedKind all_kinds[] = {
    {"hits", false, of<new_rays, Cast::closest>},
    {"blocked", false, of<new_rays, Cast::any>},
    {"hit counts", false, of<new_rays, Cast::count>},
    {"all hits", false, of<new_rays, Cast::all>},
    {"sweep", false, new_sweep},
    {"overlap any", false, of<new_overlaps, Overlap::any>},
    {"overlap count", false, of<new_overlaps, Overlap::count>},
    {"overlap all", false, of<new_overlaps, Overlap::all>},
    {"hits", true, new_segments},
    {"overlap any", true, of<new_circles, Overlap::any>},
    {"overlap count", true, of<new_circles, Overlap::count>},
    {"overlap all", true, of<new_circles, Overlap::all>},
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
  for (const NamedKind& kind : all_kinds) {
    if (named != metadata.end() && named->second == kind.name && kind.flat == flat) {
      return kind.make();
    }
  }
  if (named != metadata.end() && !is_result_kind(named->second)) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: is of kind {}, not a result", file,
                                                  io::quote_name(named->second)));
  }
  Parameters(file, metadata).fail(named == metadata.end() ? io::kind_key : "query.dimensions");
}

bool is_result_kind(std::string_view name) {
  return std::any_of(std::begin(all_kinds), std::end(all_kinds),
                     [&](const NamedKind& kind) { return kind.name == name; });
}

}  // namespace sightline::cli
