// Containers: the safetensors layout (u64 header length, JSON header, raw little-endian tensors).
#pragma once

#include "host/files/core/file.hpp"
#include "host/files/core/journal.hpp"
#include "host/files/core/numbers.hpp"
#include "host/files/core/tensor.hpp"

#include <chrono>
#include <span>

namespace sightline::io {

/// Where a tensor lies: bytes [begin, end) after the header.
struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::u8;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::optional<Dtype> rounded = std::nullopt;  ///< what the file has, where that is read as F32

  std::uint64_t elements() const { return (end - begin) / dtype_bytes(dtype_in_file()); }
  Dtype dtype_in_file() const { return rounded.value_or(dtype); }
};

struct ContainerHeader {
  std::vector<TensorInfo> tensors;  ///< in the order of their names, bytewise
  Metadata metadata;
};

/// Headers are at most this long, in bytes.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

/// Reads a header whose tensors must fill `data_bytes` bytes without gap or overlap.
/// `file` names the file in errors. Throws Error{bad_input}.
ContainerHeader parse_header(const std::string& file, std::string_view json,
                             std::uint64_t data_bytes);

/// Gives every tensor its place: large elements first, then by name, so that all are aligned.
/// Throws Error{internal} for a name given twice or a size beyond 64 bits.
void place_tensors(std::vector<TensorInfo>& tensors);

/// The header's text, padded with spaces to a multiple of 8; the same bytes for the same content.
std::string format_header(const ContainerHeader& header);

/// A container opened for reading by slices; nothing of its tensors is kept in memory.
/// Everything the header claims is checked against the file's size first.
/// Throws Error{bad_input} for a malformed file, Error{io} when it cannot be read.
class ContainerReader {
 public:
  explicit ContainerReader(const std::string& name, Numbers numbers = Numbers::kept);

  const std::string& name() const { return file_.name(); }
  std::uint64_t file_bytes() const { return file_.size(); }
  const Metadata& metadata() const { return header_.metadata; }
  /// "" when absent.
  std::string metadata(const std::string& key) const;
  /// In the order of their names.
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  /// Null when absent.
  const TensorInfo* find(std::string_view tensor) const;
  /// The tensor, or nothing when absent; Error{bad_input} when its dtype or shape is another.
  const TensorInfo* find(std::string_view tensor, Dtype dtype, const Shape& expected) const;
  /// As find, but Error{bad_input} when absent.
  const TensorInfo& expect(std::string_view tensor, Dtype dtype, const Shape& expected) const;
  /// Error{bad_input} naming the first tensor that is not in `known`.
  void refuse_unknown(std::span<const std::string_view> known) const;
  /// Error{bad_input} when the file says that it is of another kind ("scene", "hits", ...) or of
  /// a later format; with `required` also when it says nothing.
  void expect_kind(std::string_view kind, bool required) const;

  /// Elements [first, first + count) in C order, into `to`.
  void read(const TensorInfo& tensor, std::uint64_t first, std::uint64_t count, void* to) const;
  /// The same of numbers that are read as F32, as the file has them.
  void read_doubles(const TensorInfo& tensor, std::uint64_t first, std::uint64_t count,
                    double* to) const;
  /// The whole tensor as numbers, or as structs of several; empty where it is null.
  template <class T>
  std::vector<T> column(const TensorInfo* tensor) const {
    if (tensor == nullptr) return {};
    std::vector<T> values(tensor->elements() * dtype_bytes(tensor->dtype) / sizeof(T));
    read_whole(*tensor, values.data());
    return values;
  }

 private:
  void read_whole(const TensorInfo& tensor, void* to) const;

  File file_;
  std::uint64_t data_begin_ = 0;
  ContainerHeader header_;
};

/// What a container will hold.
struct TensorSpec {
  std::string name;
  Dtype dtype = Dtype::f32;
  Shape shape;
};

/// Of a file of these tensors and metadata, its header among them.
std::uint64_t container_bytes(const std::vector<TensorSpec>& tensors, const Metadata& metadata);

/// The grid of a long job, and how its work is kept.
struct LongJob {
  std::uint64_t rows = 0, columns = 1;
  ResumeOptions resume;
  std::optional<std::uint64_t> cells = std::nullopt;  ///< to be done; all of the grid by default
};

/// A container of known shapes, written by slices in any order; whole at commit().
/// Throws Error{io}.
class ContainerWriter {
 public:
  ContainerWriter(const std::string& name, const std::vector<TensorSpec>& tensors,
                  const Metadata& metadata);
  /// With a journal: what is marked as done stays when there is no commit, and is taken up by the
  /// next writer of the same tensors and metadata. Throws Error{bad_input} where the work that was
  /// left is another job's.
  ContainerWriter(const std::string& name, const std::vector<TensorSpec>& tensors,
                  const Metadata& metadata, const LongJob& job);

  const std::string& name() const { return file_.name(); }
  std::uint64_t file_bytes() const { return file_.size(); }
  /// Elements [first, first + count) in C order.
  void write(std::string_view tensor, std::uint64_t first, std::uint64_t count, const void* from);
  /// What was written, or taken up.
  void read(std::string_view tensor, std::uint64_t first, std::uint64_t count, void* to) const;

  /// Of the job's grid, that are to be done.
  std::uint64_t cells() const { return cells_; }
  /// What was done before this run.
  const std::vector<JournalEntry>& taken_up() const { return taken_up_; }
  /// All that a part of the grid needs has been written; takes the time since the last was marked.
  /// Made durable together with what else was marked, as often as the job says.
  void mark_done(JournalEntry entry);
  /// Makes durable what was marked.
  void keep_done();
  void commit();

 private:
  friend std::uint64_t container_bytes(const std::vector<TensorSpec>&, const Metadata&);
  struct Plan;
  ContainerWriter(const std::string& name, const Plan& plan, const LongJob* job);
  static Plan plan(const std::vector<TensorSpec>& tensors, const Metadata& metadata);
  void begin_file(const Plan& plan);
  void begin_job(const Plan& plan, const LongJob& job);
  struct Place {
    std::uint64_t offset, bytes;
  };
  Place place_of(std::string_view tensor, std::uint64_t first, std::uint64_t count) const;

  using Clock = std::chrono::steady_clock;
  ContainerHeader header_;
  std::uint64_t data_begin_ = 0, cells_ = 0;
  PartialFile file_;
  std::optional<Journal> journal_;
  std::vector<JournalEntry> taken_up_, pending_;
  Clock::time_point marked_ = Clock::now(), kept_ = marked_;
  Clock::duration least_pause_ = {}, pause_ = {};
};

/// Keys that every file of this project carries.
inline constexpr char kind_key[] = "sightline.file";
inline constexpr char format_key[] = "sightline.format";
inline constexpr char format_version[] = "1";

}  // namespace sightline::io
