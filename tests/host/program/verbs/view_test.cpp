// view: pages that hold a level and what it sees.
#include "tests/host/program/program.hpp"

#include <zlib.h>

#include <regex>

namespace sightline::cli {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;

std::string decoded(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    group = group << 6 | static_cast<std::uint32_t>(alphabet.find(c));
    if ((bits += 6) >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  return bytes;
}

std::string inflated(const std::string& packed) {
  std::string bytes(std::size_t{1} << 24, '\0');
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  bytes.resize(size);
  return bytes;
}

std::size_t count_of(const std::string& text, const std::string& words) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(words, at)) != text.npos; at += words.size()) ++n;
  return n;
}

/// A hall with a wall and a platform, its areas and points, and every result that a page shows.
class ViewTest : public ProgramTest {
 protected:
  ViewTest() {
    put("hall.json", R"({"unit": "m", "up": "z", "aabb": [
      {"min": [0, 0, -1], "max": [20, 12, 0], "name": "floor"},
      {"min": [9, 0, 0], "max": [10, 8, 3], "name": "wall"},
      {"min": [15, 2, 0], "max": [18, 5, 1]}]})");
    put("robot.json", R"({"sphere": [{"center": [9, 2, 1], "radius": 0.5},
                                     {"center": [4, 4, 9], "radius": 0.5}]})");
    put("rooms.json", R"({"areas": [{"min": [1, 1, 1], "max": [8, 11, 2]},
                                    {"min": [11, 1, 1], "max": [19, 7, 2]}]})");
    put("eyes.csv", "# eyes: 1.6\nx,y,z\n2,2,0\n5,9,0\n12,3,0\n14,9,0\n7,5,0\n");
    put("ends.csv", "x,y,z\n3,2,1\n6,9,1\n13,3,1\n15,9,1\n8,5,1\n");
    put_npy("o.npy", {2, 2, 1, 12, 3, 1}, {2, 3});
    put_npy("d.npy", {1, 0, 0}, {1, 3});
    put("rays.csv",
        "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z\n1,1,1,1,0,0\n");
  }
  void make(const Arguments& arguments) {
    const Outcome outcome = run(arguments + Arguments{"-q"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  void make_all() {
    make({"visibility", "hall.json", "--from", "eyes.csv", "-o", "seen.st"});
    make({"exposure", "hall.json", "--from", "eyes.csv", "--to", "ends.csv", "-o", "exposure.st"});
    make({"probes", "hall.json", "--points", "ends.csv", "--grid", "4", "-o", "probes.st"});
    make({"cover", "hall.json", "--points", "eyes.csv", "--at", "1.6", "-o", "cover.st"});
    make({"areas", "hall.json", "--areas", "rooms.json", "-o", "rooms.st"});
    make({"pvs", "rooms.st", "-o", "sets.st"});
    make({"distance", "hall.json", "--points", "ends.csv", "-o", "near.st"});
    make({"distance", "hall.json", "--points", "eyes.csv", "--to", "ends.csv", "-o", "path.st"});
    make({"overlap", "hall.json", "--with", "robot.json", "-o", "hit.st"});
    make({"cast", "hall.json", "--origins", "o.npy", "--directions", "d.npy", "-o", "hits.st"});
    make({"cast", "hall.json", "--rays", "rays.csv", "--query", "any", "-o", "blocked.st"});
    make({"nav", "hall.json", "--radius", "0.5", "--jump", "3", "-o", "hall.nav"});
  }
  const Arguments all = {"hall.json", "robot.json", "rooms.json", "eyes.csv",   "ends.csv",
                         "o.npy",     "d.npy",      "rays.csv",   "seen.st",    "exposure.st",
                         "probes.st", "cover.st",   "rooms.st",   "sets.st",    "near.st",
                         "path.st",   "hit.st",     "hits.st",    "blocked.st", "hall.nav"};

  /// Writes v.html, and each of its data as a container: block_0.st and so on. Returns "KIND NAME"
  /// of each.
  std::vector<std::string> view(const Arguments& files, const Arguments& more = {}) {
    const Outcome outcome = run(Arguments{"view"} + files + Arguments{"-o", "v.html"} + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string page = get("v.html");
    const std::string begin = "<script type=\"text/plain\" ";
    std::vector<std::string> blocks;
    for (std::size_t at = 0; (at = page.find(begin, at)) != page.npos;) {
      const std::size_t data = page.find('>', at) + 1;
      const std::string head = page.substr(at, data - at);
      const std::size_t end = page.find("</script>", data);
      std::smatch match;
      const std::regex form(begin +
                            "data-file=\"([^\"]*)\" data-kind=\"([^\"]*)\" "
                            "data-encoding=\"deflate\">");
      EXPECT_TRUE(std::regex_match(head, match, form)) << head;
      put("block_" + std::to_string(blocks.size()) + ".st",
          inflated(decoded(std::string_view(page).substr(data, end - data))));
      blocks.push_back(match.str(2) + " " + match.str(1));
      at = end;
    }
    return blocks;
  }
  std::string metadata(const std::string& file, const std::string& key) const {
    return io::ContainerReader(path(file)).metadata(key);
  }
  std::string hash_of(const std::string& file, const std::string& what) const {
    return json_of({"info", file})[what]["hash"];
  }
};

TEST_F(ViewTest, ShowsEveryKind) {
  make_all();
  EXPECT_EQ(
      view(all),
      (Names{"scene hall.json", "points eyes.csv", "visibility seen.st", "points ends.csv",
             "exposure exposure.st", "probes probes.st", "cover cover.st", "areas rooms.json",
             "area visibility rooms.st", "visible sets sets.st", "distance near.st",
             "clearance path.st", "scene robot.json", "overlap any hit.st", "rays o.npy and d.npy",
             "hits hits.st", "rays rays.csv", "blocked blocked.st", "nav hall.nav"}));
  // Scenes, points and rays are containers, whatever their files are.
  EXPECT_EQ(metadata("block_0.st", "names"), "floor\nwall\n");
  EXPECT_EQ(metadata("block_0.st", "view.hash"), hash_of("hall.json", "scene"));
  EXPECT_EQ(column<Vec3>("block_0.st", "aabb.max")[1].z, 3);
  EXPECT_EQ(column<float>("block_14.st", "direction"), (std::vector<float>{1, 0, 0, 1, 0, 0}));
  // Results are their files.
  EXPECT_EQ(get("block_2.st"), get("seen.st"));
  EXPECT_EQ(get("block_6.st"), get("cover.st"));
  EXPECT_EQ(get("block_15.st"), get("hits.st"));
  // All hashes of the page's inputs: raised points have one of their own.
  const std::string eyes = metadata("block_1.st", "view.hash");
  EXPECT_EQ(eyes, hash_of("eyes.csv", "points") + " " + metadata("seen.st", "from.hash"));
  EXPECT_NE(hash_of("eyes.csv", "points"), metadata("seen.st", "from.hash"));
  EXPECT_EQ(metadata("block_1.st", "view.at"), "1.6");
  EXPECT_EQ(column<Vec3>("block_1.st", "point.position")[0].z, 0);
  EXPECT_EQ(metadata("block_7.st", "view.hash"), metadata("rooms.st", "areas.hash"));
}

TEST_F(ViewTest, MapsAreTheirWalkableFloors) {
  make({"nav", "hall.json", "--radius", "0.5", "--jump", "3", "-o", "hall.nav"});
  EXPECT_EQ(view({"hall.nav", "hall.json"}), (Names{"scene hall.json", "nav hall.nav"}));
  const auto offsets = column<std::uint64_t>("hall.nav", "offsets");
  const auto flags = column<std::uint8_t>("hall.nav", "flags");
  const auto tops = column<float>("hall.nav", "top");
  std::vector<std::uint32_t> columns;
  std::vector<float> heights;
  for (std::uint32_t c = 0; c + 1 < offsets.size(); ++c) {
    for (std::uint64_t i = offsets[c]; i < offsets[c + 1]; ++i) {
      if ((flags[i] & 8) != 0) columns.push_back(c), heights.push_back(tops[i]);
    }
  }
  ASSERT_FALSE(columns.empty());
  EXPECT_EQ(column<std::uint32_t>("block_1.st", "floor.column"), columns);
  EXPECT_EQ(column<float>("block_1.st", "floor.top"), heights);
  EXPECT_EQ(column<float>("block_1.st", "jump.to"), column<float>("hall.nav", "jump.to"));
  EXPECT_EQ(metadata("block_1.st", "grid.width"), metadata("hall.nav", "grid.width"));
}

TEST_F(ViewTest, IsAFunctionOfItsInputs) {
  make_all();
  view(all);
  const std::string first = get("v.html");
  view(all);
  EXPECT_EQ(get("v.html"), first);
  // The folder does not count, the content does.
  std::filesystem::create_directory(path("other"));
  for (const std::string& file : all) put("other/" + file, get(file));
  Arguments others;
  for (const std::string& file : all) others.push_back("other/" + file);
  others[5] = "o.npy", others[6] = "d.npy";  // their name is one of two files
  view(others);
  EXPECT_EQ(get("v.html"), first);
  const std::string nonce = "script-src 'nonce-";
  const auto nonce_of = [&](const std::string& page) {
    return page.substr(page.find(nonce) + nonce.size(), 32);
  };
  view(all, {"--title", "another"});
  EXPECT_NE(nonce_of(get("v.html")), nonce_of(first));
}

TEST_F(ViewTest, NothingOfAFileIsMarkup) {
  const std::string evil = "</script><img src=x onerror=\"alert('1')\">&";
  put("<b onclick='x'>\"&.json",
      R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1], "name": "</script><img onerror>"}]})");
  const auto blocks = view({"<b onclick='x'>\"&.json"}, {"--title", evil});
  EXPECT_EQ(blocks, (Names{"scene &lt;b onclick=&#39;x&#39;&gt;&quot;&amp;.json"}));
  EXPECT_EQ(metadata("block_0.st", "names"), "</script><img onerror>\n");
  const std::string page = get("v.html");
  const std::string escaped =
      "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;";
  EXPECT_EQ(count_of(page, "<title>" + escaped + "</title>"), 1);
  EXPECT_EQ(count_of(page, "data-title=\"" + escaped + "\""), 1);
  EXPECT_EQ(count_of(page, "<img"), 0);
  EXPECT_EQ(count_of(page, "onclick='x'"), 0);
  EXPECT_EQ(count_of(page, "<script"), 2);
  EXPECT_EQ(count_of(page, "</script>"), 2);
  EXPECT_EQ(count_of(page, "<style"), 1);
  EXPECT_EQ(count_of(page, "default-src 'none'; script-src 'nonce-"), 1);
  EXPECT_EQ(count_of(page, "unsafe"), 0);
}

TEST_F(ViewTest, RefusesWhatDoesNotBelongTogether) {
  make_all();
  put("other.json", R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
  const auto refuses = [&](int code, const std::vector<std::string>& words,
                           const Arguments& files) {
    expect_failure(code, words, Arguments{"view"} + files + Arguments{"-o", "v.html"});
  };
  refuses(3, {"seen.st", "other.json", "has hash", "leave out seen.st"},
          {"other.json", "eyes.csv", "seen.st"});
  refuses(3, {"hall.nav", "other.json", "leave out hall.nav"}, {"other.json", "hall.nav"});
  refuses(3, {"seen.st", "points", "ends.csv", "name what it was computed from"},
          {"hall.json", "ends.csv", "seen.st"});
  refuses(2, {"seen.st", "none of the files holds the points"}, {"hall.json", "seen.st"});
  refuses(2, {"rooms.st", "none of the files holds the areas"}, {"hall.json", "rooms.st"});
  refuses(3, {"hits.st", "rays"}, {"hall.json", "rays.csv", "hits.st"});
  refuses(3, {"hit.st", "query shapes", "hall.json"}, {"hall.json", "hit.st"});
  refuses(3, {"other.json", "a page shows one scene, hall.json"}, {"hall.json", "other.json"});
  refuses(3, {"rays.csv", "no result"}, {"hall.json", "rays.csv"});
  refuses(2, {"none of the files is a scene"}, {"eyes.csv", "seen.st"});
}

TEST_F(ViewTest, LargeMatricesAreTheirSums) {
  make_city(300, 10);
  make_points(300);
  make({"visibility", "city.st", "--from", "points.npy", "-o", "large.st"});
  const Arguments files = {"city.st", "points.npy", "large.st"};
  view(files, {"--max-embedded", "12000"});
  EXPECT_EQ(metadata("block_2.st", "view.rows"), "columns");
  EXPECT_EQ(metadata("block_2.st", "from.hash"), metadata("large.st", "from.hash"));
  const auto bits = column<std::uint64_t>("large.st", "bits");
  std::vector<std::uint32_t> from(300), to(300);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 300; ++j) {
      const auto bit = static_cast<std::uint32_t>(bits[i * 5 + j / 64] >> j % 64 & 1);
      from[i] += bit, to[j] += bit;
    }
  }
  EXPECT_EQ(column<std::uint32_t>("block_2.st", "counts.from"), from);
  EXPECT_EQ(column<std::uint32_t>("block_2.st", "counts.to"), to);
  EXPECT_EQ(io::ContainerReader(path("block_2.st")).find("rows.index"), nullptr);

  view(files, {"--max-embedded", "12000", "--rows", "7"});
  EXPECT_EQ(metadata("block_2.st", "view.rows"), "sample");
  EXPECT_EQ(column<std::uint32_t>("block_2.st", "rows.index"),
            (Numbers{0, 42, 85, 128, 171, 214, 257}));
  const auto rows = column<std::uint64_t>("block_2.st", "rows.bits");
  ASSERT_EQ(rows.size(), 35);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(rows[15 + k], bits[128 * 5 + k]);

  view(files);
  EXPECT_EQ(get("block_2.st"), get("large.st"));
  expect_failure(2, {"city.st", "--max-embedded 1000", "raise that"},
                 Arguments{"view"} + files + Arguments{"-o", "x.html", "--max-embedded", "1000"});
}

TEST_F(ViewTest, SaysWhatItNeeds) {
  make({"visibility", "hall.json", "--from", "eyes.csv", "-o", "seen.st"});
  const Arguments files = {"view", "hall.json", "eyes.csv", "seen.st", "-o", "v.html"};
  const auto report = json_of(files, {"--dry-run"});
  EXPECT_FALSE(exists("v.html"));
  EXPECT_EQ(report["counts"]["files"], 3);
  EXPECT_GT(report["bytes"]["memory"], report["bytes"]["data"]);
  expect_failure(5, {"--max-memory"}, files + Arguments{"--max-memory", "1M"});
  expect_failure(2, {"v.htm", ".html"}, {"view", "hall.json", "-o", "v.htm"});
}

// A browser that writes its arguments as its picture.
TEST_F(ViewTest, ShotsAreABrowsers) {
  std::filesystem::create_directory(path("bin"));
  put("bin/chromium",
      "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in --screenshot=*) to=${a#*=};; esac; done\n"
      "for a in \"$@\"; do echo \"$a\"; done > \"$to\"\n"
      "echo '[INFO:CONSOLE] \"sightline view: ready\"' >&2\n");
  std::filesystem::permissions(path("bin/chromium"), std::filesystem::perms::owner_all);
  const std::string odd = "a b'$(x).html";
  const RunOptions with = {0, "", {{"PATH", path("bin") + ":/bin:/usr/bin"}}};
  const Outcome shot = run({"view", "hall.json", "-o", odd, "--shot", "p.png"}, with);
  EXPECT_EQ(shot.exit_code, 0) << shot.err;
  EXPECT_NE(get("p.png").find("/a%20b%27%24%28x%29.html?shot\n"), std::string::npos)
      << get("p.png");
  EXPECT_TRUE(get("p.png").starts_with("--headless\n"));

  const RunOptions without = {0, "", {{"PATH", "/nonexistent"}}};
  expect_failure(4, {"--shot: there is no browser", "chromium", "google-chrome"},
                 {"view", "hall.json", "-o", "x.html", "--shot", "q.png"}, without);
  put("bin/chromium", "#!/bin/sh\nexit 3\n");
  const Outcome failed = run({"view", "hall.json", "-o", odd, "--shot", "q.png"}, with);
  EXPECT_EQ(failed.exit_code, 4);
  EXPECT_TRUE(failed.said("drew no picture")) << failed.err;
  EXPECT_FALSE(exists("q.png"));
}

// A picture is nothing to show unless its page says that it is ready.
TEST_F(ViewTest, ShotsOfPagesThatFail) {
  std::filesystem::create_directory(path("bin"));
  const RunOptions with = {0, "", {{"PATH", path("bin") + ":/bin:/usr/bin"}}};
  for (const auto& [line, said] : {std::pair("echo 'sightline view: problem'", "shows a problem"),
                                   std::pair("echo ready", "was not ready in time")}) {
    put("bin/chromium",
        "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in --screenshot=*) "
        "echo picture > \"${a#*=}\";; esac; done\n" +
            std::string(line) + "\n");
    std::filesystem::permissions(path("bin/chromium"), std::filesystem::perms::owner_all);
    const Outcome shot = run({"view", "hall.json", "-o", "v.html", "--shot", "p.png"}, with);
    EXPECT_EQ(shot.exit_code, 4);
    EXPECT_TRUE(shot.said(said)) << shot.err;
    EXPECT_FALSE(exists("p.png"));
  }
}

TEST_F(ViewTest, SweepsAndTheirShapes) {
  put_npy("moves.npy", {1, 0, 0, 0, 0, -1}, {2, 3});
  make({"sweep", "hall.json", "--capsules", "robot.json", "--directions", "moves.npy", "-o",
        "sweep.st"});
  EXPECT_EQ(view({"hall.json", "robot.json", "sweep.st"}),
            (Names{"scene hall.json", "scene robot.json", "sweep sweep.st"}));
  EXPECT_EQ(get("block_2.st"), get("sweep.st"));
  expect_failure(3, {"sweep.st: was computed from query shapes of hash", "leave out sweep.st"},
                 {"view", "hall.json", "sweep.st", "-o", "x.html"});
}

// Files that would hide others.
TEST_F(ViewTest, OneFileOfAreas) {
  put("halls.json", get("rooms.json"));
  expect_failure(2, {"halls.json: holds 'areas', as rooms.json does", "leave out one"},
                 {"view", "hall.json", "rooms.json", "halls.json", "-o", "x.html"});
}

// Whatever a byte becomes: a page, or one sentence and no page.
TEST_F(ViewTest, DamagedFiles) {
  make({"visibility", "hall.json", "--from", "ends.csv", "-o", "seen.st"});
  make({"nav", "hall.json", "--radius", "0.5", "--cell", "2", "-o", "hall.nav"});
  make({"import", "hall.json", "-o", "hall.st"});
  const Arguments files = {"hall.st", "ends.csv", "seen.st", "hall.nav"};
  std::uint64_t refused = 0, drawn = 0;
  for (const std::string& file : files) {
    const std::string whole = get(file);
    for (std::size_t k = 0; k < 12; ++k) {
      std::string damaged = whole;
      const std::size_t at = k * whole.size() / 12 + 3;
      if (k % 3 == 0) {
        damaged.resize(at);
      } else {
        damaged[at] = static_cast<char>(damaged[at] ^ (k % 3 == 1 ? 1 : 255));
      }
      put(file, damaged);
      const Outcome outcome = run(Arguments{"view"} + files + Arguments{"-o", "v.html"});
      const bool ended = outcome.exit_code == 0 || outcome.exit_code == 2 || outcome.exit_code == 3;
      EXPECT_TRUE(ended) << file << " " << at << " " << outcome.exit_code << outcome.err;
      EXPECT_EQ(exists("v.html"), outcome.exit_code == 0) << file << " " << at;
      EXPECT_FALSE(exists("v.html.partial"));
      std::filesystem::remove(path("v.html"));
      ++(outcome.exit_code == 0 ? drawn : refused);
    }
    put(file, whole);
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace sightline::cli
