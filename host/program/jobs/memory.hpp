// How much memory the program has used, and how much a job may use.
#pragma once

#include <cstdint>
#include <string_view>

namespace sightline::cli {

/// The most resident memory so far, in bytes.
std::uint64_t peak_memory_bytes();
/// The resident memory now, in bytes; 0 where the system does not tell.
std::uint64_t current_memory_bytes();

/// What the limit leaves beside what is in use, small things held back; for whom a limit is more
/// than a yes or no. Throws Error{out_of_memory} where it was passed already.
std::uint64_t free_memory(std::uint64_t limit);

/// Throws Error{out_of_memory} naming both numbers when `what`, of so many bytes, does not fit
/// beside what is in use. A limit of 0 is none: then the machine's memory is the limit, however
/// much of it others use.
void require_memory(std::uint64_t limit, std::uint64_t bytes, std::string_view what);

/// How many elements a buffer may hold: at most `most`, less where the limit asks for it, always a
/// multiple of 64. Throws Error{out_of_memory} when not even 64 fit.
std::uint64_t buffer_elements(std::uint64_t limit, std::uint64_t bytes_per_element,
                              std::uint64_t most);

}  // namespace sightline::cli
