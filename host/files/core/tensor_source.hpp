// Tensors made of what is in memory, and whole containers of them.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/core/hash.hpp"

#include <cstring>

namespace sightline::io {

/// A column of `get(index)`, a struct of numbers of type T: [n], or [n, numbers] of several.
template <class T = float, class Get>
TensorSource column_source(const std::string& name, Dtype dtype, std::uint64_t n, Get get) {
  using Value = decltype(get(0u));
  constexpr std::uint64_t width = sizeof(Value) / sizeof(T);
  return {name, dtype, width == 1 ? Shape{n} : Shape{n, width},
          [get](std::uint64_t first, std::uint64_t count, void* to) {
            auto* place = static_cast<char*>(to);
            for (std::uint64_t i = 0; i < count / width; ++i) {
              const Value value = get(static_cast<std::uint32_t>(first / width + i));
              std::memcpy(place + i * sizeof value, &value, sizeof value);
            }
          }};
}

/// A column [n] of structs of floats, one after the other in memory.
template <class T>
TensorSource dense_source(const std::string& name, std::uint64_t n, const T* column) {
  constexpr std::uint64_t width = sizeof(T) / sizeof(float);
  const auto* numbers = reinterpret_cast<const float*>(column);
  return {name, Dtype::f32, width == 1 ? Shape{n} : Shape{n, width},
          [numbers](std::uint64_t first, std::uint64_t count, void* to) {
            std::memcpy(to, numbers + first, count * sizeof(float));
          }};
}

/// Writes a container of this kind ("scene", "points", ...) with these tensors. Throws Error{io}.
inline void write_tensors(const std::string& name, const char* kind,
                          const std::vector<TensorSource>& tensors, Metadata metadata) {
  metadata[kind_key] = kind;
  metadata[format_key] = format_version;
  std::vector<TensorSpec> specs;
  for (const TensorSource& t : tensors) specs.push_back({t.name, t.dtype, t.shape});
  ContainerWriter file(name, specs, metadata);
  for (const TensorSource& t : tensors) {
    for_each_chunk(t, [&](std::uint64_t first, std::uint64_t count, const void* from) {
      file.write(t.name, first, count, from);
    });
  }
  file.commit();
}

}  // namespace sightline::io
