// The maps' REJECT tables are somebody else's line-of-sight bake: two sectors marked there must
// not see each other past one-sided walls of unbounded height.
#include "host/files/import/doom/level.hpp"
#include "host/gen/random.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"
#include "tests/support/scale.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sightline::io {
namespace {

using gen::Draws;

constexpr std::int64_t fine = 16;  // points lie on 1/16 of a map unit; so all geometry is exact
constexpr std::uint64_t points_per_sector = 8, most_segments = 2000000;

struct Point {
  std::int64_t x, y;  ///< in 1/16 units
};

Point point_of(const DoomMap& map, std::uint32_t vertex) {
  return {fine * map.vertices[vertex].x, fine * map.vertices[vertex].y};
}

/// Twice the area of the triangle: positive when c is on the left of a to b. Below 2^44.
std::int64_t turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool is_between(const Point& a, const Point& b, const Point& p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

enum class Meeting { apart, touching, crossing };

/// How the segment from p to q meets the wall from a to b: `touching` when only an end of the wall
/// lies on the segment (or they overlap in a line), `crossing` when inner points meet.
Meeting meeting(const Point& p, const Point& q, const Point& a, const Point& b) {
  const std::int64_t side_a = turn(p, q, a), side_b = turn(p, q, b);
  const std::int64_t side_p = turn(a, b, p), side_q = turn(a, b, q);
  if ((side_a == 0 && is_between(p, q, a)) || (side_b == 0 && is_between(p, q, b))) {
    return Meeting::touching;
  }
  if (side_a == 0 || side_b == 0) return Meeting::apart;
  if ((side_a < 0) == (side_b < 0)) return Meeting::apart;
  const bool same_side = (side_p < 0 && side_q < 0) || (side_p > 0 && side_q > 0);
  return same_side ? Meeting::apart : Meeting::crossing;
}

struct World {
  const DoomMap& map;
  std::vector<std::uint32_t> walls;             ///< lines with just one side
  std::vector<std::vector<std::uint32_t>> own;  ///< by sector: lines with it on just one side
  std::vector<std::vector<Point>> points;       ///< by sector: points strictly inside
  std::vector<std::uint32_t> without_lines;     ///< sectors that have lines but none of their own
};

/// Crossing parity over the sector's own lines; false on a line.
bool is_inside(const World& w, std::uint32_t sector, const Point& p) {
  bool odd = false;
  for (const std::uint32_t i : w.own[sector]) {
    Point a = point_of(w.map, w.map.lines[i].start), b = point_of(w.map, w.map.lines[i].end);
    if (a.y > b.y) std::swap(a, b);
    const std::int64_t side = turn(a, b, p);
    if (side == 0 && is_between(a, b, p)) return false;
    if (a.y <= p.y && p.y < b.y && side > 0) odd = !odd;
  }
  return odd;
}

void find_points(World& w, std::uint32_t sector, std::uint64_t seed) {
  const auto& own = w.own[sector];
  if (own.empty()) return;
  Point low = point_of(w.map, w.map.lines[own[0]].start), high = low;
  for (const std::uint32_t i : own) {
    for (const std::uint32_t v : {w.map.lines[i].start, w.map.lines[i].end}) {
      const Point p = point_of(w.map, v);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  Draws draws(seed, 0x3ec7, sector);
  for (int tries = 0; tries < 400 && w.points[sector].size() < points_per_sector; ++tries) {
    const auto x =
        static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(high.x - low.x + 1)));
    const auto y =
        static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(high.y - low.y + 1)));
    Point p{low.x + x, low.y + y};
    // Every other one on whole map units: there segments do pass exactly through walls' ends.
    if (tries % 2 == 0) p = {p.x / fine * fine, p.y / fine * fine};
    if (is_inside(w, sector, p)) w.points[sector].push_back(p);
  }
}

World make_world(const DoomMap& map, std::uint64_t seed) {
  World w{map, {}, {}, {}, {}};
  w.own.resize(map.sectors.size());
  w.points.resize(map.sectors.size());
  std::vector<bool> has_lines(map.sectors.size());
  for (std::uint32_t i = 0; i < map.lines.size(); ++i) {
    const DoomLine& line = map.lines[i];
    const std::uint32_t front = line.front_sector, back = line.back_sector;
    if (front == doom_none || back == doom_none) w.walls.push_back(i);
    for (const std::uint32_t sector : {front, back}) {
      if (sector == doom_none) continue;
      has_lines[sector] = true;
      if (front != back) w.own[sector].push_back(i);
    }
  }
  for (std::uint32_t s = 0; s < map.sectors.size(); ++s) {
    if (has_lines[s] && w.own[s].empty()) w.without_lines.push_back(s);
    find_points(w, s, seed);
  }
  return w;
}

Caster make_caster(const World& w) {
  Scene scene;
  for (const std::uint32_t i : w.walls) {
    const DoomVertex a = w.map.vertices[w.map.lines[i].start],
                     b = w.map.vertices[w.map.lines[i].end];
    if (a.x != b.x || a.y != b.y)
      add_wall(scene, w.map, {i, -65536, 65536, DoomWallKind::one_sided});
  }
  return Caster(std::move(scene), CpuOptions{});
}

/// Segments between rejected sectors.
struct Segments {
  std::vector<Point> from, to;
  std::vector<std::uint32_t> from_sector, to_sector;
};

Segments make_segments(const World& w, std::uint64_t seed) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const auto count = static_cast<std::uint32_t>(w.map.sectors.size());
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) {
      if (a == b || !is_rejected(w.map, a, b)) continue;
      if (b < a && is_rejected(w.map, b, a)) continue;  // done as (b, a)
      if (!w.points[a].empty() && !w.points[b].empty()) pairs.emplace_back(a, b);
    }
  }
  Segments s;
  if (pairs.empty()) return s;
  const std::uint64_t room = scaled(most_segments);
  const std::uint64_t tried = std::min<std::uint64_t>(pairs.size(), room);
  const std::uint64_t per_pair =
      std::clamp<std::uint64_t>(room / tried, 1, points_per_sector * points_per_sector);
  for (std::uint64_t k = 0; k < tried; ++k) {
    const auto [a, b] = pairs[k * pairs.size() / tried];  // evenly, when there is no room for all
    const auto& pa = w.points[a];
    const auto& pb = w.points[b];
    const std::uint64_t first = Draws(seed, 0x5e65, k).bits() % (pa.size() * pb.size());
    for (std::uint64_t n = 0; n < std::min<std::uint64_t>(per_pair, pa.size() * pb.size()); ++n) {
      const std::uint64_t which = (first + n) % (pa.size() * pb.size());
      s.from.push_back(pa[which / pb.size()]);
      s.to.push_back(pb[which % pb.size()]);
      s.from_sector.push_back(a);
      s.to_sector.push_back(b);
    }
  }
  return s;
}

std::vector<Vec3> floats(const std::vector<Point>& points, std::uint64_t seed) {
  std::vector<Vec3> v;
  v.reserve(points.size());
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    const auto z = static_cast<float>(Draws(seed, 0x2, i).below(257)) - 128;  // any height will do
    v.push_back(
        {static_cast<float>(points[i].x) / fine, static_cast<float>(points[i].y) / fine, z});
  }
  return v;
}

/// The strongest way in which any wall meets the segment, in integers. `last` is the place in
/// w.walls of the wall that was crossed last, and tried first: the next segment often crosses it.
Meeting meeting_in_integers(const World& w, const Point& p, const Point& q, std::size_t& last) {
  const auto meets = [&](std::size_t k) {
    const DoomLine& wall = w.map.lines[w.walls[k]];
    return meeting(p, q, point_of(w.map, wall.start), point_of(w.map, wall.end));
  };
  if (meets(last) == Meeting::crossing) return Meeting::crossing;
  Meeting found = Meeting::apart;
  for (std::size_t k = 0; k < w.walls.size(); ++k) {
    const Meeting m = meets(k);
    if (m == Meeting::crossing) {
      last = k;
      return m;
    }
    if (m == Meeting::touching) found = m;
  }
  return found;
}

struct Tally {
  std::uint64_t segments = 0;
  std::uint64_t seen = 0;      ///< by the caster: must be 0
  std::uint64_t touching = 0;  ///< blocked only by touching a wall's end, counted apart
  std::uint64_t apart = 0;     ///< no wall in the way, says integer arithmetic: must be 0
  std::string first_seen;
  std::vector<std::uint32_t> without_lines;  ///< as in World
};

Tally check_map(const DoomMap& map, std::uint64_t seed) {
  const World w = make_world(map, seed);
  const Caster caster = make_caster(w);
  const Segments s = make_segments(w, seed);
  Tally tally;
  tally.segments = s.from.size();
  tally.without_lines = w.without_lines;
  if (s.from.empty()) return tally;
  const std::vector<Vec3> from = floats(s.from, seed), to = floats(s.to, seed + 1);
  std::vector<std::uint64_t> bits(s.from.size() / 64 + 1);
  const std::span<std::uint64_t> words = std::span(bits).first((s.from.size() + 63) / 64);
  caster.visibility_pairs({Vec3Column::rows(from)}, {Vec3Column::rows(to)}, words);
  std::size_t last = 0;
  for (std::uint64_t i = 0; i < s.from.size(); ++i) {
    const bool seen = (bits[i / 64] >> (i % 64) & 1) != 0;
    const Meeting m = meeting_in_integers(w, s.from[i], s.to[i], last);
    if (m == Meeting::touching) ++tally.touching;
    if (m == Meeting::apart) ++tally.apart;
    if (!seen) continue;
    if (tally.seen++ == 0) {
      std::ostringstream text;
      text << "sector " << s.from_sector[i] << " at (" << from[i].x << ", " << from[i].y
           << ") sees sector " << s.to_sector[i] << " at (" << to[i].x << ", " << to[i].y
           << "); in integers the walls are "
           << (m == Meeting::crossing   ? "crossed"
               : m == Meeting::touching ? "touched"
                                        : "free");
      tally.first_seen = text.str();
    }
  }
  return tally;
}

TEST(Reject, IntegersTellCrossingFromTouching) {
  const Point p{0, 0}, q{10, 0};
  EXPECT_EQ(meeting(p, q, {5, -5}, {5, 5}), Meeting::crossing);
  EXPECT_EQ(meeting(p, q, {5, 0}, {5, 5}), Meeting::touching);
  EXPECT_EQ(meeting(p, q, {5, 1}, {5, 5}), Meeting::apart);
  EXPECT_EQ(meeting(p, q, {11, 0}, {12, 0}), Meeting::apart);
  EXPECT_EQ(meeting(p, q, {9, 0}, {12, 0}), Meeting::touching);
  EXPECT_EQ(meeting(p, q, {10, -1}, {10, 1}), Meeting::crossing);
  EXPECT_EQ(meeting(p, q, {11, -1}, {11, 1}), Meeting::apart);
}

TEST(Reject, ATableThatIsWrongIsCaught) {
  // The small map's table knows that the closet is closed, but past one-sided walls alone the
  // closet sees room 0, and much of room 1.
  const Tally t = check_map(read_doom_map("small.wad", small_wad().bytes(), "E1M1"), 1);
  EXPECT_EQ(t.segments, 2u * points_per_sector * points_per_sector);
  EXPECT_GT(t.seen, t.segments / 2);
  EXPECT_EQ(t.seen, t.apart);  // the caster and the integers agree, segment by segment
  EXPECT_FALSE(t.first_seen.empty());
}

void print(const std::string& map, const Tally& t) {
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  std::printf("%s: %llu segments, %llu seen; in integers %llu only touch, %llu free\n", map.c_str(),
              n(t.segments), n(t.seen), n(t.touching), n(t.apart));
}

TEST(Reject, HoldsOnEveryMapOfTwoEpisodes) {
  const std::filesystem::path path = freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Buffer bytes = read_bytes(path);
  std::uint64_t segments = 0;
  for (const std::string& name : maps_of_episodes("12", doom_map_names(path, bytes))) {
    const Tally t = check_map(read_doom_map(path, bytes, name), 7);
    segments += t.segments;
    print(name, t);
    EXPECT_EQ(t.seen, 0u) << name << ", seed 7: " << t.first_seen;
    EXPECT_EQ(t.apart, 0u) << name;
    // These are nowhere by their own lines, so that no point of theirs is tried.
    const std::vector<std::uint32_t> expected =
        name == "E1M6" ? std::vector<std::uint32_t>{390} : std::vector<std::uint32_t>{};
    EXPECT_EQ(t.without_lines, expected) << name;
  }
  EXPECT_GT(segments, scaled(most_segments));
}

// Three of these maps deny sight between sectors that no wall parts: there the table is wrong, not
// the caster, which sees exactly what integers say is free.
TEST(Reject, HoldsOnTheOtherEpisodesButWhereIntegersContradictTheMap) {
  const std::filesystem::path path = freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Buffer bytes = read_bytes(path);
  const std::vector<std::string> maps = maps_of_episodes("34", doom_map_names(path, bytes));
  if (maps.empty()) GTEST_SKIP() << path << " has no third and fourth episode";
  for (const std::string& name : maps) {
    const Tally t = check_map(read_doom_map(path, bytes, name), 7);
    print(name, t);
    EXPECT_EQ(t.seen, t.apart) << name << ", seed 7: " << t.first_seen;
    const bool contradicts = name == "E3M6" || name == "E4M6" || name == "E4M7";
    EXPECT_TRUE(t.seen == 0 || contradicts) << name << ", seed 7: " << t.first_seen;
  }
}

}  // namespace
}  // namespace sightline::io
