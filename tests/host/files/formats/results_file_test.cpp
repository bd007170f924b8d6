#include "host/files/formats/results_file.hpp"

#include "tests/host/files/io_test.hpp"

#include <numeric>

namespace sightline::io {
namespace {

using ResultsFileTest = IoTest;

const std::string hash_a(32, 'a'), hash_b(32, 'b'), hash_c(32, 'c');

ResultParameters hits_parameters(std::uint64_t n, bool normals) {
  ResultParameters p;
  p.kind = ResultKind::hits;
  p.scene_hash = hash_a;
  p.rays_hash = hash_b;
  p.rays = n;
  p.normals = normals;
  p.inside = Inside::surface;
  p.defaults = {0.1f, 3e38f, 5, {1, none}, {2, 3}};
  return p;
}

ResultParameters visibility_parameters(std::uint64_t v, std::uint64_t t) {
  ResultParameters p;
  p.kind = ResultKind::visibility;
  p.scene_hash = hash_a;
  p.from_hash = hash_b;
  p.to_hash = hash_c;
  p.viewpoints = v;
  p.targets = t;
  p.range = 100.000008f;  // its text needs nine digits
  p.margin = 1e-5f;
  p.inside = Inside::ignore;
  return p;
}

ResultParameters fields_parameters() {
  ResultParameters p = visibility_parameters(2, 64);
  p.fields_hash = hash_a;
  p.field_shape = FieldShape::sector_y_up;
  return p;
}

ResultParameters blocked_parameters(std::uint64_t n) {
  ResultParameters p = hits_parameters(n, false);
  p.kind = ResultKind::blocked;
  return p;
}

ResultParameters rows_parameters(std::uint64_t n, std::uint64_t kept, bool t_out) {
  ResultParameters p = hits_parameters(n, false);
  p.kind = ResultKind::all_hits;
  p.first = t_out ? none : 7;
  p.t_out = t_out;
  p.kept = kept;
  return p;
}
ResultParameters counts_parameters(std::uint64_t n) {
  ResultParameters p = hits_parameters(n, false);
  p.kind = ResultKind::hit_counts;
  return p;
}

TEST_F(ResultsFileTest, ParametersReadBackEqual) {
  ResultParameters odd = visibility_parameters(0, ~0ull);
  odd.range = infinity;
  odd.margin = 1e-45f;
  odd.answers = 77;
  ResultParameters open = hits_parameters(~0ull, true);
  open.defaults = {1.1754944e-38f, infinity, 0, {none, none}, {0, 0}};
  for (const ResultParameters& p :
       {hits_parameters(3, true), hits_parameters(3, false), blocked_parameters(65),
        rows_parameters(3, 5, true), rows_parameters(0, 0, false), counts_parameters(9),
        visibility_parameters(2, 64), fields_parameters(), odd, open}) {
    EXPECT_EQ(parse_parameters("f", to_metadata(p)), p) << result_kind_name(p.kind);
  }
  EXPECT_EQ(to_metadata(hits_parameters(3, true)).at("query.t_min"), "0.1");
  EXPECT_EQ(to_metadata(odd).at("query.range"), "inf");
}

TEST_F(ResultsFileTest, NoEntryMayBeMissingOrStrange) {
  for (const ResultParameters& p :
       {hits_parameters(3, true), blocked_parameters(65), rows_parameters(3, 5, true),
        counts_parameters(9), visibility_parameters(2, 64), fields_parameters()}) {
    const Metadata good = to_metadata(p);
    for (const auto& [key, value] : good) {
      Metadata bad = good;
      bad.erase(key);
      expect_error(ErrorKind::bad_input, {"f: ", key}, [&] { parse_parameters("f", bad); });
      for (const char* strange : {"", "x", "nan", "-1 ", "99999999999999999999999 1"}) {
        bad[key] = strange;
        expect_error(ErrorKind::bad_input, {"f: bad metadata", key},
                     [&] { parse_parameters("f", bad); });
      }
    }
  }
}

TEST_F(ResultsFileTest, NoRangeOrMarginMayBeOneThatNoQueryHas) {
  const Metadata good = to_metadata(visibility_parameters(2, 64));
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"query.margin", "0.5"}, {"query.margin", "-0.1"}, {"query.range", "-1"}}) {
    Metadata bad = good;
    bad[key] = value;
    expect_error(ErrorKind::bad_input, {"f: bad metadata", key, value},
                 [&, &bad = bad] { parse_parameters("f", bad); });
  }
}

// Of a set against itself, readers leave out each viewpoint's own bit.
TEST_F(ResultsFileTest, ASetAgainstItselfHasOneSize) {
  ResultParameters p = visibility_parameters(300, 1);
  EXPECT_EQ(parse_parameters("f", to_metadata(p)), p);
  p.to_hash = p.from_hash;
  expect_error(ErrorKind::bad_input, {"f: bad metadata", "to.count", "1"},
               [&] { parse_parameters("f", to_metadata(p)); });
  p.targets = 300;
  EXPECT_EQ(parse_parameters("f", to_metadata(p)), p);
}

// Rows have an offset more than there are of them, which is then none at all.
TEST_F(ResultsFileTest, NoRowsMayBeTooManyToHaveOffsets) {
  ResultParameters circles;
  circles.kind = ResultKind::overlap_all;
  circles.scene_hash = hash_a;
  circles.asking_hash = hash_b;
  circles.flat = true;
  circles.asking = ~0ull;
  ResultParameters rays = rows_parameters(~0ull, 0, false);
  for (const auto& [p, key] : {std::pair{circles, "asking.count"}, {rays, "rays.count"}}) {
    expect_error(ErrorKind::bad_input, {"f: bad metadata", key},
                 [&p = p] { parse_parameters("f", to_metadata(p)); });
  }
  circles.asking = ~0ull - 1;
  EXPECT_EQ(parse_parameters("f", to_metadata(circles)), circles);
}

TEST_F(ResultsFileTest, RowsReadBackInSlices) {
  for (const bool t_out : {false, true}) {
    HitRows rows;
    rows.id = {4, 2, 9, 1, 0};
    rows.t = {1, 2, 3, 4, 5};
    if (t_out) rows.t_out = {6, 7, 8, 9, infinity};
    ResultWriter out(path("r"), rows_parameters(3, 5, t_out));
    out.write_offsets(0, std::vector<std::uint64_t>{0, 2, 2});
    out.write_offsets(2, std::vector<std::uint64_t>{2, 5});
    out.write_counts(0, std::vector<std::uint32_t>{2, 0, 3});
    out.write_row_flags(0, std::vector<std::uint8_t>{1, 4, 9});
    out.write_row_hits(0, rows);
    out.commit();
    const ResultReader in(path("r"));
    EXPECT_EQ(in.parameters(), rows_parameters(3, 5, t_out));
    std::vector<std::uint64_t> offsets(2);
    std::vector<std::uint32_t> counts(1);
    std::vector<std::uint8_t> flags(2);
    HitRows some;
    in.read_offsets(2, offsets);
    in.read_counts(2, counts);
    in.read_row_flags(1, flags);
    in.read_row_hits(1, 3, some);
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{2, 5}));
    EXPECT_EQ(counts[0], 3u);
    EXPECT_EQ(flags, (std::vector<std::uint8_t>{4, 9}));
    EXPECT_EQ(some.id, (std::vector<std::uint32_t>{2, 9, 1}));
    EXPECT_EQ(some.t, (std::vector<float>{2, 3, 4}));
    EXPECT_EQ(some.t_out, t_out ? (std::vector<float>{7, 8, 9}) : std::vector<float>());
    expect_error(ErrorKind::internal, {"'id'"}, [&] { in.read_row_hits(3, 3, some); });
    expect_error(ErrorKind::bad_input, {path("r"), "holds all hits, not blocked"},
                 [&] { in.read_blocked(0, {}); });
  }
}

TEST_F(ResultsFileTest, HitsReadBackInSlices) {
  constexpr std::uint64_t n = 10;
  for (const bool normals : {false, true}) {
    HitsBuffer all;
    all.resize(n, normals);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(i);
      const Vec3 normal = {x, 0, 1};
      all.view().store(i, {x, static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(i), normal});
    }
    ResultWriter out(path("h"), hits_parameters(n, normals));
    const HitsView view = all.view();
    out.write_hits(4, 6,
                   {view.t + 4, view.id + 4, view.flags + 4, normals ? view.normal + 4 : nullptr});
    out.write_hits(0, 4, view);
    out.commit();
    const ResultReader in(path("h"));
    EXPECT_EQ(in.parameters(), hits_parameters(n, normals));
    HitsBuffer some;
    in.read_hits(3, 5, some);
    ASSERT_EQ(some.t.size(), 5u);
    EXPECT_EQ(some.t[4], 7);
    EXPECT_EQ(some.id[0], 3u);
    EXPECT_EQ(some.flags[1], 4u);
    EXPECT_EQ(some.normal.size(), normals ? 5u : 0u);
    if (normals) {
      EXPECT_EQ(some.normal[2].x, 5);
    }
    expect_error(ErrorKind::internal, {"'t'"}, [&] { in.read_hits(9, 2, some); });
    std::uint64_t word = 0;
    expect_error(ErrorKind::bad_input, {path("h"), "holds hits, not blocked"}, [&] {
      in.read_blocked(0, {&word, 1});
    });
  }
}

TEST_F(ResultsFileTest, BlockedBitsReadBack) {
  const std::uint64_t words[] = {1, 2, 3};
  ResultWriter out(path("b"), blocked_parameters(129));
  out.write_blocked(2, {words + 2, 1});
  out.write_blocked(0, {words, 2});
  out.commit();
  const ResultReader in(path("b"));
  std::uint64_t read[3] = {};
  in.read_blocked(0, read);
  EXPECT_TRUE(std::equal(words, words + 3, read));
}

TEST_F(ResultsFileTest, TilesOfBitsReadBack) {
  constexpr std::uint64_t rows = 5, columns = 4;  // 4 words hold 200 targets
  std::vector<std::uint64_t> matrix(rows * columns);
  std::iota(matrix.begin(), matrix.end(), 100u);
  ResultWriter out(path("v"), visibility_parameters(rows, 200));
  for (std::uint64_t row = 0; row < rows; row += 2) {
    for (std::uint64_t word = 0; word < columns; word += 3) {
      out.write_bits(row, std::min<std::uint64_t>(2, rows - row), word,
                     std::min<std::uint64_t>(3, columns - word),
                     matrix.data() + row * columns + word, columns);
    }
  }
  out.commit();
  const ResultReader in(path("v"));
  std::vector<std::uint64_t> read(rows * columns);
  in.read_bits(0, rows, 0, columns, read.data(), columns);
  EXPECT_EQ(read, matrix);
  std::vector<std::uint64_t> wide(2 * (columns + 1));  // whole rows, apart in memory
  in.read_bits(1, 2, 0, columns, wide.data(), columns + 1);
  EXPECT_EQ(wide[columns], 0u);
  EXPECT_EQ(wide[columns + 1], matrix[2 * columns]);
  std::uint64_t tile[8] = {};
  in.read_bits(3, 2, 1, 2, tile, 4);
  EXPECT_EQ(tile[0], matrix[3 * columns + 1]);
  EXPECT_EQ(tile[5], matrix[4 * columns + 2]);
  EXPECT_EQ(tile[2], 0u);
  for (const auto& [row, count, word, words, stride] :
       {std::array<std::uint64_t, 5>{4, 2, 0, 1, 1}, {0, 1, 3, 2, 2}, {0, 1, 0, 2, 1}}) {
    expect_error(ErrorKind::internal, {"a tile of rows"},
                 [&, r = row, c = count, f = word, w = words, s = stride] {
                   in.read_bits(r, c, f, w, tile, s);
                 });
  }
}

TEST_F(ResultsFileTest, SizesThatDoNotFitAreRefused) {
  const auto write = [this](const ResultParameters& p, const std::vector<TensorSpec>& specs) {
    ContainerWriter(path("r"), specs, to_metadata(p)).commit();
  };
  const auto refused = [this](const std::string& word) {
    expect_error(ErrorKind::bad_input, {path("r"), word}, [this] { ResultReader in(path("r")); });
  };
  write(visibility_parameters(2, 65), {{"bits", Dtype::u64, {2, 1}}});
  refused("'bits' is U64 [2, 1], not U64 [2, 2]");
  write(blocked_parameters(64), {{"blocked", Dtype::u64, {2}}});
  refused("'blocked' is U64 [2], not U64 [1]");
  write(hits_parameters(2, false), {{"t", Dtype::f32, {2}}, {"id", Dtype::u32, {2}}});
  refused("lacks tensor 'flags'");
  write(hits_parameters(2, true),
        {{"t", Dtype::f32, {2}}, {"id", Dtype::u32, {2}}, {"flags", Dtype::u8, {2}}});
  refused("lacks tensor 'normal'");
  write(hits_parameters(~0ull, false),
        {{"t", Dtype::f32, {2}}, {"id", Dtype::u32, {2}}, {"flags", Dtype::u8, {2}}});
  refused("'t' is [2], not of 2^64 - 1 elements");
  write(blocked_parameters(64), {{"blocked", Dtype::u64, {1}}, {"t", Dtype::f32, {2}}});
  refused("unknown tensor 't'");
  ContainerWriter(path("r"), {{"origin", Dtype::f32, {1, 3}}}, {{"sightline.file", "rays"}})
      .commit();
  refused("'sightline.file' is 'rays'");
}

TEST_F(ResultsFileTest, HugeResultsAreToldBeforeTheWork) {
  expect_error(ErrorKind::io, {path("v"), "bytes cannot be reserved"},
               [&] { ResultWriter(path("v"), visibility_parameters(1ull << 30, 1ull << 34)); });
  expect_error(ErrorKind::internal, {"beyond 64 bits"},
               [&] { ResultWriter(path("v"), visibility_parameters(1ull << 40, 1ull << 40)); });
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace sightline::io
