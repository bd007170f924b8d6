// Comma-separated values with a header row.
#pragma once

#include "host/files/core/text_fields.hpp"
#include "host/files/core/text_file.hpp"

namespace sightline::io {

/// Rows of a text as entries. The header's names, in any spelling (standard_key), make fields:
/// `min_x`, `min_y`, `min_z` are the list `min`, all else is one value. `x`, `px` and `pos_x` are
/// of `center`. An empty cell gives nothing. Separators are commas, or semicolons or tabs where the
/// header has them; cells may be in quotes. A column without a name must be empty. Lines `# unit:
/// cm`, `# up: y` and `# eyes: 1.6` before the header are metadata; other lines that begin so count
/// for nothing, and are refused below the header where they might be rows.
class CsvReader {
 public:
  /// Reads the header; `wanted` is a sentence for errors, what such files are. Throws
  /// Error{bad_input}.
  CsvReader(const std::string& file, std::string_view text, const std::string& wanted);

  const Metadata& metadata() const { return metadata_; }
  bool has(std::string_view field) const;
  /// The header's names, for messages.
  std::string headings() const;
  /// Goes to the next row, if there is one.
  bool next();
  /// A cell of this row; "" where there is no such column.
  std::string_view cell(std::string_view field) const;
  /// Fills the entry, which was begun, with this row's values, but for the field `without`.
  void fill(TextFields& entry, std::string_view without = "") const;
  std::uint64_t line() const { return lines_.number(); }

 private:
  struct Field {
    std::string name;
    std::vector<std::size_t> columns;  ///< of its numbers, in order
    bool list = false;
  };

  void read_metadata(std::string_view line);
  void split();
  void add_column(std::size_t column, const std::string& heading);
  bool is_comment() const;
  void add_value(TextFields& entry, const Field& field, std::size_t column) const;

  std::string file_;
  TextLines lines_;
  Metadata metadata_;
  std::vector<std::string> names_;  ///< of the columns, as the header has them
  std::vector<Field> fields_;
  char separator_ = ',';
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;  ///< of cells with quotes in them
};

}  // namespace sightline::io
