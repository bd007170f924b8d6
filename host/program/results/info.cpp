// What info tells of results.
#include "host/program/checks/info.hpp"

#include "host/program/engine/bytes.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include <fmt/format.h>

namespace sightline::cli {

void tell_result(const Facts& facts, const std::string& name) {
  const ResultFile file(name);
  Result& r = file.result();
  io::JobCounts counts;
  file.for_each_block([&](Block& block) { r.tally(block, counts); });
  Parameters reported(facts.job());
  r.visit(reported);
  facts.add("/counts/" + std::string(r.names.counts), std::string(r.names.unit), r.grid().cells());
  for (const Counted& c : r.counted(counts)) {
    if (c.told == Told::by_runs || c.told == Told::by_reports) continue;
    facts.job().set(Result::key_of(c), c.value);
    facts.line(c.words, c.of == 0 ? grouped(c.value)
                                  : fmt::format("{} of {} ({:.2f}%)", grouped(c.value),
                                                grouped(c.of), percent(c.value, c.of)));
  }
}

}  // namespace sightline::cli
