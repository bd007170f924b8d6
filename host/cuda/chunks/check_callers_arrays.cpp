#include "host/cuda/chunks/check_callers_arrays.hpp"

#include "host/cuda/device/check.hpp"

#include <string>

namespace sightline::cuda {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::usage, name + " " + why);
}

void check_array(const std::string& name, const void* data, std::size_t alignment, int device) {
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    refuse(name, "is not aligned to " + std::to_string(alignment) + " bytes");
  }
  cudaPointerAttributes attributes = {};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, data);
  if (error == cudaErrorInvalidValue) {  // how some runtimes report unregistered memory
    ignore(error);
    attributes.type = cudaMemoryTypeUnregistered;
  } else {
    check(error, "cudaPointerGetAttributes");
  }
  if (attributes.type == cudaMemoryTypeUnregistered) {
    refuse(name,
           "is host memory that the device cannot reach: give device, managed or pinned "
           "memory");
  }
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != device) {
    refuse(name, "is memory of cuda:" + std::to_string(attributes.device) +
                     ", but the caster is on cuda:" + std::to_string(device));
  }
}

template <class T>
void check_column(const std::string& name, const Column<T>& column, int device) {
  if (column.data == nullptr) return;
  if (column.stride % static_cast<std::ptrdiff_t>(alignof(T)) != 0) {
    refuse(name, "has a stride of " + std::to_string(column.stride) +
                     " bytes, no multiple of its elements' alignment");
  }
  check_array(name, column.data, alignof(T), device);
}

void check_vec3(const std::string& name, const Vec3Column& column, int device) {
  check_column(name + ".x", column.x, device);
  check_column(name + ".y", column.y, device);
  check_column(name + ".z", column.z, device);
}

template <class T>
void check_output(const char* name, const T* data, int device) {
  if (data != nullptr) check_array(name, data, alignof(T), device);
}

}  // namespace

void check_device_rays(const RaysView& rays, int device) {
  if (rays.count == 0) return;
  check_vec3("rays.origin", rays.origin, device);
  check_vec3("rays.direction", rays.direction, device);
  check_column("rays.t_min", rays.t_min, device);
  check_column("rays.t_max", rays.t_max, device);
  check_column("rays.mask", rays.mask, device);
  for (int k = 0; k < 2; ++k) {
    const std::string index = "[" + std::to_string(k) + "]";
    check_column("rays.exclude" + index, rays.exclude[k], device);
    check_column("rays.exclude_group" + index, rays.exclude_group[k], device);
  }
}

void check_device_hits(const HitsView& hits, int device) {
  check_output("hits.t", hits.t, device);
  check_output("hits.id", hits.id, device);
  check_output("hits.flags", hits.flags, device);
  check_output("hits.normal", hits.normal, device);
}

void check_device_blocked(const std::uint64_t* blocked, int device) {
  if (blocked == nullptr) refuse("blocked", "is null");
  check_array("blocked", blocked, alignof(std::uint64_t), device);
}

void check_device_counts(const CastCounts* counts, int device) {
  check_output("counts", counts, device);
}

}  // namespace sightline::cuda
