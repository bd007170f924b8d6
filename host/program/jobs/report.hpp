// The machine report of a run as a tree, whose changes and end take no memory that they have not
// asked for before: nlohmann::json ends the process where there is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::cli {

class Report {
 public:
  /// Sets what a JSON pointer such as "/counts/rays" leads to: a number, a truth value, or text.
  /// The first member "0" of a place makes it a list.
  template <class T>
  void set(std::string_view pointer, const T& value) {
    at(pointer).text = json_of(value);
  }
  /// Sets a member, whose name need not be a part of a pointer, of the object at a place.
  void set_member(std::string_view pointer, const std::string& name, const std::string& value);
  /// Makes an object of a place, if it is nothing yet.
  void make_object(std::string_view pointer);
  /// Adds to a list.
  void append(std::string_view pointer, const std::string& value);

  /// The whole as JSON, indented by two, with a last newline.
  std::string text() const;

 private:
  enum class Form { value, object, list };
  struct Node {
    std::string name, text = "null";
    Form form = Form::value;
    std::vector<Node> members;
  };

  static std::string json_of(std::uint64_t value);
  static std::string json_of(double value);
  static std::string json_of(int value);
  static std::string json_of(bool value);
  static std::string json_of(const std::string& value);
  static std::string json_of(const char* value) { return json_of(std::string(value)); }
  static Node& member(Node& of, std::string_view name);
  static void write(const Node& node, std::size_t indent, std::string& to);
  Node& at(std::string_view pointer);

  Node root_;
};

}  // namespace sightline::cli
