// One kind of question to one scene: ours in turn with the rivals', and how they compare.
#pragma once

#include "bench/query_eights.hpp"
#include "bench/rivals/query_rival.hpp"
#include "host/program/bench/duel.hpp"

#include <cstdio>

namespace sightline::bench {

struct QueryRow {
  std::string scene, queries, ask;
  std::uint64_t shapes = 0, count = 0;
  double found = 0;  ///< overlaps a query (of any: queries that overlap), or shapes found a point
                     ///< (of eights: those of which any overlaps)
  cli::Timing timing = {};
  std::string rival = {};  ///< the best way of all rivals; "": this build has none
  cli::DuelResult duel = {};
  double loop_seconds = 0;  ///< of a plain loop, for all queries, worked out from a sample
  bool differs = false;     ///< from the plain loop's answers: a defect of ours
};

/// Arrays for n answers to "any", "eights", "count", "all", "nearest", "cast" or "blocked". Throws
/// Error{usage} for others.
cli::Answers room_for(std::uint64_t n, const std::string& ask);

/// A row, of which scene, queries, ask, shapes and count are told: ours in turn with the contenders
/// on n queries (of eights: eight each), and a plain loop on a sample of them.
QueryRow measured(QueryRow row, std::uint64_t n, const cli::CastFirst& ours,
                  const cli::CastFirst& loop, const std::vector<cli::Contender>& contenders,
                  const cli::DuelOptions& options);

/// Ours, on the cpu backend, and all rivals over one scene, which must outlive it. Throws
/// Error{usage} for a question that is not there.
class Contest {
 public:
  /// Against all rivals, or those whose names begin with one of these.
  Contest(std::string name, const Scene& scene, const std::vector<std::string>& against = {""});
  QueryRow row(const QueryBatch& batch, const std::string& ask, int threads,
               const cli::DuelOptions& options) const;

 private:
  struct Entrant {
    std::string name;
    std::unique_ptr<rivals::QueryTree> tree;
  };

  std::string name_;
  const Scene& scene_;
  Caster loop_;
  std::vector<Entrant> entrants_;
  std::unique_ptr<rivals::VampScene> vamp_;  ///< null: this build has none
};

/// Prints rows as they come, and writes them as lines of JSON where a file is named. Throws
/// Error{io} where it cannot be written.
class RowSink {
 public:
  explicit RowSink(const std::string& json);
  ~RowSink();
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  void add(const QueryRow& row);
  int differing() const { return differing_; }

 private:
  std::FILE* json_ = nullptr;
  int differing_ = 0;
};

}  // namespace sightline::bench
