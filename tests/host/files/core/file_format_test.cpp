#include "host/files/core/file_format.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using FileFormatTest = IoTest;

TEST_F(FileFormatTest, KnowsFilesByHowTheyBegin) {
  ContainerWriter(path("c.json"), {}, {{"a", "b"}}).commit();
  NpyWriter(path("n.csv"), Dtype::f32, {2, 3}).commit();
  EXPECT_EQ(format_of(path("c.json")), FileFormat::container);
  EXPECT_EQ(format_of(path("n.csv")), FileFormat::npy);
  EXPECT_EQ(format_of(put("a", "\n  {\"sphere\": []}")), FileFormat::json);
  EXPECT_EQ(format_of(put("a", "\xEF\xBB\xBF{\"sphere\": [], \"up\": \"y\"}")), FileFormat::json);
  EXPECT_EQ(format_of(put("a", "[gd_scene format=3]\n")), FileFormat::other);
  EXPECT_EQ(format_of(put("a.json", "PK\3\4")), FileFormat::other);
  EXPECT_EQ(format_of(put("a.JSON", "")), FileFormat::json);
  EXPECT_EQ(format_of(put("a", "x,y,z\n1,2,3\n")), FileFormat::csv);
  EXPECT_EQ(format_of(put("a", "# unit: m\nx;y\n")), FileFormat::csv);
  EXPECT_EQ(format_of(put("a", "no separators")), FileFormat::other);
  EXPECT_EQ(format_of(put("a.json", "not")), FileFormat::json) << "by its ending";
  EXPECT_EQ(format_of(put("a.csv", "")), FileFormat::csv);
  EXPECT_EQ(format_of(put("a", std::string("\0\1,\2", 4))), FileFormat::other);
  EXPECT_EQ(looks_like(put("a", "PK\3\4 and more")), "a zip archive (.npz)");
  EXPECT_EQ(looks_like(put("a", "1,2,3\n")), "CSV");
  EXPECT_EQ(looks_like(put("a", "words")), "");
}

TEST_F(FileFormatTest, TellsWhatAnotherFileLooksLike) {
  const struct {
    std::string bytes, found;
  } cases[] = {{"x,y,z\n1,2,3\n", "CSV"},
               {"{\"sphere\": []}", "JSON"},
               {"PK\3\4 as NumPy saves several arrays", "a zip archive (.npz)"},
               {"\x89PNG\r\n", "a picture"}};
  for (const auto& c : cases) {
    expect_error(ErrorKind::bad_input, {path("f"), "looks like " + c.found + ", where a container"},
                 [&] { ContainerReader file(put("f", c.bytes)); });
  }
}

TEST_F(FileFormatTest, RefusesNamesThatPromiseAnotherFormat) {
  for (const char* name : {"seen.npy", "a/b.json", "x.csv", "p.png", "x.npz", "v.NPY"}) {
    expect_error(ErrorKind::usage, {name, "sightline export"}, [&] { refuse_other_ending(name); });
  }
  for (const char* name : {"", "seen", "seen.st", "seen.safetensors", "npy", "a.npy/seen"}) {
    EXPECT_NO_THROW(refuse_other_ending(name)) << name;
  }
}

}  // namespace
}  // namespace sightline::io
