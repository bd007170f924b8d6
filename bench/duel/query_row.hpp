// One kind of question to one scene: ours in turn with the rivals', and how they compare.
#pragma once

#include "bench/duel/duel.hpp"
#include "bench/duel/vamp_answers.hpp"
#include "bench/harness/questions.hpp"
#include "bench/rivals/query_rival.hpp"

#include <cstdio>

namespace sightline::bench {

struct QueryRow {
  std::string scene, queries, ask;
  std::uint64_t shapes = 0, count = 0;
  double found = 0;  ///< overlaps a query (of any: queries that overlap), or shapes found a point
                     ///< (of eights: those of which any overlaps)
  Timing timing = {};
  std::string rival = {};  ///< the best way of all rivals; "": this build has none
  DuelResult duel = {};
  double loop_seconds = 0;  ///< of a plain loop, for all queries, worked out from a sample
  bool differs = false;     ///< from the plain loop's answers: a defect of ours
};

/// Ours, on the cpu backend, and all rivals over one scene, which must outlive it. Throws
/// Error{usage} for a question that is not there.
class Contest {
 public:
  /// Against all rivals, or those whose names begin with one of these.
  Contest(std::string name, const Scene& scene, const std::vector<std::string>& against = {""});
  QueryRow row(const QueryBatch& batch, const std::string& ask, int threads,
               const DuelOptions& options) const;

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
