// JSON in one pass: no tree is built, and an object of a list is used as soon as it ends.
#include "host/files/core/spelling.hpp"
#include "host/files/core/text_fields.hpp"
#include "host/files/core/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sightline::io {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 5;  // {list [object {rows [row [
constexpr std::uint64_t objects_between_polls = 4096;

/// The library's words, which quote all of a number or of a string.
std::string with_short_quote(std::string_view words) {
  for (const std::string_view before : {"last read: '", "number overflow parsing '"}) {
    const std::size_t at = words.find(before);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + before.size();
    const std::size_t end =
        std::max(begin, std::min(words.rfind("'; expected "), words.size() - 1));
    return fmt::format("{}{}{}", words.substr(0, begin - 1),
                       in_quotes(words.substr(begin, end - begin)), words.substr(end + 1));
  }
  return std::string(words);
}

/// What nlohmann's parser calls. It bounds the depth: it throws where an object or array is too
/// deep.
class JsonHandler {
 public:
  JsonHandler(const std::string& file, const JsonReader& reader)
      : values(file), file_(file), reader_(reader), object_(file) {}

  bool null() {
    return scalar([](TextFields& e) { e.add_null(); });
  }
  bool boolean(bool) {
    return scalar([](TextFields& e) { e.add_other(); });
  }
  bool number_integer(std::int64_t value) {
    return scalar([value](TextFields& e) { e.add_number(static_cast<double>(value)); });
  }
  bool number_unsigned(std::uint64_t value) {
    return scalar([value](TextFields& e) { e.add_whole(value); });
  }
  bool number_float(double value, const std::string&) {
    return scalar([value](TextFields& e) { e.add_number(value); });
  }
  bool string(const std::string& value) {
    return scalar([&](TextFields& e) { e.add_text(value); });
  }
  bool binary(json::binary_t&) { return false; }  // JSON has none

  bool start_object(std::size_t) {
    enter(true);
    return true;
  }
  bool start_array(std::size_t) {
    enter(false);
    return true;
  }
  bool key(const std::string& key) {
    if (depth_ == 1) return top_key(key);
    if (in_list() && depth_ == 3) object_.add_key(key);
    return true;
  }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    const std::string_view words = error.what();
    // Behind its name for the error.
    refuse(file_, "not JSON: {}", with_short_quote(words.substr(words.find("] ") + 2)));
  }

  TextFields values;

 private:
  static constexpr std::size_t no_list = ~std::size_t{0};

  bool in_list() const { return list_ != no_list; }
  TextFields& entry() { return in_list() ? object_ : values; }
  [[noreturn]] void refuse_list() const {
    refuse(file_, "'{}' is not a list", reader_.lists[list_]);
  }

  bool top_key(const std::string& key) {
    const auto at = std::ranges::find(reader_.lists, key);
    list_ =
        at == reader_.lists.end() ? no_list : static_cast<std::size_t>(at - reader_.lists.begin());
    if (!in_list() && std::ranges::find(reader_.values, key) == reader_.values.end()) {
      std::vector<std::string> valid(reader_.lists.begin(), reader_.lists.end());
      valid.insert(valid.end(), reader_.values.begin(), reader_.values.end());
      refuse(file_, "unknown key {}; valid are {}{}", in_quotes(key), fmt::join(valid, ", "),
             did_you_mean(key, valid));
    }
    values.add_key(key);
    if (in_list()) values.add_other();
    index_ = 0;
    return true;
  }

  template <class Add>
  bool scalar(const Add& add) {
    if (depth_ == 0) refuse(file_, "is not a JSON object");
    if (in_list() && depth_ == 1) refuse_list();
    if (in_list() && depth_ == 2) {
      object_.begin(reader_.lists[list_], index_);
      object_.fail("is not an object");
    }
    add(entry());
    end_value();
    return true;
  }

  void enter(bool object) {
    if (depth_ == deepest) refuse(file_, "is nested too deeply");
    if (depth_ == 0 && !object) {
      if (reader_.row_key == nullptr) refuse(file_, "is not a JSON object");
      top_key(std::string(reader_.lists.front()));
      is_object_[depth_++] = true;  // as if it were that list of an object
    }
    if (in_list() && depth_ == 1 && object) refuse_list();
    if (in_list() && depth_ == 2) {
      object_.begin(reader_.lists[list_], index_);
      is_row_ = !object;
      if (is_row_ && reader_.row_key != nullptr) {
        object_.add_key(reader_.row_key);
        object_.begin_list();
      }
    } else if (depth_ > (in_list() ? 2U : 0U)) {
      object ? entry().add_other() : entry().begin_list();
    }
    is_object_[depth_++] = object;
  }

  bool leave() {
    --depth_;
    if (in_list() && depth_ == 2) {
      if (is_row_ && reader_.row_key == nullptr) object_.fail("is not an object");
      if (is_row_) object_.end_list();
      if (index_ % objects_between_polls == 0) poll();
      reader_.use(list_, object_);
      ++index_;
    } else if (depth_ > (in_list() ? 2U : 0U)) {
      if (!is_object_[depth_]) entry().end_list();
      end_value();
    }
    return true;
  }

  /// Of the file's own values.
  void end_value() {
    if (!in_list() && depth_ == 1 && reader_.value) reader_.value(values);
  }

  const std::string& file_;
  const JsonReader& reader_;
  TextFields object_;
  std::size_t depth_ = 0, list_ = no_list;
  std::uint64_t index_ = 0;
  bool is_row_ = false;
  bool is_object_[deepest] = {};
};

}  // namespace

TextFields read_json(const std::string& file, const std::string& text, const JsonReader& reader) {
  JsonHandler handler(file, reader);
  json::sax_parse(text.data(), text.data() + text.size(), &handler);
  // The parser takes it for the text's end.
  if (text.find('\0') != text.npos) refuse(file, "not JSON: a zero byte in it");
  return std::move(handler.values);
}

bool has_json_key(std::string_view text, std::string_view key) {
  const std::string quoted = fmt::format("\"{}\"", key);
  for (std::size_t at = text.find(quoted); at != text.npos; at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + quoted.size());
    if (next != text.npos && text[next] == ':') return true;
  }
  return false;
}

std::string read_json_text(const std::string& name) {
  const File file(name);
  constexpr std::uint64_t longest = 256 << 20;
  if (file.size() > longest) refuse(name, "JSON files of more than 256 MiB are not read");
  return whole_text(file);
}

}  // namespace sightline::io
