#include "tests/host/bakes/nav/recast_world.hpp"

#include "examples/load_recast.hpp"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

#include <cmath>
#include <stdexcept>

namespace sightline::testing {
namespace {

template <class T, void (*free)(T*)>
struct Freed {
  void operator()(T* p) const { free(p); }
};
using Field = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;
using Compact =
    std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using Polygons = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using Details = std::unique_ptr<rcPolyMeshDetail, Freed<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

void require(bool done, const char* step) {
  if (!done) throw std::runtime_error(std::string("Recast refuses: ") + step);
}

struct Cells {
  int height, climb, radius;
};
Cells cells_of(const Agent& a, float cs, float ch) {
  return {static_cast<int>(std::ceil(a.height / ch)), static_cast<int>(std::ceil(a.climb / ch)),
          static_cast<int>(std::ceil(a.radius / cs))};
}

Field make_field(rcContext& context, const RecastSpans& s) {
  Field field(rcAllocHeightfield());
  require(rcCreateHeightfield(&context, *field, static_cast<int>(s.width),
                              static_cast<int>(s.height), s.bmin.data(), s.bmax.data(), s.cs, s.ch),
          "heightfield");
  return field;
}

Field field_of(rcContext& context, const RecastSpans& s) {
  Field field = make_field(context, s);
  for (std::uint64_t c = 0; c + 1 < s.offsets.size(); ++c) {
    for (std::uint64_t i = s.offsets[c]; i < s.offsets[c + 1]; ++i) {
      require(rcAddSpan(&context, *field, static_cast<int>(c % s.width),
                        static_cast<int>(c / s.width), s.smin[i], s.smax[i], s.area[i], 0),
              "span");
    }
  }
  return field;
}

/// `links` are those of dtNavMeshCreateParams, which has nothing else yet.
dtNavMesh* mesh_of(const NavMap& map, rcContext& context, const Field& field,
                   const dtNavMeshCreateParams& links) {
  Cells cells = cells_of(map.agent, field->cs, field->ch);
  // Spans are widened by up to a cell at both ends, and where there is room is known already.
  cells.height = std::max(3, cells.height - 2);
  const Compact compact(rcAllocCompactHeightfield());
  require(rcBuildCompactHeightfield(&context, cells.height, cells.climb, *field, *compact),
          "compact");
  require(rcBuildDistanceField(&context, *compact), "distances");
  require(rcBuildRegions(&context, *compact, 0, 4, 20), "regions");
  const Contours contours(rcAllocContourSet());
  require(rcBuildContours(&context, *compact, 1.3f, 40, *contours), "contours");
  const Polygons polygons(rcAllocPolyMesh());
  require(rcBuildPolyMesh(&context, *contours, 6, *polygons), "polygons");
  const Details details(rcAllocPolyMeshDetail());
  require(rcBuildPolyMeshDetail(&context, *polygons, *compact, 6 * field->cs, field->ch, *details),
          "details");
  for (int i = 0; i < polygons->npolys; ++i) polygons->flags[i] = 1;
  dtNavMeshCreateParams p = links;
  p.verts = polygons->verts;
  p.vertCount = polygons->nverts;
  p.polys = polygons->polys;
  p.polyAreas = polygons->areas;
  p.polyFlags = polygons->flags;
  p.polyCount = polygons->npolys;
  p.nvp = polygons->nvp;
  p.detailMeshes = details->meshes;
  p.detailVerts = details->verts;
  p.detailVertsCount = details->nverts;
  p.detailTris = details->tris;
  p.detailTriCount = details->ntris;
  p.walkableHeight = map.agent.height;
  p.walkableRadius = map.agent.radius;
  p.walkableClimb = map.agent.climb;
  std::copy(polygons->bmin, polygons->bmin + 3, p.bmin);
  std::copy(polygons->bmax, polygons->bmax + 3, p.bmax);
  p.cs = field->cs;
  p.ch = field->ch;
  p.buildBvTree = true;
  unsigned char* data = nullptr;
  int bytes = 0;
  require(dtCreateNavMeshData(&p, &data, &bytes), "mesh");
  dtNavMesh* mesh = dtAllocNavMesh();
  require(dtStatusSucceed(mesh->init(data, bytes, DT_TILE_FREE_DATA)), "tile");
  return mesh;
}

dtNavMesh* mesh_of(const NavMap& map) {
  rcContext context(false);
  const io::RecastConnections links = io::recast_connections(map);
  dtNavMeshCreateParams p{};
  p.offMeshConVerts = links.verts.data();
  p.offMeshConRad = links.rad.data();
  p.offMeshConFlags = links.flags.data();
  p.offMeshConAreas = links.areas.data();
  p.offMeshConDir = links.dir.data();
  p.offMeshConUserID = links.user_id.data();
  p.offMeshConCount = static_cast<int>(links.rad.size());
  return mesh_of(map, context, field_of(context, io::recast_spans(map)), p);
}

dtNavMesh* mesh_of(const NavMap& map, const std::string& name) {
  rcContext context(false);
  RecastFile file(name.c_str());
  const Field field(rcAllocHeightfield());
  require(fill(context, file, *field), "file");
  dtNavMeshCreateParams p{};
  connect(file, p);
  return mesh_of(map, context, field, p);
}

/// The twelve triangles of a box in Recast's world, their normals outward.
void add_triangles(const Aabb& box, UpAxis up, std::vector<float>& corners,
                   std::vector<int>& triangles) {
  const int first = static_cast<int>(corners.size() / 3);
  for (int k = 0; k < 8; ++k) {
    const Vec3 p = {k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                    k & 4 ? box.max.z : box.min.z};
    const std::array<float, 3> q = io::to_recast(p, up);
    corners.insert(corners.end(), q.begin(), q.end());
  }
  constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    for (const int k : {f[0], f[1], f[2], f[0], f[2], f[3]}) triangles.push_back(first + k);
  }
}

}  // namespace

RecastWorld::RecastWorld(const NavMap& map) : up_(map.grid.up), mesh_(mesh_of(map)) {}
RecastWorld::RecastWorld(const NavMap& map, const std::string& file)
    : up_(map.grid.up), mesh_(mesh_of(map, file)) {}
RecastWorld::~RecastWorld() { dtFreeNavMesh(mesh_); }

std::vector<Vec3> RecastWorld::path(const Vec3& from, const Vec3& to) const {
  const std::unique_ptr<dtNavMeshQuery, Freed<dtNavMeshQuery, dtFreeNavMeshQuery>> query(
      dtAllocNavMeshQuery());
  require(dtStatusSucceed(query->init(mesh_, 2048)), "query");
  const dtQueryFilter filter;
  const float reach[3] = {1, 1, 1};
  const auto place = [&](const Vec3& p, std::array<float, 3>& at) {
    dtPolyRef polygon = 0;
    at = io::to_recast(p, up_);
    const std::array<float, 3> asked = at;
    query->findNearestPoly(asked.data(), reach, &filter, &polygon, at.data());
    return polygon;
  };
  std::array<float, 3> a{}, b{};
  const dtPolyRef start = place(from, a), end = place(to, b);
  if (start == 0 || end == 0) return {};
  dtPolyRef polygons[256];
  int count = 0;
  query->findPath(start, end, a.data(), b.data(), &filter, polygons, &count, 256);
  if (count == 0 || polygons[count - 1] != end) return {};
  float corners[256 * 3];
  int corner_count = 0;
  query->findStraightPath(a.data(), b.data(), polygons, count, corners, nullptr, nullptr,
                          &corner_count, 256);
  std::vector<Vec3> path;
  for (int k = 0; k < corner_count; ++k) {
    const float* c = corners + 3 * k;
    path.push_back(up_ == UpAxis::y ? Vec3{c[0], c[1], c[2]} : Vec3{c[0], -c[2], c[1]});
  }
  return path;
}

std::vector<std::uint8_t> walkable_by_recast(const NavMap& map, const Scene& scene,
                                             const RecastSpans& grid) {
  rcContext context(false);
  const Field field = make_field(context, grid);
  std::vector<float> corners;
  std::vector<int> triangles;
  for (std::uint32_t i = 0; i < scene.count(Kind::aabb); ++i) {
    add_triangles(scene.aabb(i), map.grid.up, corners, triangles);
  }
  const int count = static_cast<int>(triangles.size() / 3);
  std::vector<unsigned char> areas(static_cast<std::size_t>(count), 0);
  rcMarkWalkableTriangles(&context, map.agent.slope, corners.data(),
                          static_cast<int>(corners.size() / 3), triangles.data(), count,
                          areas.data());
  const Cells cells = cells_of(map.agent, grid.cs, grid.ch);
  const int climb = static_cast<int>(std::floor(map.agent.climb / grid.ch));
  require(rcRasterizeTriangles(&context, corners.data(), static_cast<int>(corners.size() / 3),
                               triangles.data(), areas.data(), count, *field, climb),
          "triangles");
  rcFilterLowHangingWalkableObstacles(&context, climb, *field);
  rcFilterLedgeSpans(&context, cells.height, climb, *field);
  rcFilterWalkableLowHeightSpans(&context, cells.height, *field);
  const Compact compact(rcAllocCompactHeightfield());
  require(rcBuildCompactHeightfield(&context, cells.height, climb, *field, *compact), "compact");
  require(rcErodeWalkableArea(&context, cells.radius, *compact), "erosion");
  std::vector<std::uint8_t> walkable(static_cast<std::size_t>(compact->width * compact->height), 0);
  for (std::size_t c = 0; c < walkable.size(); ++c) {
    const rcCompactCell& cell = compact->cells[c];
    for (unsigned k = cell.index, last = k + cell.count; k < last; ++k) {
      if (compact->areas[k] != RC_NULL_AREA) walkable[c] = 1;
    }
  }
  return walkable;
}

}  // namespace sightline::testing
