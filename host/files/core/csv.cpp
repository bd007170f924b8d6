#include "host/files/core/csv.hpp"

#include "host/files/core/spelling.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::size_t most_columns = 256, no_column = ~std::size_t{0};

/// Which number of a list a column is, by the end of its name; the rest is the list's name.
std::optional<std::pair<std::string, std::size_t>> list_column(const std::string& name) {
  // As nearly all tables have them.
  if (name == "x" || name == "y" || name == "z") return {{"center", name[0] - 'x'}};
  constexpr std::string_view quaternion = "xyzw";
  if (name == "px" || name == "py" || name == "pz") return {{"center", name[1] - 'x'}};
  if (name.size() == 2 && name[0] == 'q' && quaternion.find(name[1]) != std::string::npos) {
    return {{"rotation", quaternion.find(name[1])}};
  }
  const std::size_t at = name.find_last_of("_.");
  if (at == std::string::npos || at == 0) return std::nullopt;
  const std::string list = name.substr(0, at), number = name.substr(at + 1);
  if (list == "matrix" && number.size() == 2 && number[0] >= '0' && number[0] <= '2' &&
      number[1] >= '0' && number[1] <= '2') {
    return {{list, std::size_t(3 * (number[0] - '0') + number[1] - '0')}};
  }
  if (number.size() != 1 || quaternion.find(number[0]) == std::string::npos) return std::nullopt;
  return {{standard_key(list), quaternion.find(number[0])}};
}

/// Fields whose cells are words: names, and `x`, `y` or `z` as the axis of a capsule.
bool is_text(std::string_view field) { return field == "name" || field == "id" || field == "axis"; }

}  // namespace

CsvReader::CsvReader(const std::string& file, std::string_view text, const std::string& wanted)
    : file_(file), lines_(file, without_mark(text)) {
  do {
    if (!lines_.next()) refuse(file, "is empty; {}", wanted);
    read_metadata(lines_.line());
  } while (trimmed(lines_.line()).empty() || lines_.line().starts_with('#'));
  check_units(file_, metadata_);
  const std::string_view header = lines_.line();
  for (const char c : {';', '\t'}) {
    if (header.find(',') == std::string_view::npos && header.find(c) != std::string_view::npos) {
      separator_ = c;
    }
  }
  split();
  if (cells_.size() > most_columns) {
    lines_.refuse("has more than {} columns", most_columns);
  }
  if (std::any_of(cells_.begin(), cells_.end(), finite_number)) {
    refuse(file, "looks like CSV without a header; {}", wanted);
  }
  names_.assign(cells_.begin(), cells_.end());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].empty()) add_column(i, names_[i]);
  }
  for (const Field& field : fields_) {
    if (std::ranges::find(field.columns, no_column) == field.columns.end()) continue;
    lines_.refuse("the header has only some of the columns of '{}'", field.name);
  }
}

void CsvReader::read_metadata(std::string_view line) {
  if (!line.starts_with('#')) return;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(line.substr(1, colon - 1));
  if (key == "unit" || key == "up" || key == "eyes")
    metadata_[std::string(key)] = trimmed(line.substr(colon + 1), " ,;\t");
}

void CsvReader::add_column(std::size_t column, const std::string& heading) {
  const std::string name = standard_key(heading);
  const auto part = list_column(name);
  const std::string& field = part ? part->first : name;
  const std::size_t number = part ? part->second : 0;
  auto at = std::ranges::find(fields_, field, &Field::name);
  if (at == fields_.end()) at = fields_.insert(at, {field, {}, part.has_value()});
  if (at->columns.size() <= number) at->columns.resize(number + 1, no_column);
  if (at->columns[number] != no_column || at->list != part.has_value()) {
    lines_.refuse("the header has the column {} twice", in_quotes(heading));
  }
  at->columns[number] = column;
}

void CsvReader::split() {
  cells_.clear();
  std::string_view rest = lines_.line();
  for (bool more = true; more;) {
    std::size_t end = 0;
    const std::size_t first = rest.find_first_not_of(' ');
    if (first != std::string_view::npos && rest[first] == '"') {
      if (unquoted_.size() <= cells_.size()) unquoted_.resize(most_columns + 1);
      std::string& text = unquoted_[std::min(cells_.size(), most_columns)];
      text.clear();
      end = first + 1;
      for (;; ++end) {
        if (end >= rest.size()) lines_.refuse("a quote does not end");
        if (rest[end] != '"') {
          text += rest[end];
        } else if (end + 1 < rest.size() && rest[end + 1] == '"') {
          text += rest[end++];
        } else {
          break;
        }
      }
      cells_.push_back(text);
      const std::size_t quote = end + 1;
      end = std::min(rest.find(separator_, end), rest.size());
      if (!trimmed(rest.substr(quote, end - quote)).empty()) {
        lines_.refuse("has text behind a quote");
      }
    } else {
      end = std::min(rest.find(separator_), rest.size());
      cells_.push_back(trimmed(rest.substr(0, end)));
    }
    more = end < rest.size();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

bool CsvReader::has(std::string_view field) const {
  return std::ranges::find(fields_, field, &Field::name) != fields_.end();
}

std::string CsvReader::headings() const {
  constexpr std::size_t most = 16;
  std::string all;
  for (std::size_t i = 0; i < std::min(names_.size(), most); ++i) {
    all += (i == 0 ? "" : ", ") + in_quotes(names_[i]);
  }
  return all + (names_.size() > most ? ", ..." : "");
}

/// Throws for what may be a row whose first cell begins so; spreadsheets fill up comments with
/// empty cells.
bool CsvReader::is_comment() const {
  const std::string_view line = lines_.line();
  if (!line.starts_with('#')) return false;
  const auto separators = static_cast<std::size_t>(std::ranges::count(line, separator_));
  const std::size_t second = line.find(separator_);
  const bool filled = line.find_first_not_of(std::string{separator_, ' '}, second) != line.npos;
  if (separators + 1 < names_.size() || !filled) return true;
  lines_.refuse(
      "begins with '#' and has the cells of a row: put the first in quotes, or, of a comment, the "
      "separators elsewhere");
}

bool CsvReader::next() {
  do {
    if (!lines_.next()) return false;
  } while (is_comment() || trimmed(lines_.line()).empty());
  split();
  if (cells_.size() != names_.size()) {
    lines_.refuse("has {} cells, the header has {}", cells_.size(), names_.size());
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (names_[i].empty() && !cells_[i].empty()) {
      lines_.refuse("has {} in column {}, which has no name", in_quotes(cells_[i]), i + 1);
    }
  }
  return true;
}

std::string_view CsvReader::cell(std::string_view field) const {
  const auto at = std::ranges::find(fields_, field, &Field::name);
  return at == fields_.end() ? std::string_view() : cells_[at->columns.front()];
}

void CsvReader::add_value(TextFields& entry, const Field& field, std::size_t column) const {
  const std::string_view cell = cells_[column];
  if (is_text(field.name) && !field.list) return entry.add_text(cell);
  if (const auto whole = number_from<std::uint64_t>(cell)) return entry.add_whole(*whole);
  const std::optional<double> value = number_or_infinity(cell);
  if (!value) {
    entry.fail("has {} in column {}, not a number", in_quotes(cell), in_quotes(names_[column]));
  }
  entry.add_number(*value);
}

void CsvReader::fill(TextFields& entry, std::string_view without) const {
  for (const Field& field : fields_) {
    const bool given =
        std::ranges::any_of(field.columns, [&](std::size_t c) { return !cells_[c].empty(); });
    if (!given || field.name == without) continue;
    entry.add_key(field.name);
    if (field.list) entry.begin_list();
    for (const std::size_t c : field.columns) add_value(entry, field, c);
    if (field.list) entry.end_list();
  }
}

}  // namespace sightline::io
