// Visibility matrices in a wide tree, in strips of 256 columns: a warp walks down its strip, 1024
// pairs at a time, and tries what blocked each target before ahead of the tree (docs/gpu.md).
#pragma once

#include "kernels/blockers.cuh"
#include "kernels/sight_batch.cuh"

namespace sightline::kernels {

/// A strip's columns; the rows of a piece of 1024 pairs; and the rows of a strip.
inline constexpr std::uint32_t strip_words = 8, strip_columns = strip_words * warp_size;
inline constexpr std::uint32_t piece_rows = warp_size / strip_words;
inline constexpr std::uint32_t fewest_strip_rows = 16, most_strip_rows = 256;
/// So many rays that no known blocker blocks are traced at a time, or up to 31 more.
inline constexpr std::uint32_t enough_left = 320;
/// Of blockers for a word of a row; the tree does the rest.
inline constexpr int most_tests = 8;
/// After a piece of which the blockers leave most, so many are traced without them.
inline constexpr std::uint32_t untried_pieces = 8;

/// What a strip needs of shared memory.
template <class Team>
struct StripMemory {
  WideMemory<Team> wide;
  Blockers<Team, strip_columns> blockers;
  typename Team::template Shared<std::uint16_t, enough_left + warp_size> left;  ///< rays of a piece
};

/// A SightJob in strips, for rows and columns in an order in which neighbours share blockers.
/// `upper`: of a set against itself, what is on and above the diagonal; words that lie wholly below
/// it may stay unwritten.
struct StripsJob : SightJob {
  bool upper = false;
};
inline bool in_strips(const SightJob& job) {
  return job.row_order != nullptr && job.pair_mask == nullptr;
}
inline StripsJob strips_of(const SelfSightJob& job) {
  StripsJob strips{{job.scene, job.points, job.points, job.order, job.options, job.bits,
                    job.row_words, nullptr, job.order}};
  strips.upper = true;
  return strips;
}

template <class Team>
struct MemoryOfJob<Team, StripsJob> {
  using Type = StripMemory<Team>;
};

/// Batches of whole rows of strips; those below the diagonal have nothing to do. Short strips learn
/// little.
inline Batches batches_of(const StripsJob& job) {
  const Schedule& schedule = job.scene.schedule;
  const std::uint64_t rows = job.viewpoints.count, across = pieces(job.row_words, strip_words);
  const std::uint64_t pairs = rows * across * strip_columns / (job.upper ? 2 : 1);
  const std::uint32_t most = schedule.batch * (most_strip_rows / piece_rows);
  std::uint32_t each = batches_for(pairs, most, schedule.enough_batches).size / strip_columns;
  if (each < fewest_strip_rows) each = fewest_strip_rows;
  each = static_cast<std::uint32_t>(pieces(each, piece_rows)) * piece_rows;  // whole pieces
  return {each * strip_columns, across * pieces(rows, each)};
}

/// Whether there are strips for half of the warps that an H200 holds: fewer would leave it idle.
inline bool has_enough_strips(const StripsJob& job) {
  return batches_of(job).count >= job.scene.schedule.enough_batches / 8;
}

/// Pairs of the piece at (row, column).
struct PiecePair {
  const StripsJob& job;
  std::uint64_t row, column;
  SIGHTLINE_HD bool find(std::uint32_t ray, std::uint64_t& i, std::uint64_t& j) const {
    const std::uint64_t r = row + ray / strip_columns, c = column + ray % strip_columns;
    if (r >= job.viewpoints.count || c >= job.targets.count || (job.upper && c < r)) return false;
    i = index_at(job.row_order, r);
    j = index_at(job.target_order, c);
    return true;
  }
};

/// The rays of a piece, or those that are left.
template <class Team>
struct PieceRays : SightRays<PiecePair> {
  static constexpr bool some = true, learns = true;
  StripMemory<Team>& memory;
  bool all = false;

  SIGHTLINE_HD PieceRays(const StripsJob& job, const PiecePair& of_piece, StripMemory<Team>& m)
      : SightRays<PiecePair>(job.scene, job.viewpoints, job.targets, job.options, of_piece),
        memory(m) {}
  SIGHTLINE_HD std::uint32_t ray(std::uint32_t k) const {
    return all ? k : memory.left.read(static_cast<int>(k));
  }
  SIGHTLINE_HD void learn(std::uint32_t ray, std::uint32_t blocker) const {
    memory.blockers.learn(static_cast<int>(ray % strip_columns), blocker);
  }
};

/// A warp's way down a strip.
template <int N, class Team>
class StripSearch {
 public:
  SIGHTLINE_HD StripSearch(const Team& team, const StripsJob& job, StripMemory<Team>& memory)
      : team_(team), job_(job), memory_(memory), tries_(has_blockers(job.scene.shapes)) {}

  SIGHTLINE_HD void forget() {
    team_.each([&](int lane) {
      for (int c = lane; c < static_cast<int>(strip_columns); c += warp_size) {
        memory_.blockers.write(c, no_blocker, no_blocker);
      }
    });
    team_.sync();
  }

  /// Traces the piece at (row, column); lane w then has its word w.
  SIGHTLINE_HD void run(std::uint64_t row, std::uint64_t column) {
    PieceRays<Team> rays(job_, {job_, row, column}, memory_);
    team_.each([&](int lane) { memory_.wide.marked.clear(lane); });
    team_.sync();
    rays.all = !tries_ || untried_ != 0;
    asked_ = left_ = 0;
    for (std::uint32_t word = 0; word < warp_size;) {
      std::uint32_t count = warp_size * warp_size;
      if (rays.all) {
        word = warp_size;
      } else {
        count = collect(rays, word);
      }
      // Called in one place: it is long.
      if (count != 0) search_batch<N>(team_, job_.scene, rays, count, memory_.wide);
    }
    if (untried_ != 0) {
      --untried_;
    } else if (4 * left_ > 3 * asked_) {
      untried_ = untried_pieces;
    }
  }

 private:
  template <class T>
  using Lanes = typename Team::template Lanes<T>;

  /// From this word on, until enough is left or no word: `word` is then the next. How much is left.
  SIGHTLINE_HD std::uint32_t collect(const PieceRays<Team>& rays, std::uint32_t& word) {
    std::uint32_t count = 0;
    for (; word < warp_size && count < enough_left; ++word) {
      const std::uint32_t left = try_word(rays, word);
      team_.each([&](int lane) {
        const auto l = static_cast<std::uint32_t>(lane);
        if ((left >> l & 1u) == 0) return;
        const std::uint32_t k = count + count_ones(left & ((1u << l) - 1));
        memory_.left.write(static_cast<int>(k), static_cast<std::uint16_t>(word * warp_size + l));
      });
      count += count_ones(left);
    }
    team_.sync();
    return count;
  }

  /// Which rays of a word no known blocker blocks. All lanes test the same blocker, so that they
  /// run one kind's code: first the targets' last ones, then what blocked anything last, then those
  /// before.
  SIGHTLINE_HD std::uint32_t try_word(const PieceRays<Team>& rays, std::uint32_t word) {
    const int column = static_cast<int>(word % strip_words) * warp_size;
    Lanes<Query> query;
    Lanes<bool> open, try_newest, try_older;
    Lanes<std::uint32_t> newest, older;
    team_.each([&](int lane) {
      const std::uint32_t ray = word * warp_size + static_cast<std::uint32_t>(lane);
      open[lane] = rays.start(ray, query[lane]) == Start::trace;
      newest[lane] = memory_.blockers.newest(column + lane);
      older[lane] = memory_.blockers.older(column + lane);
      try_newest[lane] = open[lane] && newest[lane] != no_blocker;
      try_older[lane] = open[lane] && older[lane] != no_blocker;
    });
    std::uint32_t left = team_.ballot(open), tried = no_blocker;
    const std::uint32_t before = left;
    int tests = 0;
    for (; tests < most_tests && left != 0; ++tests) {
      const std::uint32_t by_newest = team_.ballot(try_newest);
      std::uint32_t blocker = last_;
      if (by_newest != 0) {
        blocker = team_.broadcast(newest, static_cast<int>(lowest_one(by_newest)));
      } else if (last_ == tried) {
        const std::uint32_t by_older = team_.ballot(try_older);
        if (by_older == 0) break;
        blocker = team_.broadcast(older, static_cast<int>(lowest_one(by_older)));
      }
      if (blocker == last_) tried = last_;
      team_.each([&](int lane) {
        const std::uint32_t ray = word * warp_size + static_cast<std::uint32_t>(lane);
        if (open[lane] && is_blocked_by(blocker, job_.scene, rays, ray, query[lane])) {
          open[lane] = false;
          if (newest[lane] != blocker) older[lane] = newest[lane];
          newest[lane] = blocker;
        }
        try_newest[lane] = try_newest[lane] && open[lane] && newest[lane] != blocker;
        try_older[lane] = try_older[lane] && open[lane] && older[lane] != blocker;
      });
      const std::uint32_t still = team_.ballot(open);
      if (still != left) last_ = tried = blocker;
      left = still;
    }
    team_.sync();
    team_.each([&](int lane) { memory_.blockers.write(column + lane, newest[lane], older[lane]); });
    if (tests != 0) asked_ += count_ones(before), left_ += count_ones(left);
    return left;
  }

  const Team& team_;
  const StripsJob& job_;
  StripMemory<Team>& memory_;
  const bool tries_;
  std::uint32_t last_ = no_blocker;     ///< what blocked anything last
  std::uint32_t asked_ = 0, left_ = 0;  ///< of the piece: rays, and those that were left
  std::uint32_t untried_ = 0;           ///< pieces still to trace without trying
};

/// Strip k of the job, `size` pairs.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const StripsJob& job, std::uint32_t size,
                            std::uint64_t k, StripMemory<Team>& memory) {
  const std::uint64_t across = pieces(job.row_words, strip_words), rows = job.viewpoints.count;
  const std::uint64_t word = k % across * strip_words, column = word * warp_size;
  const std::uint64_t first = k / across * (size / strip_columns);
  std::uint64_t end = first + size / strip_columns;
  if (end > rows) end = rows;
  if (job.upper && end > column + strip_columns) end = column + strip_columns;
  if (first >= end) return;
  StripSearch<N, Team> search(team, job, memory);
  search.forget();
  for (std::uint64_t row = first; row < end; row += piece_rows) {
    search.run(row, column);
    team.each([&](int lane) {
      const auto l = static_cast<std::uint64_t>(lane);
      const std::uint64_t r = row + l / strip_words, w = word + l % strip_words;
      if (r < rows && w < job.row_words) {
        job.bits[r * job.row_words + w] = memory.wide.marked.read(lane);
      }
    });
  }
}

/// Square k of the job, of which strips have traced the upper half, and its mirror image.
template <class Team>
SIGHTLINE_HD void mirror_square(const Team& team, const SelfSightJob& job, std::uint64_t k) {
  const MatrixEntry square = triangle_entry(k, pieces(job.points.count, warp_size));
  typename Team::template Lanes<std::uint32_t> word;
  team.each([&](int lane) {
    const std::uint64_t r = square.row * warp_size + static_cast<std::uint64_t>(lane);
    word[lane] = r < job.points.count ? job.bits[r * job.row_words + square.column] : 0;
  });
  store_square(team, job, square, word);
}

}  // namespace sightline::kernels
