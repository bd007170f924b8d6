#include "host/program/results/column_buffer.hpp"

#include "host/program/jobs/bit_matrix.hpp"

#include <algorithm>
#include <cstring>

namespace sightline::cli {

ColumnBuffer::ColumnBuffer(std::vector<Column> columns, const Grid& grid,
                           const io::ContainerReader* file)
    : columns_(std::move(columns)), grid_(grid), file_(file), slots_(columns_.size()) {}

void ColumnBuffer::begin(const io::GridPart& part) {
  part_ = part;
  lead_ = file_ == nullptr ? 0 : (grid_.pairs ? part.column : part.row) % 64;
  for (Slot& slot : slots_) slot.ready = false;
}

std::span<const std::byte> ColumnBuffer::bytes(std::size_t column) {
  const Slot& slot = make_ready(column);
  return {slot.data, slot.bytes};
}

std::uint64_t ColumnBuffer::width(const Column& column) const {
  std::uint64_t width = 1;
  for (std::size_t d = grid_.pairs ? 2 : 1; d < column.shape.size(); ++d) width *= column.shape[d];
  return width;
}

std::uint64_t ColumnBuffer::widest() const {
  std::uint64_t widest = 1;
  for (const Column& c : columns_) {
    if (c.layout == Layout::cells) widest = std::max(widest, width(c));
  }
  return widest;
}

std::uint64_t ColumnBuffer::elements_of(const Column& column) const {
  switch (column.layout) {
    case Layout::cells:
      return part_.rows * part_.columns * width(column);
    case Layout::bits:
      return grid_.pairs ? part_.rows * bit_words(lead_ + part_.columns)
                         : bit_words(lead_ + part_.rows);
    case Layout::offsets:
      return part_.rows + 1;
    case Layout::items:
    case Layout::other:
      return 0;
    case Layout::whole:
      break;
  }
  return io::element_count(column.shape).value_or(0);
}

/// Calls move(first element, elements, offset in memory) for each run that is whole in both file
/// and memory.
template <class Move>
void ColumnBuffer::for_each_run(const Column& column, const Move& move) const {
  const std::uint64_t all = elements_of(column);
  if (all == 0) return;
  if (column.layout == Layout::whole) return move(0, all, 0);
  const bool bits = column.layout == Layout::bits;
  if (!grid_.pairs) {
    return move(bits ? part_.row / 64 : part_.row * width(column), all, 0);
  }
  const std::uint64_t w = width(column);
  const std::uint64_t stride = bits ? bit_words(grid_.columns) : grid_.columns * w;
  const std::uint64_t begin = bits ? part_.column / 64 : part_.column * w;
  const std::uint64_t run = all / part_.rows;
  if (run == stride) return move(part_.row * stride, all, 0);
  for (std::uint64_t i = 0; i < part_.rows; ++i) {
    move((part_.row + i) * stride + begin, run, i * run);
  }
}

void ColumnBuffer::size(Slot& slot, std::uint64_t bytes) const {
  slot.memory.resize(bytes);
  slot.data = slot.memory.data();
  slot.bytes = bytes;
  slot.ready = true;
}

ColumnBuffer::Slot& ColumnBuffer::make_ready(std::size_t column) {
  Slot& slot = slots_[column];
  if (slot.ready) return slot;
  const Column& of = columns_[column];
  const std::uint64_t bytes = io::dtype_bytes(of.dtype);
  size(slot, elements_of(of) * bytes);
  if (file_ == nullptr) return slot;
  const io::TensorInfo& tensor = *file_->find(of.name);
  for_each_run(of, [&](std::uint64_t first, std::uint64_t n, std::uint64_t at) {
    file_->read(tensor, first, n, slot.data + at * bytes);
  });
  return slot;
}

ColumnBuffer::Slot* ColumnBuffer::find(std::string_view column) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == column) return &make_ready(i);
  }
  return nullptr;
}

void ColumnBuffer::read_items(std::uint64_t first, std::uint64_t n) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].layout != Layout::items) continue;
    Slot& slot = make_ready(i);
    size(slot, n * io::dtype_bytes(columns_[i].dtype));
    file_->read(*file_->find(columns_[i].name), first, n, slot.data);
  }
}

std::uint64_t ColumnBuffer::items() const {
  for (const Column& c : columns_) {
    if (c.layout == Layout::items) return c.shape[0];
  }
  return 0;
}

bool ColumnBuffer::bit(std::size_t column, std::uint64_t cell) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(make_ready(column).data);
  if (grid_.pairs) words += cell / part_.columns * bit_words(lead_ + part_.columns);
  const std::uint64_t at = lead_ + (grid_.pairs ? cell % part_.columns : cell);
  return (words[at / 64] >> (at % 64) & 1) != 0;
}

void ColumnBuffer::take(ColumnBuffer& from) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Layout layout = columns_[c].layout;
    if (layout != Layout::bits && layout != Layout::cells) continue;
    const std::span<const std::byte> bytes = from.bytes(c);
    std::memcpy(make_ready(c).data, bytes.data(), bytes.size());
  }
}

void ColumnBuffer::mirror(ColumnBuffer& to) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Layout layout = columns_[c].layout;
    if (layout != Layout::bits && layout != Layout::cells) continue;
    const Slot& from = make_ready(c);
    Slot& into = to.make_ready(c);
    if (layout == Layout::bits) {
      std::vector<std::uint64_t> turned;
      transpose_bits(
          {reinterpret_cast<const std::uint64_t*>(from.data), from.bytes / sizeof(std::uint64_t)},
          part_.rows, part_.columns, turned);
      std::memcpy(into.data, turned.data(), turned.size() * sizeof(std::uint64_t));
      continue;
    }
    const std::uint64_t bytes = width(columns_[c]) * io::dtype_bytes(columns_[c].dtype);
    for (std::uint64_t i = 0; i < part_.rows; ++i) {
      for (std::uint64_t j = 0; j < part_.columns; ++j) {
        std::memcpy(into.data + (j * part_.rows + i) * bytes,
                    from.data + (i * part_.columns + j) * bytes, bytes);
      }
    }
  }
}

void ColumnBuffer::write(io::ContainerWriter& to) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& of = columns_[c];
    if (of.layout != Layout::cells && of.layout != Layout::bits) continue;
    const std::byte* const data = make_ready(c).data;
    const std::uint64_t bytes = io::dtype_bytes(of.dtype);
    for_each_run(of, [&](std::uint64_t first, std::uint64_t n, std::uint64_t at) {
      to.write(of.name, first, n, data + at * bytes);
    });
  }
}

void ColumnBuffer::write_items(io::ContainerWriter& to, std::uint64_t first) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].layout != Layout::items) continue;
    to.write(columns_[c].name, first, slots_[c].bytes / io::dtype_bytes(columns_[c].dtype),
             slots_[c].data);
  }
}

}  // namespace sightline::cli
