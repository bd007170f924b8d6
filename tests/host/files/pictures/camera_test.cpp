// The camera's rays, and files of what they found.
#include "host/files/pictures/camera.hpp"
#include "host/files/pictures/ply.hpp"
#include "tests/host/files/io_test.hpp"

#include <cmath>

namespace sightline::io {
namespace {

double dot_of(const Double3& a, const Vec3& b) { return a[0] * b.x + a[1] * b.y + a[2] * b.z; }

TEST(Camera, RaysHaveDepthOneAndSpanTheField) {
  for (const UpAxis up : {UpAxis::z, UpAxis::y}) {
    Camera camera;
    camera.eye = {3, -2, 5};
    camera.target = {10, 4, 1};
    camera.width = 301;
    camera.height = 201;
    camera.field_of_view = 60;
    camera.up = up;
    const CameraRays rays(camera);
    Double3 forward = {7, 6, -4};
    forward = times(forward, 1 / length(forward));
    for (const std::uint64_t i : {0u, 300u, 301u * 200, 301u * 201 - 1, 301u * 100 + 150}) {
      EXPECT_NEAR(dot_of(forward, rays.direction(i)), 1, 1e-6) << i;
    }
    const Vec3 middle = rays.direction(301 * 100 + 150);
    EXPECT_NEAR(middle.x, forward[0], 1e-6);
    EXPECT_NEAR(middle.z, forward[2], 1e-6);
    // Half a pixel within tan(30 degrees) at the sides; the upper left, seen from behind.
    const Double3 above = up == UpAxis::z ? Double3{0, 0, 1} : Double3{0, 1, 0};
    Double3 right = cross(forward, above);
    right = times(right, 1 / length(right));
    const double side = std::tan(3.14159265358979 / 6) * 150 / 150.5;
    EXPECT_NEAR(dot_of(right, rays.direction(301 * 100 + 300)), side, 1e-6);
    EXPECT_NEAR(dot_of(right, rays.direction(301 * 100)), -side, 1e-6);
    EXPECT_GT(dot_of(above, rays.direction(0)), dot_of(above, rays.direction(301 * 200)));
    EXPECT_NEAR(dot_of(right, rays.direction(0)), -side, 1e-6);
  }
}

TEST(Camera, LooksStraightDownAndNotAtItself) {
  Camera camera;
  camera.eye = {0, 0, 9};
  camera.target = {0, 0, 0};
  camera.width = camera.height = 3;
  const Vec3 upper_left = CameraRays(camera).direction(0);
  EXPECT_TRUE(upper_left.x < 0 && upper_left.y > 0 && upper_left.z == -1);
  camera.target = camera.eye;
  expect_error(ErrorKind::usage, {"same point"}, [&] { CameraRays rays(camera); });
}

class CameraFiles : public IoTest {
 protected:
  template <class T>
  T read(const std::string& bytes, std::size_t& at) const {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }
};

TEST_F(CameraFiles, PlyHoldsItsPoints) {
  PlyPoints points;
  points.position = {{1, 2, 3}, {4, 5, 6}};
  points.color = {{7, 8, 9}, {10, 11, 12}};
  points.id = {13, 14};
  write_ply(path("p.ply"), points);
  const std::string bytes = get("p.ply");
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\n"
      "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
      "property uchar blue\nproperty uint id\nend_header\n";
  ASSERT_EQ(bytes.substr(0, head.size()), head);
  ASSERT_EQ(bytes.size(), head.size() + 2 * 19);
  std::size_t at = head.size() + 19;
  EXPECT_EQ(read<float>(bytes, at), 4);
  EXPECT_EQ(read<float>(bytes, at), 5);
  EXPECT_EQ(read<float>(bytes, at), 6);
  EXPECT_EQ(read<std::uint8_t>(bytes, at), 10);
  at += 2;
  EXPECT_EQ(read<std::uint32_t>(bytes, at), 14u);
  points.id = {1};
  expect_error(ErrorKind::internal, {"differ"}, [&] { write_ply(path("q.ply"), points); });
}

}  // namespace
}  // namespace sightline::io
