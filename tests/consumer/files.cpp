// Writes a scene, points and rays for the program, by the installed library of files, and reads
// them back.
//   files FOLDER
#include <sightline/files.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main(int, char** arguments) {
  using namespace sightline;
  const std::string folder = std::string(arguments[1]) + "/";
  const std::vector<Sphere> balls = {{{0, 0, 1}, 1}, {{4, 0, 1}, 0.5f}};
  Scene scene;
  scene.add(balls);
  scene.add_plane({normalize(Vec3{0, 0, 2}), 0});
  const std::vector<Vec3> points = {{-5, 0, 1}, balls[1].center + Vec3{0, 3, 0}};
  const std::vector<Ray> rays = {{.origin = points[0], .direction = balls[0].center - points[0]}};
  files::write_scene(folder + "scene.st", scene, {{"unit", "cm"}});
  files::write_points(folder + "points.npy", points);
  files::write_rays(folder + "rays.st", rays);

  files::Metadata metadata;
  const Scene back = files::read_scene(folder + "scene.st", &metadata);
  const bool same = files::scene_hash(back) == files::scene_hash(scene) &&
                    metadata["unit"] == "cm" &&
                    files::read_points(folder + "points.npy") == points &&
                    files::read_rays(folder + "rays.st")[0].direction == rays[0].direction;
  std::printf("%s, hash %s\n", same ? "read back as written" : "DIFFERENT",
              files::scene_hash(back).c_str());
  return same ? 0 : 1;
}
