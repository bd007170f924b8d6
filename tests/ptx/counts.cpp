// How often each instruction was executed, by kernel and source line: see count.py.
#include "tests/ptx/engine.hpp"

#include <cstdlib>
#include <fstream>

namespace sightline::ptx {
namespace {

/// A row for each place of a function: what its instructions were executed in all, and the first
/// of them alone, which tells how often the place was entered; and those that move.
void write_function(std::ostream& out, const Function& f) {
  struct Row {
    std::uint64_t all = 0, first = 0, moves = 0, instructions = 0;
  };
  std::map<std::uint32_t, Row> rows;
  for (std::size_t k = 0; k < f.code.size(); ++k) {
    Row& row = rows[f.code[k].source];
    if (row.instructions++ == 0) row.first = f.executed[k];
    row.all += f.executed[k];
    if (f.code[k].is_move) row.moves += f.executed[k];
  }
  for (const auto& [place, row] : rows) {
    if (row.all == 0) continue;
    out << f.name << '\t' << f.launches << '\t' << f.threads << '\t' << row.all << '\t' << row.first
        << '\t' << row.moves << '\t' << name_of(*f.module, place, true) << '\n';
  }
}

void write_all() {
  std::ofstream out(std::getenv("SIGHTLINE_PTX_COUNTS"));
  out << "kernel\tlaunches\tthreads\texecuted\tfirst\tmoves\tplace\n";
  for (const Module& m : modules()) {
    for (const auto& [name, f] : m.functions) write_function(out, f);
  }
}

}  // namespace

std::string name_of(const Module& module, std::uint32_t place, bool with_callers) {
  const Place& p = module.places[place];
  const auto file = module.files.find(p.file);
  std::string name =
      (file == module.files.end() ? "?" : file->second) + ":" + std::to_string(p.line);
  if (with_callers && p.caller != 0) name += "<" + name_of(module, p.caller, true);
  return name;
}

void count_at_exit() {
  static const bool once =
      std::getenv("SIGHTLINE_PTX_COUNTS") != nullptr && std::atexit(write_all) == 0;
  static_cast<void>(once);
}

}  // namespace sightline::ptx
