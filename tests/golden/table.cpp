#include "tests/golden/table.hpp"

#include "host/files/core/hash.hpp"
#include "tests/support/places.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace sightline::testing {
namespace {

constexpr const char* policy_names[] = {"solid", "surface", "ignore"};

/// By scene and query.
using Table = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

bool is_written() { return std::getenv("SIGHTLINE_WRITE_GOLDEN") != nullptr; }

void write_table(const std::filesystem::path& path, const std::vector<GoldenRow>& rows) {
  std::ofstream file(path);
  file << "# Written by SIGHTLINE_WRITE_GOLDEN=1: see CONTRIBUTING.md. Of three hashes the first "
          "is\n"
          "# that of the policy solid, the second of surface, the third of ignore.\n"
       << "answers_version " << answers_version << "\n";
  std::string scene;
  for (const GoldenRow& row : rows) {
    if (row.scene != scene) file << "\n[" << (scene = row.scene) << "]\n";
    file << row.query << ":";
    for (const std::string& hash : row.hashes) file << " " << hash;
    file << "\n";
  }
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

Table read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  Table table;
  std::string scene, version;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("answers_version ")) version = line.substr(16);
    if (line.front() == '[') scene = line.substr(1, line.size() - 2);
    const std::size_t colon = line.rfind(": ");
    if (colon == std::string::npos) continue;
    std::istringstream words(line.substr(colon + 2));
    auto& hashes = table[{scene, line.substr(0, colon)}];
    for (std::string hash; words >> hash;) hashes.push_back(hash);
  }
  EXPECT_EQ(version, std::to_string(answers_version))
      << path.string() << ": another version of the answers has other hashes";
  return table;
}

std::string policy_of(const GoldenRow& row, std::size_t k) {
  return row.hashes.size() == 1 ? "" : std::string(", policy ") + policy_names[k];
}

}  // namespace

std::string hash_of(const Bytes& bytes) {
  return io::content_hash({io::stored("bytes", io::Dtype::u8, {bytes.size()}, bytes.data())})
      .substr(0, 16);
}

bool some_golden_scenes_do() { return test_scale() < 0.1 && !is_written(); }

void expect_golden(const char* name, const std::vector<GoldenRow>& found,
                   const BackendCase& backend, bool some) {
  const std::filesystem::path path =
      source_folder() / "tests/golden" / (std::string(name) + ".txt");
  if (is_written() && backend.backend == Backend::reference) {
    write_table(path, found);
    ADD_FAILURE() << path.string() << " was written; run again without SIGHTLINE_WRITE_GOLDEN";
    return;
  }
  Table table = read_table(path);
  for (const GoldenRow& row : found) {
    const auto golden = table.extract({row.scene, row.query});
    const bool known = !golden.empty() && golden.mapped().size() == row.hashes.size();
    EXPECT_TRUE(known) << path.string() << " has no such row: scene " << row.scene << ", query "
                       << row.query;
    for (std::size_t k = 0; known && k < row.hashes.size(); ++k) {
      EXPECT_EQ(row.hashes[k], golden.mapped()[k])
          << "other bytes than the golden ones: query " << row.query << policy_of(row, k)
          << ", scene " << row.scene << ", backend " << backend.name;
    }
  }
  for (const auto& [row, hashes] : table) {
    if (some) break;
    ADD_FAILURE() << path.string() << " has a row that nothing answers: scene " << row.first
                  << ", query " << row.second;
  }
}

std::span<const BackendCase> golden_backends() {
  return on_standin() ? cuda_cases() : std::span<const BackendCase>(every_backend);
}

}  // namespace sightline::testing
