#include "host/cuda/chunks/workspace.hpp"

namespace sightline::cuda {
namespace {

constexpr std::size_t most_kept = 4;
constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 30;  // of each, in either memory

}  // namespace

void Workspace::reserve(std::size_t count, std::uint64_t pinned_bytes, std::uint64_t device_bytes) {
  try {
    for (std::size_t i = 0; i < count; ++i) {
      slots_[i].pinned.reserve(pinned_bytes);
      slots_[i].device.reserve(device_bytes);
    }
  } catch (const Error&) {
    for (ChunkSlot& slot : slots_) {
      slot.pinned = {};
      slot.device = {};
    }
    throw;
  }
}

void Workspace::clear() noexcept {
  for (ChunkSlot& slot : slots_) ignore(cudaStreamSynchronize(slot.stream.get()));
  for (ChunkSlot& slot : slots_) {
    slot.pinned = {};
    slot.device = {};
    slot.count = 0;
  }
  resident_ = {};
  resident_rows_ = {};
}

std::uint64_t Workspace::device_bytes() const {
  std::uint64_t bytes = resident_.bytes() + resident_rows_.bytes();
  for (const ChunkSlot& slot : slots_) bytes += slot.device.bytes();
  return bytes;
}

std::uint64_t Workspace::pinned_bytes() const {
  std::uint64_t bytes = 0;
  for (const ChunkSlot& slot : slots_) bytes += slot.pinned.bytes();
  return bytes;
}

std::unique_ptr<Workspace> WorkspacePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!kept_.empty()) {
      std::unique_ptr<Workspace> workspace = std::move(kept_.back());
      kept_.pop_back();
      return workspace;
    }
    kept_.reserve(most_kept);  // so that give_back() never allocates
  }
  return std::make_unique<Workspace>();
}

void WorkspacePool::give_back(std::unique_ptr<Workspace> workspace) noexcept {
  if (workspace->device_bytes() > most_kept_bytes || workspace->pinned_bytes() > most_kept_bytes) {
    workspace->clear();
  }
  const std::lock_guard lock(mutex_);
  if (kept_.size() < most_kept) kept_.push_back(std::move(workspace));
}

void WorkspacePool::trim() noexcept {
  memory_.trim();
  const std::lock_guard lock(mutex_);
  kept_.clear();
}

std::uint64_t WorkspacePool::device_bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = memory_.bytes();
  for (const auto& workspace : kept_) bytes += workspace->device_bytes();
  return bytes;
}

}  // namespace sightline::cuda
