// Content hashes: XXH3-128 over tensors, the same however the file that holds them is spelt.
#pragma once

#include "host/io/tensor.hpp"

#include <functional>
#include <memory>

namespace sightline::io {

class ContainerReader;

/// A tensor and how to read its elements [first, first + count) into memory.
struct HashedTensor {
  std::string name;
  Dtype dtype = Dtype::f32;
  Shape shape;
  std::function<void(std::uint64_t first, std::uint64_t count, void* to)> read;
};

/// 32 hexadecimal digits over the tensors in the order of their names; streamed in bounded memory.
std::string content_hash(std::vector<HashedTensor> tensors);
/// Over all tensors of a container; its metadata does not count.
std::string content_hash(const ContainerReader& container);

}  // namespace sightline::io
