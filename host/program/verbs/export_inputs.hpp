// Tables of what verbs read: the shapes of a scene, points, and the floors of a navigation map.
#pragma once

#include "host/program/verbs/export_names.hpp"

#include <functional>
#include <optional>

namespace sightline::cli {

struct InputColumn {
  std::string name;
  std::function<void(std::uint64_t row, io::TextTable&)> put;
};

struct InputTable {
  std::string kind;
  std::uint64_t rows = 0;
  std::string number;                 ///< what the first column, the row's number, is called
  std::vector<InputColumn> columns;   ///< behind it; valid as long as they live
  std::vector<std::string> comments;  ///< above the header of CSV
};

/// The table of a file of this kind, as io::kind_of_file tells it; nothing where there is none.
/// `scene`: of a map, whose shapes' names are told instead of their ids, or "".
std::optional<InputTable> open_input(Job& job, const std::string& file, const std::string& kind,
                                     const std::string& scene);

/// Writes the table as its ending says: JSON, or CSV. Throws Error{io}.
void write_table(const InputTable& input, const std::string& output);

}  // namespace sightline::cli
