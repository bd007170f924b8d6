// <sightline/files.hpp>: what is written can be read back, or is refused.
#include "tests/host/files/io_test.hpp"

#include <sightline/files.hpp>

namespace sightline::io {
namespace {

class PublicFilesTest : public IoTest {
 protected:
  PublicFilesTest() { scene_.add(Sphere{{1, 2, 3}, 4}); }

  void refuse(const files::Metadata& metadata, std::initializer_list<std::string> words) {
    expect_error(ErrorKind::usage, words,
                 [&] { files::write_scene(path("s.st"), scene_, metadata); });
    EXPECT_EQ(entries(), 0);
  }

  Scene scene_;
};

TEST_F(PublicFilesTest, MetadataIsReadBack) {
  const files::Metadata given = {{"unit", "cm"}, {"up", "Y"}, {"na\"me\n", "\xc3\xa9t\xc3\xa9 \\"}};
  files::write_scene(path("s.st"), scene_, given);
  files::Metadata found;
  const Scene back = files::read_scene(path("s.st"), &found);
  EXPECT_EQ(files::scene_hash(back), files::scene_hash(scene_));
  EXPECT_EQ(found.at("unit"), "cm");
  EXPECT_EQ(found.at("up"), "y");
  EXPECT_EQ(found.at("na\"me\n"), "\xc3\xa9t\xc3\xa9 \\");
}

TEST_F(PublicFilesTest, MetadataThatCannotBeReadBackIsRefused) {
  refuse({{"up", "w"}}, {"s.st", "'up' is 'w', not y or z"});
  refuse({{"unit", ""}}, {"s.st", "'unit'", "not a word"});
  refuse({{"title", "caf\xe9"}}, {"s.st", "metadata 'title' is not UTF-8"});
  refuse({{"caf\xe9", "title"}}, {"s.st", "is not UTF-8"});
  refuse({{"story", std::string(100'000'000, 'x')}}, {"s.st", "a header of 100000", "read back"});
}

TEST_F(PublicFilesTest, WhatASceneStatesByItselfIsNobodyElsesToState) {
  refuse({{"sightline.file", "rays"}}, {"s.st: metadata 'sightline.file' is 'rays'", "'scene'"});
  refuse({{"sightline.format", "2"}}, {"s.st: metadata 'sightline.format' is '2'", "'1'"});
  files::write_scene(path("a.st"), scene_);
  files::Metadata found;
  files::read_scene(path("a.st"), &found);
  EXPECT_EQ(found.at("sightline.file"), "scene");
  files::write_scene(path("b.st"), scene_, found);
  EXPECT_TRUE(get("a.st") == get("b.st"));
}

TEST_F(PublicFilesTest, NamesThatPromiseAnotherFormatAreRefused) {
  const std::vector<Vec3> points = {{1, 2, 3}};
  const std::vector<Ray> rays = {{.origin = {0, 0, 0}, .direction = {1, 0, 0}}};
  for (const char* ending : {".csv", ".json", ".png"}) {
    const std::string name = path(std::string("x") + ending);
    const std::initializer_list<std::string> words = {name, "a container would be written"};
    expect_error(ErrorKind::usage, words, [&] { files::write_scene(name, scene_); });
    expect_error(ErrorKind::usage, words, [&] { files::write_points(name, points); });
    expect_error(ErrorKind::usage, words, [&] { files::write_rays(name, rays); });
  }
  EXPECT_EQ(entries(), 0);
  files::write_points(path("p.npy"), points);
  EXPECT_EQ(files::read_points(path("p.npy")), points);
}

}  // namespace
}  // namespace sightline::io
