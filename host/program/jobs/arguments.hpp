// What the command line says to all verbs, or to all that write results.
#pragma once

#include "host/files/core/journal.hpp"
#include "host/program/jobs/shards.hpp"

#include <sightline/caster.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sightline::cli {

/// What several verbs share; a verb that lacks an option keeps its default.
struct CommonArguments {
  std::string device = "auto";            ///< auto, reference, cpu, cuda, cuda:i
  std::vector<std::string> more_devices;  ///< that share the work with it
  int threads = 0;                        ///< 0: all cores
  Lanes lanes = Lanes::automatic;
  std::uint64_t max_memory = 0;  ///< bytes; 0: no limit
  std::string json;              ///< "": no report, "-": stdout
  bool quiet = false;
  bool dry_run = false;
  std::optional<bool> yes;  ///< whether what is large is wanted; nothing where no verb asks
};

/// An input file, or a value that stands for one, and the option that named it; "" where none did.
struct NamedFile {
  std::string option, file;
  bool used = false;
};

/// What all verbs that write results share.
struct ResultArguments {
  std::vector<NamedFile> inputs;
  std::string output;
  std::string picture;  ///< or ""
  io::ResumeOptions resume;
  std::uint64_t mpi = 0;  ///< into how many shards ranks cut the job; 0: there are no ranks
  /// That is written: as asked, or the one that this rank is at.
  mutable std::optional<Shard> shard;

  /// What the run writes: the output, or the file of its shard.
  std::string file() const { return shard ? shard_file(output, *shard) : output; }
};

}  // namespace sightline::cli
