#include "host/files/core/unfinished.hpp"

#include "host/files/core/container.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace sightline::io {
namespace {

std::string value_of(const Metadata& metadata, const std::string& key) {
  const auto at = metadata.find(key);
  return at == metadata.end() ? "absent" : quote_name(at->second);
}

std::string first_difference(const Metadata& was, const Metadata& is) {
  const auto tell = [&](const std::string& key) {
    return fmt::format("its {} is {}, this job's is {}", quote_name(key), value_of(was, key),
                       value_of(is, key));
  };
  // Jobs of unlike kinds have unlike parameters, too.
  if (value_of(was, kind_key) != value_of(is, kind_key)) return tell(kind_key);
  for (const auto& [key, value] : is) {
    if (value_of(was, key) != quote_name(value)) return tell(key);
  }
  for (const auto& [key, value] : was) {
    if (value_of(is, key) != quote_name(value)) return tell(key);
  }
  return "its tensors are others";
}

bool begins_with_header(const PartialFile& file, const JournalHeader& job) {
  std::uint64_t length = job.file_header.size();
  std::string expected(sizeof length, '\0');
  std::memcpy(expected.data(), &length, sizeof length);
  expected += job.file_header;
  std::string found(expected.size(), '\0');
  file.read(0, found.data(), found.size());
  return found == expected;
}

}  // namespace

Metadata metadata_of(const std::string& file, const JournalHeader& header) {
  const std::uint64_t before = sizeof(std::uint64_t) + header.file_header.size();
  return parse_header(file, header.file_header, header.file_bytes - before).metadata;
}

void refuse_other_work(const PartialFile& file, const JournalHeader& left,
                       const JournalHeader& job) {
  const std::string partial = partial_name(file.name());
  if (left != job) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{} holds unfinished work of another job: {}; finish that job, name "
                            "another output, or throw the work away with --restart",
                            partial,
                            first_difference(metadata_of(journal_name(file.name()), left),
                                             metadata_of(file.name(), job))));
  }
  if (file.size() != job.file_bytes || !begins_with_header(file, job)) {
    throw Error(ErrorKind::bad_input, partial +
                                          " was changed since its journal was written: begin anew "
                                          "with --restart");
  }
}

void remove_journal(const std::string& name) {
  const std::string journal = journal_name(name);
  if (::unlink(journal.c_str()) == 0) {
    sync_folder_of(name);
  } else if (errno != ENOENT) {
    throw Error(ErrorKind::io, fmt::format("{}: cannot be removed: {}", journal,
                                           std::system_category().message(errno)));
  }
}

}  // namespace sightline::io
