// Tensors as streams of their elements: what content hashes (XXH3-128, the same however the file
// that holds the tensors is spelt) and whole containers are made of.
#pragma once

#include "host/files/core/container.hpp"

#include <cstring>
#include <functional>

namespace sightline::io {

/// A tensor and how to get its elements [first, first + count) into memory.
struct TensorSource {
  std::string name;
  Dtype dtype = Dtype::f32;
  Shape shape;
  std::function<void(std::uint64_t first, std::uint64_t count, void* to)> read;
};

/// How many elements are asked of a TensorSource at once, but for the last time: whole rows of 3
/// and of 4.
inline constexpr std::uint64_t chunk_elements = 12 * 32768;

/// Calls use(first, count, bytes) for each chunk of the tensor.
void for_each_chunk(const TensorSource& tensor,
                    const std::function<void(std::uint64_t, std::uint64_t, const void*)>& use);

/// 32 hexadecimal digits over the tensors in the order of their names; streamed in bounded memory.
std::string content_hash(std::vector<TensorSource> tensors);
/// All tensors of a container, which must outlive them.
std::vector<TensorSource> sources_of(const ContainerReader& container);
/// Over all tensors of a container; its metadata does not count.
std::string content_hash(const ContainerReader& container);
/// Writes a container of this kind ("scene", "points", ...) with these tensors. Throws Error{io}.
void write_tensors(const std::string& name, const char* kind,
                   const std::vector<TensorSource>& tensors, Metadata metadata);
/// How many bytes that writes.
std::uint64_t bytes_of_tensors(const char* kind, const std::vector<TensorSource>& tensors,
                               Metadata metadata);

/// A tensor that lies in memory as it will in a file; the values must outlive it.
TensorSource stored(const std::string& name, Dtype dtype, const Shape& shape, const void* values);
/// What a column of T consists of: T, or the floats of a struct.
template <class T>
using NumberOf = std::conditional_t<std::is_arithmetic_v<T>, T, float>;
template <class T>
TensorSource stored(const std::string& name, const Shape& shape, const T* values) {
  return stored(name, dtype_of<NumberOf<T>>(), shape, static_cast<const void*>(values));
}

/// A column of `get(index)`, a number of type T.
template <class T, class Get>
TensorSource column_source(const std::string& name, std::uint64_t n, Get get) {
  return {name, dtype_of<T>(), {n}, [get](std::uint64_t first, std::uint64_t count, void* to) {
            auto* values = static_cast<T*>(to);
            for (std::uint64_t i = first; i < first + count; ++i) {
              *values++ = get(static_cast<std::uint32_t>(i));
            }
          }};
}

}  // namespace sightline::io
