// The work that an earlier run left of an output: whose it is.
#pragma once

#include "host/files/core/container_header.hpp"
#include "host/files/core/file.hpp"
#include "host/files/core/journal.hpp"

namespace sightline::io {

/// What a journal's job will have written as its container's metadata.
Metadata metadata_of(const std::string& file, const JournalHeader& header);

/// Throws Error{bad_input} where the work that was left is another job's, which it tells by the
/// first parameter that differs, or where the partial file is not as it was left.
void refuse_other_work(const PartialFile& file, const JournalHeader& left,
                       const JournalHeader& job);

/// Removes the journal of an output, durably. Throws Error{io}.
void remove_journal(const std::string& name);

}  // namespace sightline::io
