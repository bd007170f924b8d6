// info: how far the job is that writes an output.
#include "host/files/core/container.hpp"
#include "host/files/core/file.hpp"
#include "host/files/core/journal.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/shards.hpp"
#include "host/program/verbs/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace sightline::cli {
namespace {

void describe_parameters(const Facts& facts, const std::string& key, const io::Metadata& metadata) {
  facts.job().set(key, metadata);
  for (const auto& [name, value] : metadata) {
    facts.line("metadata", fmt::format("{} = {}", name, value));
  }
}

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

void describe_journal(const Facts& facts, const std::string& name,
                      const io::JournalContent& journal) {
  const std::uint64_t all = io::cells_in(name, journal.header);
  const std::uint64_t done = io::cells_of(journal);
  const io::Metadata metadata = io::metadata_of(io::journal_name(name), journal.header);
  double seconds = 0;
  for (const io::JournalEntry& entry : journal.entries) seconds += entry.seconds;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  if (const auto kind = metadata.find(io::kind_key); kind != metadata.end()) {
    facts.add("/unfinished/holds", "will hold", kind->second);
  }
  facts.add("/unfinished/bytes", "bytes", journal.header.file_bytes);
  facts.job().set("/unfinished/done", done);
  facts.job().set("/unfinished/of", all);
  facts.job().set("/unfinished/share", share_of(done, all));
  facts.line("done", fmt::format("{} of {} ({:.2f}%)", grouped(done), grouped(all),
                                 100 * share_of(done, all)));
  facts.job().set("/unfinished/seconds", seconds);
  facts.job().set("/unfinished/rate_per_second", rate);
  if (rate > 0) {
    const double left = static_cast<double>(all - done) / rate;
    facts.job().set("/unfinished/seconds_left", left);
    facts.line("rate", fmt::format("{} a second, {:.0f} s of work, {:.0f} s left",
                                   short_number(rate), seconds, left));
  }
  describe_parameters(facts, "/unfinished/metadata", metadata);
}

/// Of the shards of an output.
struct ShardStates {
  std::uint64_t count = 0, done = 0, at_work = 0, unfinished = 0;
  std::uint64_t cells_done = 0, all_cells = 0;
  std::vector<bool> begun;

  void add(const FoundShard& one) {
    begun.resize(count = one.shard.count);
    begun[one.shard.index] = true;
    if (one.finished) {
      const io::ContainerReader file(one.file);
      ++done;
      cells_done += number_of(file.metadata(), io::cells_key);
      all_cells = number_of(file.metadata(), shard_all_key);
      return;
    }
    ++(io::is_being_written(one.file) ? at_work : unfinished);
    const auto journal = io::read_journal(one.file);
    if (!journal) return;
    cells_done += io::cells_of(*journal);
    all_cells = journal->header.rows * journal->header.columns;
  }
  std::vector<std::uint64_t> missing() const {
    std::vector<std::uint64_t> indices;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!begun[i]) indices.push_back(i);
    }
    return indices;
  }
};

/// `alone`: whether there are no shards of another count, so that merge finds them by itself.
void describe_shards(const Facts& facts, const std::string& output, std::size_t place,
                     const ShardStates& s, bool alone) {
  const std::string key = fmt::format("/shards/{}", place);
  const std::vector<std::uint64_t> missing = s.missing();
  for (const auto& [name, number] :
       {std::pair("count", s.count), std::pair("done", s.done), std::pair("at_work", s.at_work),
        std::pair("unfinished", s.unfinished), std::pair("missing", std::uint64_t{missing.size()}),
        std::pair("cells_done", s.cells_done), std::pair("cells", s.all_cells)}) {
    facts.job().set(key + "/" + name, number);
  }
  facts.job().set(key + "/share", share_of(s.cells_done, s.all_cells));
  std::string words = fmt::format("{} of {} done", s.done, s.count);
  if (s.at_work > 0) words += fmt::format(", {} at work", s.at_work);
  if (s.unfinished > 0) words += fmt::format(", {} stopped", s.unfinished);
  if (!missing.empty()) {
    constexpr std::size_t most = 8;
    const auto named = std::span(missing).first(std::min(most, missing.size()));
    words += fmt::format(", {} not begun ({}{})", missing.size(), fmt::join(named, ", "),
                         missing.size() > most ? ", ..." : "");
  }
  facts.line("shards", words);
  facts.line("done", fmt::format("{} of {} ({:.2f}%)", grouped(s.cells_done), grouped(s.all_cells),
                                 100 * share_of(s.cells_done, s.all_cells)));
  if (s.done != s.count) return;
  std::string files;
  for (std::uint64_t i = 0; i < s.count && !alone; ++i) {
    files += ' ' + shard_file(output, {i, s.count});
  }
  facts.line("to go on", fmt::format("sightline merge{} -o {}", files, output));
}

}  // namespace

void describe_unfinished(const Facts& facts, const std::string& partial) {
  const std::string output = io::output_of_partial(partial);
  const bool at_work = !output.empty() && io::is_being_written(output);
  const auto journal = output.empty() ? std::nullopt : io::read_journal(output);
  const bool resumable = journal && journal->records > 0;
  facts.add("/file/state", "state", std::string(at_work ? "at work" : "unfinished"));
  facts.job().set("/unfinished/at_work", at_work);
  facts.job().set("/unfinished/resumable", resumable);
  if (!at_work) facts.add("/file/to_finish", "to finish it", io::how_to_finish(partial));
  if (!output.empty() && !resumable) facts.line("kept", "nothing yet");
  if (journal) describe_journal(facts, output, *journal);
}

bool describe_shards(const Facts& facts, const std::string& output) {
  std::map<std::uint64_t, ShardStates> states;
  for (const FoundShard& one : find_shards(output)) states[one.shard.count].add(one);
  std::size_t place = 0;
  for (const auto& [count, state] : states) {
    describe_shards(facts, output, place++, state, states.size() == 1);
  }
  return !states.empty();
}

}  // namespace sightline::cli
