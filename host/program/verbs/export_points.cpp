#include "host/program/verbs/export_points.hpp"

#include "host/files/core/text_file.hpp"
#include "host/files/formats/names.hpp"

#include <fmt/format.h>

namespace sightline::cli {

RowPoints::RowPoints(Job& job, const ResultFile& result, const char* option,
                     const std::string& file, const std::string& key) {
  if (file.empty()) return;
  Input input{option, "/points", "points", "points", result.text(key + ".hash")};
  if (input.hash.empty()) {
    io::fail(ErrorKind::usage, "{}: holds {}, whose rows are not about points: leave out {}",
             result.name(), result.result().names().kind, option);
  }
  input.count = result.number(key + ".count");
  result.read_eyes(key, input);
  points_ = InputFiles(job, {{option, file}}, result.name(), result.result().names().kind, true)
                .points(input);
  const auto names = points_->metadata.find(io::names_key);
  if (names != points_->metadata.end()) names_ = io::lines_of(names->second);
}

void RowPoints::add_headings(const std::string& prefix, std::vector<std::string>& headings) const {
  if (!points_) return;
  for (const char* axis : {"x", "y", "z"}) headings.push_back(prefix + axis);
  if (!points_->label.empty()) headings.push_back(prefix + (names_.empty() ? "label" : "name"));
}

void RowPoints::put(std::uint64_t i, io::TextTable& table) const {
  if (!points_) return;
  const Vec3& p = points_->position[i];
  for (const float x : {p.x, p.y, p.z}) table.put(x);
  if (points_->label.empty()) return;
  const std::uint64_t label = points_->label[i];
  if (label == 0) return table.put_nothing();
  label <= names_.size() ? table.put_text(names_[label - 1]) : table.put(label);
}

Ends::Ends(Job& job, const ResultFile& result, const std::string& points, const std::string& from,
           const std::string& to)
    : pairs_(result.result().grid().pairs), one_(result.result().names().one) {
  if (pairs_ ? !points.empty() : !(from + to).empty()) {
    io::fail(ErrorKind::usage, "{}: its rows are {}: name their points with {}", result.name(),
             pairs_ ? "pairs" : result.result().names().unit,
             pairs_ ? "--from and --to" : "--points");
  }
  if (!pairs_) {
    rows_ = RowPoints(job, result, "--points", points, "points");
    return;
  }
  rows_ = RowPoints(job, result, "--from", from, "from");
  const bool self = result.text("from.hash") == result.text("to.hash");
  columns_ = RowPoints(job, result, "--to", to.empty() && self ? from : to, "to");
}

std::vector<std::string> Ends::headings() const {
  std::vector<std::string> names = {pairs_ ? "from" : one_};
  rows_.add_headings(pairs_ ? "from_" : "", names);
  if (pairs_) names.emplace_back("to");
  columns_.add_headings("to_", names);
  return names;
}

void Ends::put_row(std::uint64_t i, io::TextTable& table) const {
  table.put(i);
  rows_.put(i, table);
}

void Ends::put_pair(std::uint64_t i, std::uint64_t j, io::TextTable& table) const {
  put_row(i, table);
  table.put(j);
  columns_.put(j, table);
}

}  // namespace sightline::cli
