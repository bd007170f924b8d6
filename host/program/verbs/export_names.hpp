// What a table tells of points, shapes and areas beside their numbers: places and names.
#pragma once

#include "host/files/core/text_table.hpp"
#include "host/program/results/result.hpp"

namespace sightline::cli {

/// What things are called, by their numbers; or nothing.
class NamesOf {
 public:
  NamesOf() = default;
  /// Labels [n], 0 of none, and metadata whose `names` are those of the labels from 1 on.
  NamesOf(std::vector<std::uint64_t> label, const io::Metadata& metadata);

  bool given() const { return !label_.empty(); }
  /// Whether they are names, or the labels themselves.
  const char* word() const { return lines_.empty() ? "label" : "name"; }
  /// The name or, without one, the label.
  void put(std::uint64_t i, io::TextTable& table) const;
  bool has_name(std::uint64_t i) const {
    return given() && label_[i] != 0 && label_[i] <= lines_.size();
  }

 private:
  std::vector<std::uint64_t> label_;
  std::shared_ptr<const std::string> text_;
  std::vector<std::string_view> lines_;
};

/// What the shapes of a scene are called; nothing, with a warning, where none has a label.
NamesOf names_of_shapes(Job& job, const std::string& file, const Scene& scene,
                        const io::Metadata& metadata);
/// The same of the scene that a result is of. Throws Error{bad_input} for another scene.
NamesOf names_of_scene(Job& job, const ResultFile& result, const std::string& file);

/// Files that tell of a table's rows, or ""; of pairs, of both ends.
struct RowFiles {
  std::string points, from, to;  ///< points, viewpoints, targets
  std::string shapes;            ///< query shapes
  std::string areas;

  std::vector<std::string> all() const { return {points, from, to, shapes, areas}; }
};

/// Where the points that the rows of a result are about lie, and what they are called; or nothing.
class RowPoints {
 public:
  RowPoints() = default;
  /// The points that `option` names, which the result's metadata know as `key`. Throws Error{usage}
  /// where the result has none, Error{bad_input} where its points are others.
  RowPoints(Job& job, const ResultFile& result, const char* option, const std::string& file,
            const std::string& key);

  /// Adds "x", "y", "z" after `of_place` and, where any point has one, "name" or "label" after
  /// `of_name`.
  void add_headings(const std::string& of_place, const std::string& of_name,
                    std::vector<std::string>& headings) const;
  void put(std::uint64_t i, io::TextTable& table) const;

 private:
  std::optional<io::Points> points_;
  NamesOf names_;
};

/// What stands at the beginning of each row: the numbers of what it is about, their places and
/// names.
class Ends {
 public:
  /// Throws as RowPoints does.
  Ends(Job& job, const ResultFile& result, const RowFiles& files);

  std::vector<std::string> headings() const;
  void put_row(std::uint64_t i, io::TextTable& table) const;
  void put_pair(std::uint64_t i, std::uint64_t j, io::TextTable& table) const;

 private:
  bool pairs_;
  std::string one_;  ///< what a row is
  RowPoints rows_, columns_;
  NamesOf names_;  ///< of query shapes, or of areas at both ends
};

}  // namespace sightline::cli
