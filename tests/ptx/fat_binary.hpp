// What nvcc puts into an object for the device: see fat_binary.cpp.
#pragma once

#include <string>

namespace sightline::ptx {

/// The PTX of what __cudaRegisterFatBinary is given. An Error says why there is none that can be
/// read: it is compressed, or there is only code for a device.
std::string ptx_of(const void* fat_binary_wrapper);

}  // namespace sightline::ptx
