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

TEST_F(FileFormatTest, ACommentIsNoCsv) {
  EXPECT_EQ(format_of(put("a", "# words, words\nv 1 2 3\n")), FileFormat::other);
  EXPECT_EQ(format_of(put("a", "# only\n")), FileFormat::other);
  EXPECT_EQ(format_of(put("a", "# unit: m\n\n# up: y\r\nx,y,z\n")), FileFormat::csv);
  EXPECT_EQ(format_of(put("a.csv", "# only\n")), FileFormat::csv) << "by its ending";
}

TEST_F(FileFormatTest, TellsWhoReadsFilesOfOthers) {
  const struct {
    const char *name, *bytes, *words;
  } cases[] = {
      {"a.obj", "# Blender, www\nv 1 2 3\n", "is a mesh, and meshes are not read"},
      {"a.stl", "solid a\n", "is a mesh"},
      {"a.ply", "ply\nformat ascii 1.0\n", "is a mesh"},
      {"a", "ply\nformat ascii 1.0\n", "is a mesh"},
      {"a.gltf", "{\"asset\": {}}", "sightline.from_trimesh(trimesh.load(FILE), approximate=True)"},
      {"a.glb", "glTF\2", "is a mesh"},
      {"a", "#usda 1.0\n", "is OpenUSD: in Python, sightline.from_usd(FILE)"},
      {"a.usdc", "PXR-USDC", "is OpenUSD"},
      {"a.usd", "PXR-USDC", "is OpenUSD"},
      {"a.urdf", "<robot name=\"a, b\"/>", "is URDF: in Python, sightline.from_urdf(FILE)"},
      {"a.xml", "<?xml version=\"1.0\"?>\n<robot/>", "is URDF"},
      {"a.xml", "<mujoco model=\"a, b\"/>", "sightline.from_mujoco(model, data)"},
      {"a.xml", "<svg a=\"1, 2\"/>", "is XML of no kind that is read here"},
      {"a.bt", "# Octomap OcTree binary file\n", "is an OctoMap, which nothing here reads yet"},
      {"a.fbx", "Kaydara FBX Binary", "is a model of a 3D editor, which nothing here reads yet"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.bytes);
    const std::string file = put(c.name, c.bytes);
    EXPECT_EQ(format_of(file), FileFormat::other);
    expect_error(ErrorKind::bad_input, {file + ": is ", c.words},
                 [&] { ContainerReader container(file); });
  }
  EXPECT_EQ(who_reads(put("a", "words")), "");
  // Our own formats whatever they are called.
  NpyWriter(path("n.obj"), Dtype::f32, {2, 3}).commit();
  EXPECT_EQ(format_of(path("n.obj")), FileFormat::npy);
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
