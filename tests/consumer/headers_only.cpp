// Uses the installed headers alone, as a user's own kernel would: no library is linked.
#include <sightline/geometry/geometry.hpp>

#include <cstdio>

int main() {
  const sightline::Ray ray{.origin = {0, 0, 0}, .direction = {2, 0, 0}};
  const sightline::Hit box = sightline::cast(ray, sightline::Aabb{{4, -1, -1}, {5, 1, 1}});
  const sightline::Hit ball = sightline::cast(ray, sightline::Sphere{{10, 0, 0}, 1});
  const sightline::Hit miss = sightline::cast(ray, sightline::Sphere{{10, 3, 0}, 1});
  std::printf("box t = %g, ball t = %g, normal x = %g\n", static_cast<double>(box.t),
              static_cast<double>(ball.t), static_cast<double>(ball.normal.x));
  const bool right =
      box.t == 2.0f && ball.t == 4.5f && ball.normal.x == -1.0f && miss.id == sightline::none;
  return right ? 0 : 1;
}
