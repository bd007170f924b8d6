// A pinhole camera: the ray of each pixel, and what the rays found as pictures and data.
#pragma once

#include "host/files/core/affine.hpp"
#include "host/files/pictures/picture.hpp"

#include <sightline/queries/ray.hpp>

#include <string>
#include <vector>

namespace sightline::io {

struct Camera {
  Double3 eye{0, 0, 0}, target{1, 0, 0};
  double field_of_view = 70;  ///< of the longer side, in degrees, above 0 and below 180
  std::uint64_t width = 1280, height = 720;
  UpAxis up = UpAxis::z;

  std::uint64_t pixels() const { return width * height; }
};

/// The directions through the middles of pixels, row by row from the top left, each with a
/// component of 1 along the view: t of a hit is its depth, not its distance.
class CameraRays {
 public:
  /// Throws Error{usage} where eye and target are the same point.
  explicit CameraRays(const Camera& camera);

  Vec3 direction(std::uint64_t pixel) const;

 private:
  std::uint64_t width_;
  Double3 first_, right_, down_;  ///< of the upper left pixel, and from pixel to pixel
};

/// What was found, [pixels]; t is +inf and id none where nothing was.
struct CameraImage {
  Camera camera;
  std::vector<float> depth;
  std::vector<std::uint32_t> id;
  std::vector<Vec3> normal;
  std::string unit;  ///< of lengths
};

enum class CameraShow { shaded, depth, normal };

/// Writes a PNG with a legend: surfaces in the light of the viewer and the sky, with the edges of
/// shapes; depth by color; or normals as colors. Throws Error{io}.
void write_camera_picture(const std::string& name, const CameraImage& image, CameraShow show);

}  // namespace sightline::io
