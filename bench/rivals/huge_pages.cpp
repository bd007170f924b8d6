// Restarts the program with a malloc that asks for huge pages.
//
// Where the system grants them on demand, ours come from pages.hpp; Embree's nodes come from
// malloc, whatever its option "hugepages" says, and lookups at random then cost it walks through
// page tables. glibc takes the wish only from the environment, and only at the start.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace sightline::rivals {
namespace {

constexpr char tunables[] = "GLIBC_TUNABLES";
constexpr char wish[] = "glibc.malloc.hugetlb";

[[gnu::constructor]] void ask_for_huge_pages(int, char** argv, char**) {
  const char* present = std::getenv(tunables);
  if (present != nullptr && std::strstr(present, wish) != nullptr) return;
  std::string all = std::string(wish) + "=1";
  if (present != nullptr && *present != 0) all = std::string(present) + ":" + all;
  if (setenv(tunables, all.c_str(), 1) != 0) return;
  execv("/proc/self/exe", argv);  // where it fails, all works with small pages
}

}  // namespace
}  // namespace sightline::rivals
