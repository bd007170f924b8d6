// Closed meshes: the grid of a cube's surface, its corners placed by a formula.
#pragma once

#include <sightline/shapes.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sightline::testing {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> faces;

  Triangle operator[](std::size_t i) const {
    const auto at = [&](std::size_t k) { return vertices[faces[i][k]]; };
    return {at(0), at(1), at(2)};
  }
};

/// The grid of a cube's surface, n x n quads a side, `place` moving its points from [-1, 1]^3;
/// counter-clockwise from outside.
template <class Place>
Mesh cube_grid(int n, const Place& place) {
  Mesh m;
  std::map<std::array<int, 3>, std::uint32_t> ids;
  const auto id = [&](const std::array<int, 3>& k) {
    const auto [at, is_new] = ids.try_emplace(k, static_cast<std::uint32_t>(m.vertices.size()));
    const auto unit = [&](int x) { return 2.0 * x / n - 1; };
    if (is_new) m.vertices.push_back(place(unit(k[0]), unit(k[1]), unit(k[2])));
    return at->second;
  };
  for (int side = 0; side < 6; ++side) {
    const auto axis = static_cast<std::size_t>(side / 2);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto corner = [&](int a, int b) {
          std::array<int, 3> k{};
          k[axis] = side % 2 == 1 ? n : 0, k[(axis + 1) % 3] = a, k[(axis + 2) % 3] = b;
          return id(k);
        };
        std::array<std::uint32_t, 4> q{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1),
                                       corner(i, j + 1)};
        if (side % 2 == 0) std::swap(q[1], q[3]);
        m.faces.push_back({q[0], q[1], q[2]});
        m.faces.push_back({q[0], q[2], q[3]});
      }
    }
  }
  return m;
}

}  // namespace sightline::testing
