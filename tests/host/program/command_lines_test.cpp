// The command lines of command_lines.txt: how each ends, what it says, which files it leaves.
#include "tests/host/program/program.hpp"
#include "tests/support/places.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

/// A line of the table, and the lines below it without their two spaces.
struct TableEntry {
  int line = 0;
  std::string head;
  std::vector<std::string> below;

  std::string key() const { return head.substr(0, head.find(' ')); }
  std::string rest() const { return head.substr(std::min(key().size() + 1, head.size())); }
};

/// A command line: how it ends, what it says, and the files that it makes.
struct CommandLine {
  int line = 0, exit_code = 0;
  std::string text;
  std::vector<std::string> arguments, words;
  std::set<std::string> files;
};

/// The words of a command line, in quotes where they hold spaces; nothing where a quote is open.
std::optional<std::vector<std::string>> split(const std::string& text) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (const char c : text) {
    if (quote == 0 && c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return quote == 0 ? std::optional(words) : std::nullopt;
}

std::vector<TableEntry> entries_of(std::istream& table) {
  std::vector<TableEntry> entries;
  int number = 0;
  for (std::string line; std::getline(table, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("  ") && !entries.empty()) {
      entries.back().below.push_back(line.substr(2));
    } else {
      entries.push_back({number, line, {}});
    }
  }
  return entries;
}

/// Nothing where the entry is no row that states how it ends and what it says.
std::optional<CommandLine> command_line_of(const TableEntry& entry) {
  const std::string code = entry.key();
  const auto arguments = split(entry.rest());
  const bool is_code =
      !code.empty() && code.size() < 4 && code.find_first_not_of("0123456789") == std::string::npos;
  if (!is_code || !arguments) return std::nullopt;
  CommandLine row = {entry.line, std::stoi(code), entry.rest(), *arguments, {}, {}};
  for (const std::string& line : entry.below) {
    if (line.empty() || line.starts_with(' ')) return std::nullopt;
    if (line.starts_with("+ ")) {
      row.files.insert(line.substr(2));
    } else {
      row.words.push_back(line);
    }
  }
  return row.words.empty() ? std::nullopt : std::optional(row);
}

class CommandLinesTest : public ProgramTest {
 protected:
  /// When each file was written and how large it is; folders are there, and no more.
  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = fs::relative(entry.path(), folder_).string();
      if (entry.is_regular_file()) {
        const auto written = entry.last_write_time().time_since_epoch().count();
        all[name] = std::to_string(written) + " " + std::to_string(entry.file_size());
      } else {
        all[name] = "folder";
      }
    }
    return all;
  }

  /// Makes the input that an entry describes; false where it describes none.
  bool prepare(const TableEntry& entry) {
    const auto words = split(entry.rest());
    const std::string key = entry.key();
    if (!words || words->empty() || entry.below.empty() != (key != "text")) return false;
    const std::string& name = words->front();
    if (key == "run") {
      const Outcome done = run(*words);
      EXPECT_EQ(done.exit_code, 0) << entry.head << '\n' << done.err;
      return true;
    }
    if (key == "text" && words->size() == 1) {
      std::string text;
      for (const std::string& line : entry.below) text += line + "\n";
      put(name, text);
      return true;
    }
    if (key == "array" && words->size() >= 2) return put_array(name, *words);
    const std::string bytes = words->size() == 2 ? get(words->back()) : "";
    if (bytes.size() < 6 || (key != "cut" && key != "damaged")) return false;
    put(name, key == "cut" ? bytes.substr(0, bytes.size() - 5) : bytes);
    if (key == "damaged") flip(name, bytes.size() - 1);
    return true;
  }
  /// Of NAME COLUMNS NUMBER...: float32 [n, COLUMNS], or [n] where COLUMNS is 0.
  bool put_array(const std::string& name, const std::vector<std::string>& words) {
    std::vector<float> values;
    for (std::size_t i = 2; i < words.size(); ++i) values.push_back(std::stof(words[i]));
    const std::uint64_t columns = std::stoull(words[1]), n = values.size();
    if (columns > 0 && n % columns != 0) return false;
    put_npy(name, values, columns == 0 ? io::Shape{n} : io::Shape{n / columns, columns});
    return true;
  }

  void expect(const CommandLine& row) {
    SCOPED_TRACE("command_lines.txt:" + std::to_string(row.line) + ": sightline " + row.text);
    const auto before = state();
    const Outcome done =
        run(row.arguments, {0, "", {{"COLUMNS", "100"}, {"CUDA_VISIBLE_DEVICES", ""}}});
    EXPECT_EQ(done.exit_code, row.exit_code) << done.err;
    for (const std::string& words : row.words) {
      // What is told of failures is on stderr; but for words in quotes, which are a report's.
      const bool anywhere = row.exit_code == 0 || words.starts_with('"');
      const std::string said = anywhere ? done.out + done.err : done.err;
      EXPECT_NE(said.find(words), std::string::npos) << "'" << words << "' is not in:\n" << said;
    }
    expect_files(row, before);
  }

  /// Of the files there only the row's are new, and none of the others has changed.
  void expect_files(const CommandLine& row, const std::map<std::string, std::string>& before) {
    std::set<std::string> made;
    for (const auto& [name, written] : state()) {
      const auto old = before.find(name);
      if (old == before.end()) {
        made.insert(name);
        fs::remove_all(path(name));
      } else {
        EXPECT_EQ(written, old->second) << name << " was changed";
      }
    }
    for (const auto& [name, written] : before) EXPECT_TRUE(exists(name)) << name << " is gone";
    EXPECT_EQ(made, row.files);
  }
};

// The rows know nothing of each other: what one makes is gone before the next.
TEST_F(CommandLinesTest, EndAndSpeakAsTheTableSays) {
  std::ifstream table(testing::source_folder() / "tests/host/program/command_lines.txt");
  ASSERT_TRUE(table.is_open());
  std::size_t rows = 0;
  for (const TableEntry& entry : entries_of(table)) {
    if (const auto row = command_line_of(entry)) {
      expect(*row);
      ++rows;
    } else {
      EXPECT_TRUE(prepare(entry)) << "command_lines.txt:" << entry.line << ": " << entry.head;
    }
  }
  EXPECT_GE(rows, 638u);
}

TEST_F(CommandLinesTest, RowsThatStateNothingAreRefused) {
  for (const char* head : {"2", "2 cast 'a", "two cast", "-2 cast", "2000 cast", "cast a.st"}) {
    EXPECT_FALSE(command_line_of({1, head, {}})) << head;
    EXPECT_FALSE(prepare({1, head, {}})) << head;
  }
  EXPECT_FALSE(command_line_of({1, "2 cast", {"+ a.st"}}));
  EXPECT_FALSE(command_line_of({1, "2 cast", {" words"}}));
  EXPECT_TRUE(command_line_of({1, "2", {"words"}}));
  EXPECT_FALSE(prepare({1, "text a.txt", {}}));
  EXPECT_FALSE(prepare({1, "cut a.st gone.st", {}}));
  EXPECT_FALSE(prepare({1, "array a.npy 3 1 2", {}}));
  EXPECT_EQ(split("a 'b  c' \"\" --d='e f'"),
            (std::vector<std::string>{"a", "b  c", "", "--d=e f"}));
}

}  // namespace
}  // namespace sightline::cli
