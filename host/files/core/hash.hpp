// Content hashes: XXH3-128 over tensors, the same however the file that holds them is spelt.
#pragma once

#include "host/files/core/tensor.hpp"

#include <functional>

namespace sightline::io {

class ContainerReader;

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

}  // namespace sightline::io
