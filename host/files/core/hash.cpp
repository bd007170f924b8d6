#include "host/files/core/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace sightline::io {
namespace {

class Hasher {
 public:
  Hasher() { XXH3_128bits_reset(&state_); }
  void add(const void* bytes, std::uint64_t count) { XXH3_128bits_update(&state_, bytes, count); }
  void add_number(std::uint64_t value) { add(&value, sizeof value); }
  void add_text(std::string_view text) {
    add_number(text.size());
    add(text.data(), text.size());
  }
  std::string hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  XXH3_state_t state_;
};

}  // namespace

void for_each_chunk(const TensorSource& tensor,
                    const std::function<void(std::uint64_t, std::uint64_t, const void*)>& use) {
  const std::uint64_t elements = element_count(tensor.shape).value();
  // u64 words, so that every element type is aligned.
  std::vector<std::uint64_t> memory(
      (std::min(chunk_elements, elements) * dtype_bytes(tensor.dtype) + 7) / 8);
  for (std::uint64_t first = 0; first < elements; first += chunk_elements) {
    poll();
    const std::uint64_t count = std::min(chunk_elements, elements - first);
    tensor.read(first, count, memory.data());
    use(first, count, memory.data());
  }
}

std::string content_hash(std::vector<TensorSource> tensors) {
  std::ranges::sort(tensors, {}, &TensorSource::name);
  Hasher hasher;
  for (const TensorSource& tensor : tensors) {
    hasher.add_text(tensor.name);
    hasher.add_text(dtype_name(tensor.dtype));
    hasher.add_number(tensor.shape.size());
    for (const std::uint64_t size : tensor.shape) hasher.add_number(size);
    for_each_chunk(tensor, [&](std::uint64_t, std::uint64_t count, const void* bytes) {
      hasher.add(bytes, count * dtype_bytes(tensor.dtype));
    });
  }
  return hasher.hex();
}

std::vector<TensorSource> sources_of(const ContainerReader& container) {
  std::vector<TensorSource> tensors;
  for (const TensorInfo& info : container.tensors()) {
    tensors.push_back({info.name, info.dtype, info.shape,
                       [&container, &info](std::uint64_t first, std::uint64_t count, void* to) {
                         container.read(info, first, count, to);
                       }});
  }
  return tensors;
}

std::string content_hash(const ContainerReader& container) {
  return content_hash(sources_of(container));
}

namespace {

std::vector<TensorSpec> specs_of(const std::vector<TensorSource>& tensors) {
  std::vector<TensorSpec> specs;
  for (const TensorSource& t : tensors) specs.push_back({t.name, t.dtype, t.shape});
  return specs;
}

Metadata of_kind(const char* kind, Metadata metadata) {
  metadata[kind_key] = kind;
  metadata[format_key] = format_version;
  return metadata;
}

}  // namespace

std::uint64_t bytes_of_tensors(const char* kind, const std::vector<TensorSource>& tensors,
                               Metadata metadata) {
  return container_bytes(specs_of(tensors), of_kind(kind, std::move(metadata)));
}

void write_tensors(const std::string& name, const char* kind,
                   const std::vector<TensorSource>& tensors, Metadata metadata) {
  ContainerWriter file(name, specs_of(tensors), of_kind(kind, std::move(metadata)));
  for (const TensorSource& t : tensors) {
    for_each_chunk(t, [&](std::uint64_t first, std::uint64_t count, const void* from) {
      file.write(t.name, first, count, from);
    });
  }
  file.commit();
}

TensorSource stored(const std::string& name, Dtype dtype, const Shape& shape, const void* values) {
  const auto* const bytes = static_cast<const char*>(values);
  const std::uint64_t each = dtype_bytes(dtype);
  return {name, dtype, shape, [=](std::uint64_t first, std::uint64_t count, void* to) {
            std::memcpy(to, bytes + first * each, count * each);
          }};
}

}  // namespace sightline::io
