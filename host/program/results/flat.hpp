// Results of a set of 2D shapes, which rows of numbers query.
#pragma once

#include "host/files/formats/flat_file.hpp"
#include "host/program/results/run.hpp"

namespace sightline::cli {

class FlatResult : public Result {
 public:
  bool is_flat() const override { return true; }
  void visit(Parameters& p) override { p.fixed("query.dimensions", "2"); }
  Backend backend() const override { return flat().backend(); }
  std::uint64_t shapes() const override { return flat().scene().size(); }
  std::uint64_t memory_bytes() const override { return flat().memory_bytes(); }

 protected:
  /// Reads the rows, so many numbers each, and the set.
  void load_rows(InputFiles& in, Input& input, const char* tensor, std::uint64_t width);
  const FlatCaster& flat() const { return *flat_; }
  const io::RowsFile& rows() const { return *rows_; }
  /// The numbers of a row, where they were read to and where a device takes them from.
  std::uint64_t row_bytes() const;
  /// The bad ones of a part, as the third sum.
  static io::JobCounts bad(const io::GridPart& part, const FlatReport& report);
  void warn_of_bad(Job& job, const io::JobCounts& counts) const;

 private:
  std::optional<FlatCaster> flat_;
  std::optional<io::RowsFile> rows_;
};

enum class OverlapQueryKind { any, count, all };

Option add_overlap_query(Verb& verb, OverlapQueryKind& to, const char* words);
/// flat of circles.
std::unique_ptr<Result> new_circles(OverlapQueryKind query);

}  // namespace sightline::cli
