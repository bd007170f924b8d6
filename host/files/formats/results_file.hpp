// Results in files: hits, bits, counts, rows, and everything the query was.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/formats/fields.hpp"
#include "host/files/formats/rays_file.hpp"

#include <sightline/answers.hpp>
#include <sightline/queries/nearest.hpp>

#include <memory>

namespace sightline::io {

enum class ResultKind {
  hits,           ///< t f32 [n], id u32 [n], flags u8 [n], optional normal f32 [n,3]
  blocked,        ///< blocked u64 [ceil(n/64)]
  hit_counts,     ///< count u32 [n]
  all_hits,       ///< offsets u64 [n+1], count u32 [n], flags u8 [n], id u32 [kept], t f32 [kept],
                  ///< optional t_out f32 [kept]
  visibility,     ///< bits u64 [V, ceil(T/64)]
  sweep,          ///< as hits, of what moves
  overlap_any,    ///< bits u64 [ceil(n/64)]
  overlap_count,  ///< count u32 [n]
  overlap_all,    ///< offsets u64 [n+1], id u32 [pairs]
  distance,       ///< distance f32 [n,k], id u32 [n,k], point and direction f32 [n,k,3]
  clearance,      ///< distance f32 [n,k], id u32 [n,k], t f32 [n,k], on_shape f32 [n,k,3]
};
constexpr bool holds_hits(ResultKind kind) {
  return kind == ResultKind::hits || kind == ResultKind::sweep;
}
constexpr bool is_overlap(ResultKind kind) {
  return kind == ResultKind::overlap_any || kind == ResultKind::overlap_count ||
         kind == ResultKind::overlap_all;
}
/// Rows of the nearest shapes: of points, or of segments.
constexpr bool is_near(ResultKind kind) {
  return kind == ResultKind::distance || kind == ResultKind::clearance;
}

/// "hits", "blocked", "hit counts", "all hits", "visibility", "sweep", "overlap any",
/// "overlap count", "overlap all", "distance", "clearance".
std::string_view result_kind_name(ResultKind kind);
/// "solid", "surface", "ignore".
std::string_view inside_name(Inside inside);
/// "cone", "sector" or "sector y up".
std::string_view field_shape_name(FieldShape shape);

/// Everything that a result is a function of; stored as text in the file and read back equal.
struct ResultParameters {
  ResultKind kind = ResultKind::hits;
  std::uint32_t answers = answers_version;
  std::string scene_hash;
  /// Of a set of 2D shapes: overlaps of circles, or hits of segments, which count as rays without
  /// defaults.
  bool flat = false;

  // casts and visibility
  Inside inside = Inside::solid;

  // casts
  std::string rays_hash;
  std::uint64_t rays = 0;
  RayDefaults defaults;        ///< for the columns that the file of rays lacks
  bool normals = false;        ///< hits and sweep only
  std::uint32_t first = none;  ///< all_hits only, as are the next: how many are kept of a ray
  bool t_out = false;
  std::uint64_t kept = 0;  ///< hits of all rays

  // visibility; a set against itself has to_hash == from_hash
  std::string from_hash, to_hash;
  std::uint64_t viewpoints = 0;
  std::uint64_t targets = 0;
  float range = infinity;  ///< of distance and clearance as well
  float margin = 0;
  std::string fields_hash;  ///< "": viewpoints look all around
  FieldShape field_shape = FieldShape::cone;

  // sweep
  std::string moving_hash, directions_hash;
  std::uint64_t moving = 0;  ///< shapes
  float t_max = infinity;

  // overlaps
  std::string asking_hash;
  std::uint64_t asking = 0;  ///< shapes
  std::uint64_t pairs = 0;   ///< overlap_all only

  // distance and clearance; the segments of a clearance end at the points of to_hash
  std::string points_hash;
  std::uint64_t points = 0;
  std::uint32_t k = 1;

  bool operator==(const ResultParameters&) const = default;
  /// u64 words of one row of bits: of `blocked`, of a viewpoint's targets, or of shapes that ask.
  std::uint64_t row_words() const;
  /// Where it holds hits: how many.
  std::uint64_t hits() const { return kind == ResultKind::sweep ? moving : rays; }
  /// Rows of the grid that its work is cut by: viewpoints, or whatever there is a row of answers
  /// of.
  std::uint64_t grid_rows() const;
  /// Targets of a visibility, else 1.
  std::uint64_t grid_columns() const { return kind == ResultKind::visibility ? targets : 1; }
};

Metadata to_metadata(const ResultParameters& parameters);
/// `file` names the file in errors. Throws Error{bad_input}.
ResultParameters parse_parameters(const std::string& file, const Metadata& metadata);

/// Hits [n] in memory.
struct HitsBuffer {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  std::vector<Vec3> normal;

  void resize(std::uint64_t n, bool normals);
  /// Null `normal` when there are none.
  HitsView view();
};

/// Rows [n,k] of the nearest shapes in memory: with point and direction of a distance, with t and
/// the point on the shape of a clearance.
struct NearBuffer {
  std::vector<float> distance, t;
  std::vector<std::uint32_t> id;
  std::vector<Vec3> point, direction;

  void resize(const ResultParameters& parameters, std::uint64_t n);
  NearestView nearest();
  ClearanceView clearance();
};

/// A result of known size, written by slices in any order, from many threads if need be; whole at
/// commit(). Throws Error{io}.
class ResultWriter {
 public:
  ResultWriter(const std::string& name, const ResultParameters& parameters);
  /// As a long job, in the grid of the parameters: see ContainerWriter.
  ResultWriter(const std::string& name, const ResultParameters& parameters, const Keeping& keeping);

  const std::string& name() const { return writer_.name(); }
  /// For what long jobs of all kinds do with their files.
  ContainerWriter& container() { return writer_; }
  const ContainerWriter& container() const { return writer_; }

  std::uint64_t file_bytes() const { return writer_.file_bytes(); }
  /// Hits [first, first + n), of rays or of what moves.
  void write_hits(std::uint64_t first, std::uint64_t n, const HitsView& hits);
  /// Words [first, first + words.size()) of `blocked`.
  void write_blocked(std::uint64_t first_word, std::span<const std::uint64_t> words);
  /// A tile of `bits`: rows [row, row + rows), words [first_word, first_word + words) of each;
  /// `stride` words from row to row in memory.
  void write_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                  std::uint64_t words, const std::uint64_t* from, std::uint64_t stride);
  /// As it was written.
  void read_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                 std::uint64_t words, std::uint64_t* to, std::uint64_t stride) const;
  /// Offset `i` of overlap_all and all_hits, as it was written.
  std::uint64_t read_offset(std::uint64_t i) const;
  /// Words [first, first + words.size()) of the bits of overlap_any.
  void write_overlap_bits(std::uint64_t first_word, std::span<const std::uint64_t> words);
  /// Counts [first, first + counts.size()) of overlap_count, hit_counts and all_hits.
  void write_counts(std::uint64_t first, std::span<const std::uint32_t> counts);
  /// Offsets [first, first + offsets.size()), and ids, of overlap_all and all_hits.
  void write_offsets(std::uint64_t first, std::span<const std::uint64_t> offsets);
  void write_ids(std::uint64_t first, std::span<const std::uint32_t> ids);
  /// Rows [first, first + n) of a distance or a clearance.
  void write_near(std::uint64_t first, std::uint64_t n, const NearBuffer& rows);
  /// Flags [first, first + flags.size()) of all_hits.
  void write_row_flags(std::uint64_t first, std::span<const std::uint8_t> flags);
  /// Hits [first, first + rows.id.size()) of all_hits: id, t, and t_out where it is kept.
  void write_row_hits(std::uint64_t first, const HitRows& rows);
  void commit() { writer_.commit(); }

 private:
  ResultParameters parameters_;
  ContainerWriter writer_;
};

/// A result read by slices. Throws Error{io}, Error{bad_input}: also when sizes and parameters do
/// not fit each other.
class ResultReader {
 public:
  explicit ResultReader(const std::string& name);

  const std::string& name() const { return reader_.name(); }
  const ResultParameters& parameters() const { return parameters_; }
  const Metadata& metadata() const { return reader_.metadata(); }
  /// Hits [first, first + n), into `buffer`.
  void read_hits(std::uint64_t first, std::uint64_t n, HitsBuffer& buffer) const;
  void read_blocked(std::uint64_t first_word, std::span<std::uint64_t> words) const;
  /// As ResultWriter::write_bits.
  void read_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                 std::uint64_t words, std::uint64_t* to, std::uint64_t stride) const;
  // As ResultWriter has them.
  void read_overlap_bits(std::uint64_t first_word, std::span<std::uint64_t> words) const;
  void read_counts(std::uint64_t first, std::span<std::uint32_t> counts) const;
  void read_offsets(std::uint64_t first, std::span<std::uint64_t> offsets) const;
  void read_ids(std::uint64_t first, std::span<std::uint32_t> ids) const;
  /// Rows [first, first + n), into `rows`.
  void read_near(std::uint64_t first, std::uint64_t n, NearBuffer& rows) const;
  void read_row_flags(std::uint64_t first, std::span<std::uint8_t> flags) const;
  /// Hits [first, first + n) into id, t and t_out of `rows`.
  void read_row_hits(std::uint64_t first, std::uint64_t n, HitRows& rows) const;

 private:
  ContainerReader reader_;
  ResultParameters parameters_;
};

}  // namespace sightline::io
