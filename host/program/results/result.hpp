// A kind of result: what the program writes, reads back, describes and checks.
#pragma once

#include "host/program/command_line/options.hpp"
#include "host/program/results/column_buffer.hpp"
#include "host/program/results/input_files.hpp"
#include "host/program/results/parameters.hpp"

#include <memory>
#include <optional>

namespace sightline::cli {

/// Where a number is shown: in runs and in info, in one of them, or in the machine reports of runs.
enum class Shown { everywhere, by_runs, by_info, in_reports };

/// A number that was counted over a result, for reports and for people.
struct Counted {
  std::string key;    ///< in "/counts", or whole
  std::string words;  ///< "bad rays"
  std::uint64_t value = 0;
  std::uint64_t of = 0;  ///< of how many it is a share; 0: it is none
  Shown shown = Shown::everywhere;

  /// The key in reports.
  std::string place() const { return key.starts_with("/") ? key : "/counts/" + key; }
};

/// What a finished run did.
struct Done {
  const io::JobCounts& counts;  ///< over all of the result
  io::JobCounts before;         ///< of these, what earlier runs counted
  std::uint64_t cells = 0;      ///< of the grid, done by this run
  double seconds = 0;
};

/// What the answer to a part of the grid costs, and how much is worked out at a time.
struct Cost {
  std::uint64_t most_cells = 1 << 18;  ///< more where a device is faster, fewer by brute force
  std::uint64_t input_bytes = 0;       ///< of a cell in main memory, beside the answer
  std::uint64_t never_more = ~std::uint64_t{0};
  std::uint64_t item_bytes = 0;  ///< of an item of rows in main memory, while it is found
  std::uint64_t tile_side = 64;  ///< of a matrix: rows and columns of a tile
};

/// What a run's speed is measured in.
struct Rate {
  std::string_view unit = "";      ///< "": cells
  std::uint64_t per_cell = 1;      ///< so many for each cell
  std::optional<std::size_t> sum;  ///< instead: what is counted in this place
};

/// Names of a kind.
struct Names {
  std::string_view kind;           ///< as files have it: "hits"
  std::string_view verb;           ///< that writes it: "cast"
  std::string_view unit;           ///< what a cell of the grid is: "rays"
  std::string_view one;            ///< "ray"; of pairs "viewpoint {}, target {}"
  std::string_view counts = unit;  ///< their number in reports: "rays"
  std::string_view items = "";     ///< of rows of different length: "hits"
  std::string_view query = kind;   ///< in reports
  bool flat = false;               ///< of 2D shapes; their kinds share names with those of scenes
};

/// One kind of result with its parameters, its columns, its inputs and how it is answered. Files,
/// chunks, journal, progress, `info` and `verify` follow from these (run.hpp, verify.hpp). It has
/// one of three forms. Cells have a value each, or several. A matrix has a grid of pairs. Rows of
/// different length are `Rows` too. Docs: docs/project/architecture.md.
class Result {
 public:
  /// `input`: what it has an answer to each of.
  Result(const Names& names, const Input& input) : names_(names), input_(input) {}
  virtual ~Result() = default;

  std::string scene_hash;
  Rate rate;  ///< set when it is loaded

  const Names& names() const { return names_; }
  /// "ray 17", "viewpoint 2, target 3".
  std::string element(std::uint64_t index) const;

  /// Visits every parameter once.
  virtual void visit(Parameters&) = 0;
  virtual Grid grid() const { return {input_.count}; }
  virtual std::vector<Column> columns() const = 0;
  /// Reads the inputs and builds the caster. Where the parameters have hashes, as of a result that
  /// is verified, these must be the inputs'; else they are set.
  virtual void load(InputFiles& in) = 0;
  /// Answers a part of the grid into the buffer's columns; may be called from many threads. Returns
  /// what cannot be counted from the columns.
  virtual io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const = 0;
  virtual Cost cost(const Job&) const { return {}; }
  /// Adds what the columns of a buffer tell.
  virtual void tally(ColumnBuffer&, io::JobCounts&) const {}
  /// What a run or info tells of these counts.
  virtual std::vector<Counted> counted(const io::JobCounts& counts) const = 0;
  /// After a run: what info cannot know, and warnings.
  virtual void report(Job&, const Done&) const {}

  /// Builds a caster on one more device. Throws Error{usage} where there is no first one.
  void add_device(Job& job, const std::string& device);
  /// From now on the answers of this thread are those of the first device, 0, or of a further one.
  static void use_device(std::size_t device) { device_ = device; }

  Backend backend() const { return flat_ ? flat_->backend() : caster().backend(); }
  std::uint64_t shapes() const { return flat_ ? flat_->scene().size() : caster().scene().size(); }
  std::uint64_t memory_bytes() const {
    return flat_ ? flat_->memory_bytes() : caster().memory_bytes();
  }

 protected:
  const Caster& caster() const { return device_ == 0 ? *caster_ : more_casters_[device_ - 1]; }
  Names names_;
  Input input_;
  std::optional<Caster> caster_;
  std::optional<FlatCaster> flat_;  ///< instead, of a set of 2D shapes
  io::Metadata scene_;

 private:
  static thread_local std::size_t device_;
  std::vector<Caster> more_casters_;
};

/// What a result has whose rows have items, as many as are found: a first pass counts them.
class Rows {
 public:
  std::uint64_t items = 0;  ///< of all rows; known after the first pass, or from the metadata

  virtual ~Rows() = default;
  /// How many items each of the rows [first, first + counts.size()) has, and what all of them
  /// together are counted as.
  virtual io::JobCounts count_items(std::uint64_t first, std::span<std::uint32_t> counts,
                                    ColumnBuffer& memory) const = 0;
  /// Throws Error{out_of_memory} where a row of so many items, above the room for them, does not
  /// fit.
  virtual void require_items(const Job& job, std::uint64_t row, std::uint64_t items,
                             std::uint64_t room) const = 0;
};
/// Null where its rows are of one length.
inline Rows* rows_of(Result& r) { return dynamic_cast<Rows*>(&r); }
inline const Rows* rows_of(const Result& r) { return dynamic_cast<const Rows*>(&r); }

template <class R>
std::unique_ptr<Result> make_result() {
  return std::make_unique<R>();
}
/// The kinds of all verbs, in their table (host/program/verbs.cpp).
std::vector<MakeResult> all_kinds();
/// An empty result of the kind that the metadata of `file` names. Throws Error{bad_input} where
/// they name none.
std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata);

/// What all results' parameters begin with, and its own.
void visit_all(Result& result, std::uint32_t& answers, Parameters& p);
io::Metadata metadata_of(Result& result, std::uint32_t answers = answers_version);
/// What a container of these columns will hold.
std::vector<io::TensorSpec> tensors_of(const std::vector<Column>& columns);
/// Throws Error{bad_input} where a file has other tensors than these.
void expect_tensors(const io::ContainerReader& file, const std::vector<io::TensorSpec>& tensors);
/// The column of its rows' offsets; null where rows are of one length.
const Column* offsets_of(const std::vector<Column>& columns);

/// Opened to be read; its sizes and parameters fit each other.
class ResultFile {
 public:
  /// Throws Error{io}, Error{bad_input}: also for a file that is no result.
  explicit ResultFile(const std::string& name);

  const std::string& name() const { return reader_.name(); }
  const io::ContainerReader& container() const { return reader_; }
  Result& result() const { return *result_; }
  std::uint32_t answers() const { return answers_; }
  /// A parameter by its key in the metadata.
  std::string text(const std::string& key) const { return reader_.metadata(key); }
  std::uint64_t number(const std::string& key) const;
  /// Points that a result has as `key`, raised to eyes where the result has them raised; no hash
  /// where it has none.
  Input points(const char* option, const std::string& key, const char* report = "/from",
               const char* unit = "points") const;
  float real(const std::string& key) const;
  /// Elements [first, first + n) of a column.
  template <class T>
  std::vector<T> read(std::string_view column, std::uint64_t first, std::uint64_t n) const {
    std::vector<T> values(n);
    reader_.read(*reader_.find(column), first, n, values.data());
    return values;
  }
  /// Calls use(buffer) for parts of all of it, in order.
  void for_each_buffer(const std::function<void(ColumnBuffer&)>& use) const;

 protected:
  /// With the metadata of a result that this function makes of the file's; its tensors are not
  /// looked at.
  ResultFile(const std::string& name, io::Metadata (*of_result)(const io::ContainerReader&));

  io::ContainerReader reader_;
  std::unique_ptr<Result> result_;
  std::uint32_t answers_ = 0;
};

}  // namespace sightline::cli
