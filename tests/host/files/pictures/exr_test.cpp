// Files of channels, read back by OpenEXR itself.
#include "host/files/pictures/exr.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/oracle/dice.hpp"

#include <sightline/math/vec.hpp>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>

#include <limits>

namespace sightline::io {
namespace {

class ExrTest : public IoTest {
 protected:
  /// One channel of a file; its type must be this one.
  template <class T>
  std::vector<T> channel(const std::string& file, const char* name) const {
    Imf::InputFile in(path(file).c_str());
    const auto window = in.header().dataWindow();
    const auto width = static_cast<std::size_t>(window.max.x - window.min.x + 1);
    const auto height = static_cast<std::size_t>(window.max.y - window.min.y + 1);
    const Imf::PixelType type = std::is_same_v<T, float> ? Imf::FLOAT : Imf::UINT;
    const Imf::Channel* found = in.header().channels().findChannel(name);
    if (found == nullptr || found->type != type) return {};
    std::vector<T> values(width * height);
    Imf::FrameBuffer pixels;
    pixels.insert(name, Imf::Slice(type, reinterpret_cast<char*>(values.data()), sizeof(T),
                                   sizeof(T) * width));
    in.setFrameBuffer(pixels);
    in.readPixels(window.min.y, window.max.y);
    return values;
  }
};

TEST_F(ExrTest, IsReadBackToTheBit) {
  constexpr std::uint64_t width = 37, height = 23;
  oracle::Dice dice(1);
  std::vector<float> depth(width * height);
  std::vector<std::uint32_t> id(width * height);
  std::vector<Vec3> normal(width * height);
  for (std::size_t i = 0; i < id.size(); ++i) {
    depth[i] = i % 7 == 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(i) / 3;
    id[i] = i % 5 == 0 ? ~0u : static_cast<std::uint32_t>(dice.below(1u << 31));
    normal[i] = {static_cast<float>(i), -static_cast<float>(i) / 7, 1e-40f};
  }
  write_exr(path("p.exr"), width, height,
            {{"id", id.data()},
             {"Z", depth.data()},
             {"N.X", &normal[0].x, sizeof(Vec3)},
             {"N.Y", &normal[0].y, sizeof(Vec3)},
             {"N.Z", &normal[0].z, sizeof(Vec3)}});
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(channel<float>("p.exr", "Z"), depth);
  EXPECT_EQ(channel<std::uint32_t>("p.exr", "id"), id);
  for (const auto& [name, part] :
       {std::pair{"N.X", &Vec3::x}, {"N.Y", &Vec3::y}, {"N.Z", &Vec3::z}}) {
    std::vector<float> expected;
    for (const Vec3& n : normal) expected.push_back(n.*part);
    EXPECT_EQ(channel<float>("p.exr", name), expected) << name;
  }
  const Imf::InputFile in(path("p.exr").c_str());
  EXPECT_EQ(in.header().compression(), Imf::NO_COMPRESSION);
  EXPECT_TRUE(in.isComplete());
}

TEST_F(ExrTest, EqualPicturesAreEqualBytes) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  write_exr(path("a.exr"), 3, 2, {{"Z", values.data()}, {"A", values.data()}});
  write_exr(path("b.exr"), 3, 2, {{"A", values.data()}, {"Z", values.data()}});
  EXPECT_EQ(get("a.exr"), get("b.exr"));
}

TEST_F(ExrTest, WhatTheFormatDoesNotTakeLeavesNothing) {
  const std::vector<float> values(4);
  expect_error(ErrorKind::internal, {"q.exr", "cannot be encoded"}, [&] {
    write_exr(path("q.exr"), 0, 2, {{"Z", values.data()}});
  });
  expect_error(ErrorKind::internal, {"q.exr", "too large"}, [&] {
    write_exr(path("q.exr"), 1, 1 << 21, {{"Z", values.data()}});
  });
  expect_error(ErrorKind::io, {"none/q.exr"}, [&] {
    write_exr(path("none/q.exr"), 2, 2, {{"Z", values.data()}});
  });
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace sightline::io
