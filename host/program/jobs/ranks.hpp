// Processes that mpirun or srun has started together, and that share the shards of one job. In a
// build without SIGHTLINE_MPI there is one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sightline::cli {

/// The ranks, from its construction to its end, both of which all of them take part in; MPI cannot
/// be begun again. Where one ends by an exception, mpirun ends all others.
class Ranks {
 public:
  /// They share numbers from 0 to count - 1. Throws Error{usage} in a build without MPI.
  explicit Ranks(std::uint64_t count);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Throws Error{bad_input} on a rank whose text is another than rank 0's.
  void require_same(const std::string& text);
  /// The next number that no rank has taken; nothing when all are taken. Rank 0 is told so after
  /// all others were, which have done then what they took.
  std::optional<std::uint64_t> next();

 private:
  struct Coordinator;
  int rank_ = 0, size_ = 1;
  [[maybe_unused]] int exceptions_ = 0;       // with MPI alone
  [[maybe_unused]] std::uint64_t count_ = 0;  // the same
  std::unique_ptr<Coordinator> coordinator_;
};

}  // namespace sightline::cli
