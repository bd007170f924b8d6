#include "host/program/jobs/report.hpp"

#include "host/files/core/text_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

/// A value alone has no memory that its end would ask for.
template <class T>
std::string dumped(const T& value) {
  // File names need not be UTF-8.
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string Report::json_of(std::uint64_t value) { return dumped(value); }
std::string Report::json_of(double value) {
  return std::isfinite(value) ? dumped(value) : dumped(fmt::format("{}", value));  // JSON has none
}
std::string Report::json_of(int value) { return dumped(value); }
std::string Report::json_of(bool value) { return dumped(value); }
std::string Report::json_of(const std::string& value) { return dumped(value); }

Report::Node& Report::member(Node& of, std::string_view name) {
  if (of.form == Form::value) of.form = name == "0" ? Form::list : Form::object;
  if (of.form == Form::list) {
    const auto index = io::number_from<std::uint32_t>(name).value();
    if (index >= of.members.size()) of.members.resize(std::size_t{index} + 1);
    return of.members[index];
  }
  const auto found = std::ranges::find(of.members, name, &Node::name);
  if (found != of.members.end()) return *found;
  Node node;
  node.name = name;
  return of.members.emplace_back(std::move(node));
}

Report::Node& Report::at(std::string_view pointer) {
  Node* node = &root_;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // the slash
    const std::string_view name = pointer.substr(0, pointer.find('/'));
    node = &member(*node, name);
    pointer.remove_prefix(name.size());
  }
  return *node;
}

void Report::set_member(std::string_view pointer, const std::string& name,
                        const std::string& value) {
  Node& of = at(pointer);
  of.form = Form::object;
  member(of, name).text = dumped(value);
}

void Report::make_object(std::string_view pointer) { at(pointer).form = Form::object; }

void Report::append(std::string_view pointer, const std::string& value) {
  Node node;
  node.text = dumped(value);
  Node& list = at(pointer);
  list.form = Form::list;
  list.members.push_back(std::move(node));
}

void Report::write(const Node& node, std::size_t indent, std::string& to) {
  if (node.form == Form::value) {
    to += node.text;
    return;
  }
  const bool is_list = node.form == Form::list;
  to += is_list ? '[' : '{';
  for (const Node& each : node.members) {
    to += &each == node.members.data() ? "\n" : ",\n";
    to.append(indent + 2, ' ');
    if (!is_list) to += dumped(each.name) + ": ";
    write(each, indent + 2, to);
  }
  if (!node.members.empty()) to.append("\n").append(indent, ' ');
  to += is_list ? ']' : '}';
}

std::string Report::text() const {
  std::string all;
  write(root_, 0, all);
  return all + "\n";
}

}  // namespace sightline::cli
