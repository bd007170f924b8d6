// A kind of result: what the program writes, reads back, describes and checks.
#pragma once

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
};

/// What a finished run did.
struct Done {
  const io::JobCounts& counts;  ///< over all of the result
  io::JobCounts before;         ///< of these, what earlier runs counted
  std::uint64_t cells = 0;      ///< of the grid, done by this run
  double seconds = 0;
};

/// What one cell of the grid costs while it is worked out, and how many are worked out at a time.
struct Cost {
  std::uint64_t most_cells = 1 << 18;  ///< more where a device is faster, fewer by brute force
  std::uint64_t input_bytes = 0;       ///< of main memory, beside the answer
  std::uint64_t never_more = ~std::uint64_t{0};
};

/// What a run's speed is measured in.
struct Rate {
  std::string_view unit;
  std::uint64_t now = 0;  ///< done by this run
};

/// Names of a kind.
struct Names {
  std::string_view kind;           ///< as files have it: "hits"
  std::string_view verb;           ///< that writes it: "cast"
  std::string_view unit;           ///< what a cell of the grid is: "rays"
  std::string_view one;            ///< "ray"
  std::string_view counts = unit;  ///< their number in reports: "rays"
  std::string_view items = "";     ///< of rows of different length: "hits"
  std::string_view query = kind;   ///< in reports
};

class Differences;
class ResultFile;

/// One kind of result with its parameters, its columns, its inputs and how it is answered. Files,
/// chunks, journal, progress, `info` and `verify` follow from these; see run.hpp and
/// host/program/checks/. Docs: docs/architecture.md.
class Result {
 public:
  virtual ~Result() = default;

  std::string scene_hash;

  virtual Names names() const = 0;
  /// Of a set of 2D shapes, whose results share the names of kinds with those of scenes.
  virtual bool is_flat() const { return false; }
  /// Of a run, before any file is looked at: refuses options that do not fit each other, and names
  /// one more file that the run writes, or "". Throws Error{usage}.
  virtual std::string check_options(const InputFiles&) { return ""; }
  /// Visits every parameter once.
  virtual void visit(Parameters&) {}
  virtual Grid grid() const = 0;
  virtual std::vector<Column> columns() const = 0;
  /// Reads the inputs and builds the caster. Where the parameters have hashes, as of a result that
  /// is verified, these must be the inputs'; else they are set.
  virtual void load(InputFiles& in) = 0;

  /// Answers a part of the grid into the buffer's columns; may be called from many threads. Returns
  /// what cannot be counted from the columns.
  virtual io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const = 0;
  /// Adds what the columns of a buffer tell.
  virtual void tally(ColumnBuffer& buffer, io::JobCounts& counts) const;
  /// The content of a column that is no cell's, such as directions that all points share.
  virtual std::vector<std::byte> whole_column(const Column& column) const;
  /// Answers cells that need not lie side by side: calls use(cell, buffer, cell of the buffer).
  using UseCell = std::function<void(std::uint64_t, ColumnBuffer&, std::uint64_t)>;
  virtual void answer_cells(std::span<const std::uint64_t> cells, const UseCell& use) const;

  /// Where rows are of different length: how many items each of [first, first + counts.size()) has,
  /// and what all of them together are counted as.
  virtual io::JobCounts count_items(std::uint64_t first, std::span<std::uint32_t> counts,
                                    ColumnBuffer& memory) const;
  /// Told before the second pass, which finds so many items.
  virtual void set_items(std::uint64_t) {}
  /// Of an item in main memory while it is found.
  virtual std::uint64_t item_bytes() const { return 0; }
  /// Throws Error{out_of_memory} where so many items of one row do not fit.
  virtual void require_items(const Job&, std::uint64_t, std::uint64_t, std::uint64_t) const {}

  virtual Cost cost() const { return {}; }
  /// Of pairs: rows and columns of what is answered at a time.
  virtual std::uint64_t tile_side(const Job&) const { return 64; }
  /// Throws Error{bad_input} for a bad input, where the job is strict about them.
  virtual void refuse_bad(std::uint64_t) const {}
  /// What a run or info tells of these counts.
  virtual std::vector<Counted> counted(const io::JobCounts& counts) const = 0;
  /// Called when the output has been begun.
  virtual void begun(Job&) const {}
  /// After a run: what info cannot know, and warnings.
  virtual void report(Job&, const Done&) const {}
  /// The key of a count in reports.
  static std::string key_of(const Counted& c) {
    return c.key.starts_with("/") ? c.key : "/counts/" + c.key;
  }
  /// Draws the result to a file, before it takes its name.
  virtual void draw(Job&, const io::ContainerWriter&, const std::string&) const {}
  virtual Rate rate(const Done& done) const { return {names().unit, done.cells}; }
  /// "ray 17".
  virtual std::string element(std::uint64_t index) const;
  /// What verify checks beyond the columns' bytes.
  virtual void check(const ResultFile&, Differences&) const {}

  /// Builds a caster on one more device. Throws Error{usage} where there is no first one.
  void add_device(Job& job, const std::string& device);
  /// From now on the answers of this thread are those of the first device, 0, or of a further one.
  static void use_device(std::size_t device) { device_ = device; }

  virtual Backend backend() const { return caster().backend(); }
  virtual std::uint64_t shapes() const { return caster().scene().size(); }
  virtual std::uint64_t memory_bytes() const { return caster().memory_bytes(); }

 protected:
  const Caster& caster() const { return device_ == 0 ? *caster_ : more_casters_[device_ - 1]; }
  std::optional<Caster> caster_;
  io::Metadata scene_;

 private:
  static thread_local std::size_t device_;
  std::vector<Caster> more_casters_;
};

/// A static object in the file of a kind, which nothing else names. Files name the kind as its
/// results do.
struct ResultKind {
  using Make = std::unique_ptr<Result> (*)();
  explicit ResultKind(Make make) { all().push_back(make); }
  static std::vector<Make>& all();
};
template <class R, auto... arguments>
std::unique_ptr<Result> make_result() {
  return std::make_unique<R>(arguments...);
}
/// An empty result of the kind that the metadata of `file` names. Throws Error{bad_input} where
/// they name none.
std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata);

/// What all results' parameters begin with, and its own.
void visit_all(Result& result, std::uint32_t& answers, Parameters& p);
io::Metadata metadata_of(Result& result);
/// What a container of these columns will hold.
std::vector<io::TensorSpec> tensors_of(const Result& result);
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
  /// How high eyes are above the points of this input's name, where the result has them raised.
  void read_eyes(const std::string& input, Input& to) const;
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

 private:
  io::ContainerReader reader_;
  std::unique_ptr<Result> result_;
  std::uint32_t answers_ = 0;
};

}  // namespace sightline::cli
