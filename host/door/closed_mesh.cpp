#include "host/door/closed_mesh.hpp"

#include "host/door/reserve.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <compare>
#include <utility>
#include <vector>

namespace sightline::detail {
namespace {

/// A place as numbers that are equal where the coordinates are: -0 is 0.
struct Place {
  std::array<std::uint32_t, 3> bits;

  explicit Place(const Vec3& v)
      : bits{std::bit_cast<std::uint32_t>(v.x + 0.0f), std::bit_cast<std::uint32_t>(v.y + 0.0f),
             std::bit_cast<std::uint32_t>(v.z + 0.0f)} {}
  auto operator<=>(const Place&) const = default;
};

/// An edge with its ends in order, and whether its face runs against that order.
struct Edge {
  std::uint32_t low, high;  // numbers of places
  std::uint32_t face;
  bool reversed;

  auto ends() const { return std::pair(low, high); }
};

/// The number of each vertex's place.
std::vector<std::uint32_t> number_places(std::span<const Vec3> vertices) {
  std::vector<std::uint32_t> order(vertices.size()), number(vertices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return Place(vertices[a]) < Place(vertices[b]);
  });
  std::uint32_t places = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && Place(vertices[order[i]]) != Place(vertices[order[i - 1]])) ++places;
    number[order[i]] = places;
  }
  return number;
}

std::string words(const Vec3& v) {
  std::string all = "(";
  for (const float x : {v.x, v.y, v.z}) {
    char number[32];
    all.append(all.size() == 1 ? "" : ", ")
        .append(number, std::to_chars(number, number + 32, x).ptr);
  }
  return all + ")";
}

}  // namespace

void check_closed(std::span<const Vec3> vertices, Faces faces) {
  if (vertices.size() > none || faces.size() > most_shapes) {
    throw Error(ErrorKind::bad_input, "a closed mesh has less than 2^32 - 1 vertices and faces");
  }
  const std::vector<std::uint32_t> place = number_places(vertices);
  std::vector<Edge> edges;
  edges.reserve(faces.size() * 3);
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t p = place[faces[f][k]], q = place[faces[f][(k + 1) % 3]];
      if (p != q) edges.push_back({std::min(p, q), std::max(p, q), f, p > q});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.ends() < b.ends(); });
  const Edge* open = nullptr;  // of the least face
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    std::int64_t sum = 0;
    for (end = begin; end < edges.size() && edges[end].ends() == edges[begin].ends(); ++end) {
      sum += edges[end].reversed ? -1 : 1;
    }
    if (sum == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (open == nullptr || edges[i].face < open->face) open = &edges[i];
    }
  }
  if (open == nullptr) return;
  const auto& face = faces[open->face];
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t from = face[k], to = face[(k + 1) % 3];
    const std::uint32_t p = place[from], q = place[to];
    if (std::min(p, q) != open->low || std::max(p, q) != open->high) continue;
    throw Error(ErrorKind::bad_input,
                "the mesh is open at the edge from " + words(vertices[from]) + " to " +
                    words(vertices[to]) + " of face " + std::to_string(open->face) +
                    ": as many faces must have its reverse; close the mesh, or use add_mesh()");
  }
}

}  // namespace sightline::detail
