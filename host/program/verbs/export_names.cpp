#include "host/program/verbs/export_names.hpp"

#include "host/files/core/text_file.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

InputFiles files_of(Job& job, const ResultFile& result, const char* option,
                    const std::string& file) {
  return {job, {{option, file}}, result.name(), result.result().names().kind, true};
}

[[noreturn]] void refuse_option(const ResultFile& result, const char* what, const char* option) {
  io::fail(ErrorKind::usage, "{}: holds {}, whose rows are not about {}: leave out {}",
           result.name(), result.result().names().kind, what, option);
}

NamesOf names_of_query(Job& job, const ResultFile& result, const std::string& file) {
  if (file.empty()) return {};
  constexpr const char* option = "--with";
  const bool sweep = !result.text("moving.hash").empty();
  const std::string key = sweep ? "moving" : "asking";
  if (result.text(key + ".hash").empty() || !result.text("query.dimensions").empty()) {
    refuse_option(result, "query shapes", option);
  }
  if (!result.text("query.body").empty()) {
    io::fail(ErrorKind::usage, "{}: its rows are bodies of several shapes: leave out {}",
             result.name(), option);
  }
  Input input{option, "/with", "shapes", "shapes", result.text(key + ".hash")};
  const LoadedScene loaded = files_of(job, result, option, file).shapes(input);
  return names_of_shapes(job, file, loaded.scene, loaded.metadata);
}

NamesOf names_of_areas(Job& job, const ResultFile& result, const std::string& file) {
  if (file.empty()) return {};
  constexpr const char* option = "--areas";
  const std::string hash = result.text("areas.hash");
  if (hash.empty()) refuse_option(result, "areas", option);
  if (io::holds_area_points(file)) {
    io::fail(ErrorKind::usage, "{}: holds points, which do not name their areas: leave out {}",
             file, option);
  }
  io::Metadata metadata;
  const Areas areas = io::read_areas(file, "", nullptr, &metadata);
  const std::uint64_t asked = result.number("query.samples");
  // The result does not say which way is up, as its scene did.
  const auto hash_of = [&](const std::string& name) {
    std::string found;
    for (const char* up : {"z", "y"}) {
      if (metadata.contains("up") && metadata["up"] != up) continue;
      io::AreaQuestion question;
      if (asked != 0) question.samples = static_cast<std::uint32_t>(asked);
      question.up = up;
      found = io::samples_hash(io::read_area_samples(name, question));
      if (found == hash) break;
    }
    return found;
  };
  Input input{option, "/areas", "areas", "areas", hash};
  files_of(job, result, option, file).file(input, hash_of);
  if (areas.label.empty()) job.warn(file + ": its areas have no names");
  return {areas.label, metadata};
}

}  // namespace

NamesOf::NamesOf(std::vector<std::uint64_t> label, const io::Metadata& metadata)
    : label_(std::move(label)) {
  const auto names = metadata.find(io::names_key);
  if (names == metadata.end()) return;
  text_ = std::make_shared<const std::string>(names->second);
  lines_ = io::lines_of(*text_);
}

void NamesOf::put(std::uint64_t i, io::TextTable& table) const {
  const std::uint64_t label = i < label_.size() ? label_[i] : 0;
  if (label == 0) return table.put_nothing();
  label <= lines_.size() ? table.put_text(lines_[label - 1]) : table.put(label);
}

NamesOf names_of_shapes(Job& job, const std::string& file, const Scene& scene,
                        const io::Metadata& metadata) {
  bool any = false;
  for (int k = 0; k < kind_count; ++k) any = any || scene.has_labels(static_cast<Kind>(k));
  if (!any) {
    job.warn(file + ": its shapes have neither names nor labels, so ids stay ids");
    return {};
  }
  std::vector<std::uint64_t> label(scene.size());
  for (std::uint32_t id = 0; id < label.size(); ++id) label[id] = scene.attributes(id).label;
  return {std::move(label), metadata};
}

NamesOf names_of_scene(Job& job, const ResultFile& result, const std::string& file) {
  if (!result.text("query.dimensions").empty()) {
    throw Error(ErrorKind::usage, file + ": shapes of 2D have no labels: leave out --scene");
  }
  std::string hash = result.result().scene_hash;
  const LoadedScene loaded = files_of(job, result, "--scene", file).scene(hash);
  return names_of_shapes(job, file, loaded.scene, loaded.metadata);
}

RowPoints::RowPoints(Job& job, const ResultFile& result, const char* option,
                     const std::string& file, const std::string& key) {
  if (file.empty()) return;
  Input input = result.points(option, key, "/points");
  if (input.hash.empty()) refuse_option(result, "points", option);
  points_ = files_of(job, result, option, file).points(input);
  names_ = NamesOf(points_->label, points_->metadata);
}

void RowPoints::add_headings(const std::string& of_place, const std::string& of_name,
                             std::vector<std::string>& headings) const {
  if (!points_) return;
  for (const char* axis : {"x", "y", "z"}) headings.push_back(of_place + axis);
  if (names_.given()) headings.push_back(of_name + names_.word());
}

void RowPoints::put(std::uint64_t i, io::TextTable& table) const {
  if (!points_) return;
  const Vec3& p = points_->position[i];
  for (const float x : {p.x, p.y, p.z}) table.put(x);
  if (names_.given()) names_.put(i, table);
}

Ends::Ends(Job& job, const ResultFile& result, const RowFiles& files)
    : pairs_(result.result().grid().pairs), one_(result.result().names().one) {
  if (pairs_ ? !files.points.empty() : !(files.from + files.to).empty()) {
    io::fail(ErrorKind::usage, "{}: its rows are {}: name their points with {}", result.name(),
             pairs_ ? "pairs" : result.result().names().unit,
             pairs_ ? "--from and --to" : "--points");
  }
  names_ = names_of_areas(job, result, files.areas);
  if (!files.shapes.empty()) names_ = names_of_query(job, result, files.shapes);
  if (!pairs_) {
    rows_ = RowPoints(job, result, "--points", files.points, "points");
    return;
  }
  rows_ = RowPoints(job, result, "--from", files.from, "from");
  const bool self = result.text("from.hash") == result.text("to.hash");
  columns_ = RowPoints(job, result, "--to", files.to.empty() && self ? files.from : files.to, "to");
}

std::vector<std::string> Ends::headings() const {
  std::vector<std::string> headings = {pairs_ ? "from" : one_};
  const std::string first = pairs_ ? "from_" : one_ + "_";
  rows_.add_headings(pairs_ ? "from_" : "", first, headings);
  if (names_.given()) headings.push_back(first + names_.word());
  if (!pairs_) return headings;
  headings.emplace_back("to");
  columns_.add_headings("to_", "to_", headings);
  if (names_.given()) headings.push_back(std::string("to_") + names_.word());
  return headings;
}

void Ends::put_row(std::uint64_t i, io::TextTable& table) const {
  table.put(i);
  rows_.put(i, table);
  if (names_.given()) names_.put(i, table);
}

void Ends::put_pair(std::uint64_t i, std::uint64_t j, io::TextTable& table) const {
  put_row(i, table);
  table.put(j);
  columns_.put(j, table);
  if (names_.given()) names_.put(j, table);
}

}  // namespace sightline::cli
