#include "host/cli/results/kinds.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

struct Kind {
  std::string_view name;
  bool flat;  ///< of a set of 2D shapes
  std::unique_ptr<Result> (*make)();
};

constexpr Kind kinds[] = {
    {"distance", false, new_distance},
    {"clearance", false, new_clearance},
    {"visibility", false, new_visibility},
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
