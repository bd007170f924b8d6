// Columns of a result, and a part of them in memory.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/formats/rays_file.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>
#include <sightline/results.hpp>

#include <cstring>
#include <functional>
#include <span>

namespace sightline::cli {

class Differences;
class ResultFile;

/// What a result has an answer to: rows, or pairs of rows and columns.
struct Grid {
  std::uint64_t rows = 0, columns = 1;
  bool pairs = false;     ///< two-dimensional; else there is one column
  bool mirrored = false;  ///< pairs of a set with itself: [j,i] is [i,j]

  std::uint64_t cells() const { return rows * columns; }
};

enum class Layout {
  cells,    ///< [rows, ...] or [rows, columns, ...]: so many elements for each cell
  bits,     ///< a bit for each cell, in words; rows of pairs begin with a word
  offsets,  ///< [rows + 1]: where a row's items begin
  items,    ///< [all items of all rows]
  whole,    ///< no cell's
  other,    ///< what the kind itself writes and checks
};

/// A tensor of a result's file.
struct Column {
  std::string name;
  io::Dtype dtype = io::Dtype::f32;
  io::Shape shape;
  Layout layout = Layout::cells;
  std::string words = name;  ///< what it says, where that is not its name
  bool xyz = false;          ///< whether its last dimension is a vector's
  std::function<std::vector<std::byte>()> content = {};  ///< of a whole column
  /// Of another column: what verify checks.
  std::function<void(const ResultFile&, Differences&)> check = {};
};
template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// Calls use(value) with a value of such a tensor that lies here.
template <class Use>
auto visit_value(io::Dtype dtype, const std::byte* from, Use&& use) {
  const auto value = [&]<class T>(T of) {
    std::memcpy(&of, from, sizeof of);
    return use(of);
  };
  switch (dtype) {
    case io::Dtype::f32:
      return value(float{});
    case io::Dtype::u8:
      return value(std::uint8_t{});
    case io::Dtype::u16:
      return value(std::uint16_t{});
    case io::Dtype::u64:
      return value(std::uint64_t{});
    default:
      return value(std::uint32_t{});
  }
}

/// A part of a result's columns in memory: those that were asked for. Of a file they are read when
/// they are. Memory is used again by the next part.
class ColumnBuffer {
 public:
  ColumnBuffer(std::vector<Column> columns, const Grid& grid,
               const io::ContainerReader* file = nullptr);

  const std::vector<Column>& columns() const { return columns_; }
  const Grid& grid() const { return grid_; }
  const io::GridPart& part() const { return part_; }
  /// Begins another part; of a file it may begin at any bit of a word.
  void begin(const io::GridPart& part);
  /// Elements of a column in C order; empty where there is no such column.
  template <class T>
  std::span<T> of(std::string_view column) {
    Slot* const slot = find(column);
    if (slot == nullptr) return {};
    return {reinterpret_cast<T*>(slot->data), slot->bytes / sizeof(T)};
  }
  /// The same as bytes.
  std::span<const std::byte> bytes(std::size_t column);
  /// Items or offsets that lie in a vector, which must stay.
  template <class T>
  void refer(std::string_view column, std::vector<T>& values) {
    if (Slot* const slot = find(column)) {
      slot->data = reinterpret_cast<std::byte*>(values.data());
      slot->bytes = values.size() * sizeof(T);
    }
  }
  /// Reads items [first, first + n) of a file.
  void read_items(std::uint64_t first, std::uint64_t n);

  /// How many items all rows have together.
  std::uint64_t items() const;
  /// Elements of a column for each cell.
  std::uint64_t width(const Column& column) const;
  /// The most of a column; 1 where none has elements for each.
  std::uint64_t widest() const;
  /// Bit of a cell of the part, which are counted row by row.
  bool bit(std::size_t column, std::uint64_t cell);
  /// The same cells, of rows and columns swapped, into a buffer that has begun such a part.
  void mirror(ColumnBuffer& to);
  /// Takes what another buffer has of each cell, of as many rows and columns.
  void take(ColumnBuffer& from);
  /// Columns that have elements or bits for each cell.
  void write(io::ContainerWriter& to);
  /// Items, from this one on.
  void write_items(io::ContainerWriter& to, std::uint64_t first);

  // For answers that need memory of their own.
  io::RayBuffer rays;
  std::vector<float> numbers;
  std::vector<Vec3> vectors;
  HitRows hits;
  OverlapRows overlaps;

 private:
  struct Slot {
    std::vector<std::byte> memory;
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    bool ready = false;
  };
  Slot* find(std::string_view column);
  Slot& make_ready(std::size_t column);
  void size(Slot& slot, std::uint64_t bytes) const;
  std::uint64_t elements_of(const Column& column) const;
  template <class Move>
  void for_each_run(const Column& column, const Move& move) const;

  std::vector<Column> columns_;
  Grid grid_;
  const io::ContainerReader* file_;
  io::GridPart part_;
  std::uint64_t lead_ = 0;  ///< where the bits of a row begin in its first word
  std::vector<Slot> slots_;
};

}  // namespace sightline::cli
