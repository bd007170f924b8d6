#include "bench/rivals/embree4.hpp"

#include <dlfcn.h>

namespace sightline::rivals::embree4 {

#define SIGHTLINE_DEFINE(name, result, parameters) result(*name) parameters = nullptr;
SIGHTLINE_EMBREE4_FUNCTIONS(SIGHTLINE_DEFINE)
#undef SIGHTLINE_DEFINE

namespace {

constexpr char file_name[] = "libembree4.so.4";
constexpr ssize_t first_version = 40400, last_version = 40499;  // whose structs these are

/// Its functions have the names of Embree 3's, so that its own calls must find its own first.
void* open_anywhere() {
  constexpr int how = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
  void* library = dlopen((std::string(SIGHTLINE_RIVALS_FOLDER "/") + file_name).c_str(), how);
  return library != nullptr ? library : dlopen(file_name, how);
}

std::string open_once() {
  void* library = open_anywhere();
  if (library == nullptr) {
    return std::string("Embree 4 is not here (") + dlerror() +
           "); scripts/rivals.sh fetches it to build/rivals";
  }
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    void* found = dlsym(library, name);
    if (found == nullptr) missing = name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
#define SIGHTLINE_FIND(name, result, parameters) find(name, #name);
  SIGHTLINE_EMBREE4_FUNCTIONS(SIGHTLINE_FIND)
#undef SIGHTLINE_FIND
  if (missing != nullptr) return std::string(file_name) + " has no " + missing;
  const RTCDevice device = rtcNewDevice(nullptr);
  if (device == nullptr) return "Embree 4 makes no device";
  const ssize_t version = rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_VERSION);
  rtcReleaseDevice(device);
  if (version >= first_version && version <= last_version) return "";
  return std::string(file_name) + " is of version " + std::to_string(version) +
         ", not 4.4; scripts/rivals.sh fetches that to build/rivals";
}

}  // namespace

const std::string& open_library() {
  static const std::string problem = open_once();
  return problem;
}

}  // namespace sightline::rivals::embree4
