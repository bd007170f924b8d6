// In the place of exr.cpp where OpenEXR is not there.
#include "host/files/pictures/exr.hpp"

#include <sightline/error.hpp>

namespace sightline::io {

bool can_write_exr() { return false; }

void write_exr(const std::string& name, std::uint64_t, std::uint64_t,
               const std::vector<ExrChannel>&) {
  throw Error(ErrorKind::usage, name + ": this program was built without OpenEXR");
}

}  // namespace sightline::io
