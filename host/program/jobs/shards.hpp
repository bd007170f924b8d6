// Shards of a job: which one a run is, and the files in which they lie.
#pragma once

#include "host/files/core/tensor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::cli {

inline constexpr std::uint64_t most_shards = 1'000'000;

/// Shard `index` of 0 to count - 1.
struct Shard {
  std::uint64_t index = 0, count = 1;

  bool operator==(const Shard&) const = default;
};

/// "3/8"; nothing for other text.
std::optional<Shard> parse_shard(std::string_view text);
/// The file of a shard of this output: "seen.st.shard-3-of-8".
std::string shard_file(const std::string& output, const Shard& shard);

/// A shard of which a file was found: its own, or what an unfinished run left.
struct FoundShard {
  Shard shard;
  std::string file;
  bool finished = false;
};
/// Of an output, in its folder, by count and index. Throws Error{io}.
std::vector<FoundShard> find_shards(const std::string& output);

/// What a shard's metadata have beside those of its result: `of` is the result's kind.
inline constexpr char shard_kind[] = "shard";
inline constexpr char shard_of_key[] = "shard.of";
inline constexpr char shard_index_key[] = "shard.index";
inline constexpr char shard_count_key[] = "shard.count";
inline constexpr char shard_all_key[] = "shard.all_cells";

/// Which shard a file's metadata say it is; nothing where they say none that there could be.
std::optional<Shard> shard_of(const io::Metadata& metadata);
/// A number of the metadata; 0 where there is none.
std::uint64_t number_of(const io::Metadata& metadata, const char* key);

}  // namespace sightline::cli
