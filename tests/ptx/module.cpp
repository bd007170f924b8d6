// A module's text: its functions' headers, its variables, and whether all its forms are known.
#include "tests/ptx/body.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

/// Where a block ends that begins at an opening brace.
std::size_t end_of_block(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  throw Error("a brace is not closed");
}

/// The opcode of a line that is a statement; empty: it is none.
std::string_view opcode_of(std::string_view line) {
  constexpr auto npos = std::string_view::npos;
  std::size_t at = line.find_first_not_of(" \t{");
  const std::size_t end = line.find_last_not_of(" \t\r}");
  if (at == npos || end == npos || line[end] != ';') return {};
  if (line[at] == '@') {
    at = line.find_first_of(" \t", at);
    at = at == npos ? npos : line.find_first_not_of(" \t", at);
  }
  if (at == npos || line[at] < 'a' || line[at] > 'z') return {};
  return line.substr(at, line.find_first_of(" \t;(", at) - at);
}

/// One statement a line, as nvcc writes it. Anything else is found when the function is read.
void check_forms(const Function& f, std::set<std::string, std::less<>>& known,
                 std::string& unknown) {
  for (std::string_view rest = f.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view opcode = opcode_of(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (opcode.empty() || known.contains(opcode)) continue;
    try {
      check_form(std::string(opcode));
    } catch (const Error&) {
      unknown += "\n  " + std::string(opcode) + " in " + f.name;
    }
    known.emplace(opcode);
  }
}

class Header {
 public:
  Header(Module& module, std::string_view text, std::uint32_t line)
      : module_(module), reader_(module.name, tokens_of(text, line)) {}

  /// Reads it, with what belongs to the whole module before it.
  void read(std::string_view body, std::uint32_t line) {
    while (skip_words_of_module()) {
    }
    bool is_function = false, is_entry = false, is_external = false;
    for (;;) {
      if (reader_.take(".entry")) {
        is_function = is_entry = true;
      } else if (reader_.take(".func")) {
        is_function = true;
      } else if (reader_.take(".extern")) {
        is_external = true;
      } else if (!reader_.take(".visible") && !reader_.take(".weak") &&
                 !reader_.take(".noinline")) {
        break;
      }
    }
    if (is_function) {
      function(is_entry, body, line);
    } else if (reader_.is(".global") || reader_.is(".const")) {
      variable(body, is_external);
    } else if (!reader_.at_end() && !reader_.is(".section")) {
      reader_.fail("unknown directive");
    }
  }

 private:
  bool skip_words_of_module() {
    if (reader_.take(".version") || reader_.take(".address_size")) {
      reader_.next();
    } else if (reader_.take(".target")) {
      do {
        reader_.next();
      } while (reader_.take(","));
    } else if (reader_.take(".file")) {
      const auto number = static_cast<std::uint32_t>(reader_.next_number());
      const std::string_view name = reader_.next();
      module_.files[number] = std::string(name.substr(1, name.size() - 2));
      while (reader_.take(",")) reader_.next();
    } else {
      return false;
    }
    return true;
  }

  std::vector<Parameter> parameters(std::int64_t& bytes) {
    std::vector<Parameter> all;
    reader_.want("(");
    while (!reader_.take(")")) {
      reader_.want(".param");
      all.push_back(read_variable(reader_, bytes));
      reader_.take(",");
    }
    return all;
  }

  void function(bool is_entry, std::string_view body, std::uint32_t line) {
    std::int64_t ignored = 0, bytes = 0;
    std::vector<Parameter> results;
    if (reader_.is("(")) results = parameters(ignored);
    const std::string name(reader_.next());
    Function& f = module_.functions[name];
    f.name = name;
    f.module = &module_;
    f.entry = is_entry;
    f.results = std::move(results);
    if (reader_.is("(")) f.parameters = parameters(bytes);
    f.parameter_bytes = bytes;
    while (!reader_.at_end()) bounds(f);
    if (!body.empty()) f.text = body;
    f.first_line = line;
  }

  void bounds(Function& f) {
    const std::string_view directive = reader_.next();
    std::uint64_t product = 1;
    if (directive == ".noreturn") return;
    do {
      product *= reader_.next_number();
    } while (reader_.take(","));
    if (directive == ".maxntid") {
      f.max_threads = product;
    } else if (directive != ".minnctapersm") {
      reader_.fail("unknown bound " + std::string(directive));
    }
  }

  void variable(std::string_view body, bool is_external) {
    reader_.next();
    std::int64_t total = 0;
    const Parameter p = read_variable(reader_, total);
    if (!body.empty() || !reader_.at_end() || is_external) {
      reader_.fail("a variable with values, or of another module: " + p.name);
    }
    module_.globals[p.name].assign(static_cast<std::size_t>(p.size) + 16, 0);
  }

  Module& module_;
  Reader reader_;
};

}  // namespace

std::deque<Module>& modules() {
  static std::deque<Module> all;
  return all;
}

Module& load(std::string name, std::string text) {
  Module& m = modules().emplace_back();
  m.name = std::move(name);
  m.text = std::move(text);
  const std::string_view all = m.text;
  std::uint32_t line = 1;
  std::set<std::string, std::less<>> known;
  std::string unknown;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find_first_of(";{", at);
    if (end == all.npos) break;
    const bool has_body = all[end] == '{';
    const std::size_t stop = has_body ? end_of_block(all, end) : end + 1;
    const std::string_view head = all.substr(at, end - at);
    const auto lines = [](std::string_view part) {
      return static_cast<std::uint32_t>(std::count(part.begin(), part.end(), '\n'));
    };
    Header(m, head, line)
        .read(has_body ? all.substr(end, stop - end) : std::string_view(), line + lines(head));
    line += lines(all.substr(at, stop - at));
    at = stop;
  }
  for (const auto& [key, f] : m.functions) check_forms(f, known, unknown);
  if (!unknown.empty())
    throw Error(m.name + " has forms that the interpreter does not know:" + unknown);
  return m;
}

Function* find_entry(Module& module, std::string_view name) {
  const auto it = module.functions.find(name);
  return it == module.functions.end() || !it->second.entry ? nullptr : &it->second;
}

std::vector<std::size_t> parameter_sizes(const Function& function) {
  std::vector<std::size_t> sizes;
  for (const Parameter& p : function.parameters) sizes.push_back(static_cast<std::size_t>(p.size));
  return sizes;
}

}  // namespace sightline::ptx
