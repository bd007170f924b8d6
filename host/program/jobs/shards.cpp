#include "host/program/jobs/shards.hpp"

#include "host/files/core/file.hpp"
#include "host/files/core/text_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace sightline::cli {
namespace {

std::optional<Shard> shard_from(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto index = io::number_from<std::uint64_t>(text.substr(0, at));
  const auto count = io::number_from<std::uint64_t>(text.substr(at + between.size()));
  if (!index || !count || *index >= *count || *count > most_shards) return std::nullopt;
  return Shard{*index, *count};
}

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) { return shard_from(text, "/"); }

std::string shard_file(const std::string& output, const Shard& shard) {
  return fmt::format("{}.shard-{}-of-{}", output, shard.index, shard.count);
}

std::vector<FoundShard> find_shards(const std::string& output) {
  namespace fs = std::filesystem;
  const fs::path path(output), folder = path.parent_path();
  const std::string begin = path.filename().string() + ".shard-";
  std::map<std::pair<std::uint64_t, std::uint64_t>, FoundShard> found;
  std::error_code error;
  fs::directory_iterator files(folder.empty() ? "." : folder, error);
  for (; !error && files != fs::directory_iterator(); files.increment(error)) {
    std::string name = files->path().filename().string();
    if (!name.starts_with(begin)) continue;
    const bool partial = name.ends_with(".partial");
    if (partial) name.resize(name.size() - std::string_view(".partial").size());
    const auto shard = shard_from(std::string_view(name).substr(begin.size()), "-of-");
    if (!shard || name.substr(begin.size()) != fmt::format("{}-of-{}", shard->index, shard->count))
      continue;
    FoundShard& one = found[{shard->count, shard->index}];
    one.shard = *shard;
    one.file = shard_file(output, *shard);
    one.finished = one.finished || !partial;
  }
  if (error) io::fail_with(error.value(), folder.empty() ? "." : folder, "cannot be listed");
  std::vector<FoundShard> shards;
  for (auto& [place, one] : found) shards.push_back(std::move(one));
  return shards;
}

std::uint64_t number_of(const io::Metadata& metadata, const char* key) {
  const auto at = metadata.find(key);
  return at == metadata.end() ? 0 : io::number_from<std::uint64_t>(at->second).value_or(0);
}

std::optional<Shard> shard_of(const io::Metadata& metadata) {
  const Shard shard = {number_of(metadata, shard_index_key), number_of(metadata, shard_count_key)};
  if (shard.index >= shard.count || shard.count > most_shards) return std::nullopt;
  return shard;
}

}  // namespace sightline::cli
