// The points of a table's rows.
#pragma once

#include "host/files/core/text_table.hpp"
#include "host/program/results/result.hpp"

namespace sightline::cli {

/// Where the points that the rows of a result are about lie, and what they are called; or nothing.
class RowPoints {
 public:
  RowPoints() = default;
  /// The points that `option` names, which the result's metadata know as `key`. Throws Error{usage}
  /// where the result has none, Error{bad_input} where its points are others.
  RowPoints(Job& job, const ResultFile& result, const char* option, const std::string& file,
            const std::string& key);

  /// Adds "x", "y", "z" and, where any point has one, "name" or "label", after this prefix.
  void add_headings(const std::string& prefix, std::vector<std::string>& headings) const;
  void put(std::uint64_t i, io::TextTable& table) const;

 private:
  std::optional<io::Points> points_;
  std::vector<std::string_view> names_;
};

/// The points of a result's rows, or of the rows and columns of its matrix, after their numbers.
class Ends {
 public:
  /// Files by their options, or "". Throws as RowPoints does.
  Ends(Job& job, const ResultFile& result, const std::string& points, const std::string& from,
       const std::string& to);

  std::vector<std::string> headings() const;
  void put_row(std::uint64_t i, io::TextTable& table) const;
  void put_pair(std::uint64_t i, std::uint64_t j, io::TextTable& table) const;

 private:
  bool pairs_;
  std::string one_;  ///< what a row is
  RowPoints rows_, columns_;
};

}  // namespace sightline::cli
