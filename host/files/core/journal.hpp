// The journal beside a long job's partial file: which parts of it are done, so that the same
// command goes on after a stop, a crash or a kill.
#pragma once

#include "host/files/core/file.hpp"
#include "host/files/core/tensor.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sightline::io {

/// Rows [row, row + rows), columns [column, column + columns) of a job's grid: pairs of points, or
/// elements, each a row of one column.
struct GridPart {
  std::uint64_t row = 0, rows = 0, column = 0, columns = 1;

  bool holds(const GridPart& other) const;
  /// Rows and columns swapped.
  GridPart mirrored() const { return {column, columns, row, rows}; }
  bool operator==(const GridPart&) const = default;
};

/// What a job counted on its way: sums, and the first of the bad ones. What the numbers are is the
/// job's matter.
struct JobCounts {
  static constexpr std::uint64_t no_bad = ~std::uint64_t{0};

  std::array<std::uint64_t, 8> sum{};
  std::uint64_t first_bad = no_bad;

  void add(const JobCounts& other);
};

/// A part that is done: on the disk, and counted.
struct JournalEntry {
  GridPart part;
  std::uint64_t step = 0;  ///< side of the tiles it was cut into; 0 where a cut is free
  /// Of the grid, done with it; more than its own where a tile has a mirror.
  std::uint64_t cells = 0;
  JobCounts counts;
  double seconds = 0;  ///< of work
};

/// Adds an entry, in one with the last where the two make one part.
void add_entry(std::vector<JournalEntry>& entries, const JournalEntry& entry);

/// What the work is of. A job with another header is another job.
struct JournalHeader {
  std::string file_header;       ///< the container's, with all that the result is a function of
  std::uint64_t file_bytes = 0;  ///< of the whole output
  std::uint64_t rows = 0, columns = 1;  ///< of the grid

  bool operator==(const JournalHeader&) const = default;
};

struct JournalContent {
  JournalHeader header;
  std::vector<JournalEntry> entries;  ///< adjacent ones in one
  std::uint64_t records = 0;          ///< that were read
};

/// Cells of the grid that are done.
std::uint64_t cells_of(const JournalContent& content);
/// Metadata of an output that is a part of its job's grid: how many cells it is.
inline constexpr char cells_key[] = "shard.cells";
/// Cells that the journal's job will have done.
std::uint64_t cells_in(const std::string& file, const JournalHeader& header);

/// How a job treats what an earlier run left, and keeps what it does.
struct ResumeOptions {
  bool restart = false;      ///< throw away what was left
  double every_seconds = 1;  ///< what is done is made durable, rarer where a disk is slow
};

/// The journal of the output `name`. Nothing where there is none, or where its header is damaged.
/// Records are read up to the first that is damaged: what comes after cannot be trusted.
/// Throws Error{bad_input} for a journal of another version, Error{io} when it cannot be read.
std::optional<JournalContent> read_journal(const std::string& name);

/// What a journal's job will have written as its container's metadata.
Metadata metadata_of(const std::string& file, const JournalHeader& header);

/// The first parameter that differs, the kind before all, as "its 'k' is 'a', OTHER is 'b'"; ""
/// where none does.
std::string first_difference(const Metadata& its, const Metadata& others, std::string_view other);

/// Throws Error{bad_input} where the work that was left is another job's, which it tells by the
/// first parameter that differs, or where the partial file is not as it was left.
void refuse_other_work(const PartialFile& file, const JournalHeader& left,
                       const JournalHeader& job);

/// Removes the journal of an output, durably. Throws Error{io}.
void remove_journal(const std::string& name);

/// A journal that is being written. Throws Error{io}.
class Journal {
 public:
  /// Begins it anew, or goes on after so many records.
  Journal(const std::string& name, const JournalHeader& header, std::uint64_t records);
  Journal(Journal&& other) noexcept = default;
  /// One without records goes away.
  ~Journal();

  std::uint64_t records() const { return records_; }
  /// Adds records and makes them durable. The data must be durable before.
  void append(std::span<const JournalEntry> entries);
  /// The output has its name: the journal has done its service.
  void remove() noexcept;

 private:
  std::string name_, journal_;
  Descriptor descriptor_;
  std::uint64_t header_bytes_ = 0, seed_ = 0, records_ = 0;
};

}  // namespace sightline::io
