// Scenes from the files of others, and the standard scenes.
#include "python/bindings/doc/imports.hpp"
#include "python/bindings/module.hpp"

#include "host/files/import/doom/import_doom.hpp"
#include "host/files/import/godot/import_godot.hpp"
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace sightline::python {
namespace {

std::tuple<PyScene, ArrayOf<float>, ArrayOf<std::uint32_t>> from_doom(
    const std::filesystem::path& path, const std::string& map, std::uint32_t grid,
    std::optional<std::uint32_t> floors, bool drawn_walls) {
  io::DoomImport import;
  {
    const nb::gil_scoped_release unlocked;
    import = io::import_doom(path, map, grid, floors,
                             drawn_walls ? io::DoomReach::drawn : io::DoomReach::closed);
  }
  return {PyScene{std::move(import.scene), {{"unit", import.unit}, {"up", import.up}}},
          numpy_rows<float>(std::move(import.viewpoints)),
          numpy(std::move(import.viewpoint_sector))};
}

PyScene from_godot(const std::filesystem::path& path,
                   const std::optional<std::filesystem::path>& root, bool strict) {
  io::GodotImport import;
  {
    const nb::gil_scoped_release unlocked;
    import = io::import_godot(path, {root.value_or(""), strict});
  }
  // What is not as in the file is told as warnings.
  const auto warn_of = [&](const char* what, const std::map<std::string, io::GodotTally>& tallies) {
    for (const auto& [reason, tally] : tallies) {
      warn(std::to_string(tally.count) + " " + what + ": " + reason + "; first " + tally.first);
    }
  };
  warn_of("approximated", import.approximated);
  warn_of("left out", import.left_out);
  if (import.scene.size() == 0) {
    warn(counted(import.nodes, "nodes") + " and no shape that is taken: the scene is empty");
  }
  return {std::move(import.scene), {{"unit", "m"}, {"up", "y"}}};
}

using SceneWord = Word<"typing.Literal['city', 'cloud', 'mixed', 'lattice', 'adversarial']">;
using RaysWord = Word<"typing.Literal['coherent', 'incoherent', 'los']">;

std::pair<ArrayOf<float>, ArrayOf<float>> standard_rays(const PyScene& scene, const RaysWord& kind,
                                                        std::uint64_t n, std::uint64_t seed) {
  const auto which = gen::ray_kind(kind.text);
  if (!which) choice(kind, "kind", {"coherent", "incoherent", "los"});
  gen::RaySet rays;
  {
    const nb::gil_scoped_release unlocked;
    const Caster caster(scene.scene, CpuOptions{});
    rays = gen::make_rays_chunk(*which, caster, gen::region_of(caster, seed), n, seed, 0, n);
  }
  return {numpy_rows<float>(std::move(rays.origin)), numpy_rows<float>(std::move(rays.direction))};
}

}  // namespace

void add_imports(nb::module_& m) {
  m.def(
      "doom_maps", [](const std::filesystem::path& path) { return io::doom_maps(path); },
      nb::arg("path"), doc::text(doc::doom_maps).c_str());
  m.def("from_doom", from_doom, nb::arg("path"), nb::arg("map"), nb::arg("grid") = 64,
        nb::kw_only(), nb::arg("floors") = nb::none(), nb::arg("drawn_walls") = false,
        doc::from_doom);
  m.def("from_godot", from_godot, nb::arg("path"), nb::arg("root") = nb::none(),
        nb::arg("strict") = false, doc::from_godot);
  m.def(
      "standard_scene",
      [](const SceneWord& kind, std::uint64_t shapes, std::uint64_t seed) {
        const auto which = gen::scene_kind(kind.text);
        if (!which) choice(kind, "kind", {"city", "cloud", "mixed", "lattice", "adversarial"});
        const nb::gil_scoped_release unlocked;
        return PyScene{gen::make_scene(*which, shapes, seed), {}};
      },
      nb::arg("kind"), nb::arg("shapes"), nb::arg("seed") = 1, doc::standard_scene);
  m.def("standard_rays", standard_rays, nb::arg("scene"), nb::arg("kind"), nb::arg("n"),
        nb::arg("seed") = 1, doc::standard_rays);
}

}  // namespace sightline::python
