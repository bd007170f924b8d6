#include "host/program/jobs/memory.hpp"

#include "host/files/core/file.hpp"
#include "host/program/jobs/bytes.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sightline::cli {
namespace {

// The threads' stacks, the allocator's slack and small things.
constexpr std::uint64_t reserve = 8 << 20;

/// Swap included.
std::uint64_t machine_memory_bytes() {
  struct sysinfo machine = {};
  if (::sysinfo(&machine) != 0) return ~std::uint64_t{0};
  return (std::uint64_t{machine.totalram} + machine.totalswap) * machine.mem_unit;
}

}  // namespace

// Not getrusage() where there is another: its peak begins with that of the process that started
// this one.
std::uint64_t peak_memory_bytes() {
  if (std::FILE* const file = std::fopen("/proc/self/status", "r")) {
    unsigned long long kibibytes = 0;
    char line[256];
    bool found = false;
    while (!found && std::fgets(line, sizeof(line), file) != nullptr) {
      found = std::sscanf(line, "VmHWM: %llu kB", &kibibytes) == 1;
    }
    std::fclose(file);
    if (found) return kibibytes * 1024;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t current_memory_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long pages = 0, resident = 0;
  const bool read = std::fscanf(file, "%lu %lu", &pages, &resident) == 2;
  std::fclose(file);
  return read ? std::uint64_t{resident} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// Memory that was returned may be used again, memory that was in
// use at some time has been used: whatever the peak beyond the limit, it cannot be undone.
std::uint64_t free_memory(std::uint64_t limit) {
  const std::uint64_t peak = peak_memory_bytes();
  if (peak > limit) {
    io::fail(ErrorKind::out_of_memory,
             "--max-memory allows {}, but {} were needed before any buffer", format_bytes(limit),
             format_bytes(peak));
  }
  const std::uint64_t used = current_memory_bytes() + reserve;
  return used < limit ? limit - used : 0;
}

void require_memory(std::uint64_t limit, std::uint64_t bytes, std::string_view what) {
  if (limit == 0) {
    const std::uint64_t all = machine_memory_bytes();
    if (bytes <= all) return;
    io::fail(ErrorKind::out_of_memory, "{} needs {}, but this machine has {}", what,
             format_bytes(bytes), format_bytes(all));
  }
  const std::uint64_t room = free_memory(limit);
  if (bytes <= room) return;
  io::fail(ErrorKind::out_of_memory, "{} needs {}, but --max-memory {} leaves {}", what,
           format_bytes(bytes), format_bytes(limit), format_bytes(room));
}

std::uint64_t buffer_elements(std::uint64_t limit, std::uint64_t bytes_per_element,
                              std::uint64_t most) {
  if (limit == 0) return std::max<std::uint64_t>(64, most / 64 * 64);
  const std::uint64_t n = std::min(most, free_memory(limit) / bytes_per_element) / 64 * 64;
  if (n == 0) require_memory(limit, 64 * bytes_per_element, "the smallest buffer");
  return std::max<std::uint64_t>(64, n);
}

}  // namespace sightline::cli
