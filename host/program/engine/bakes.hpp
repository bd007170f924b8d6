// What the verbs of bakes share.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/program/engine/inputs.hpp"

namespace sightline::cli {

/// Throws Error{usage} for a bake of more than 4 GiB where --yes is there to be said, and was not.
void require_yes(const std::optional<bool>& yes, std::uint64_t bytes, const std::string& what);

/// Reads areas as samples within the job's memory, and reports them.
AreaSamples load_areas(Job& job, const std::string& file, std::optional<std::uint32_t> samples,
                       UpAxis up);

/// Those that are free, with a warning about others, and about areas that lose all of theirs.
AreaSamples load_free_samples(Job& job, const Caster& caster, const AreaSamples& samples,
                              Inside inside);

/// Whether points stand over a shape [shapes]: a ray down from one of them, begun `lift` above it,
/// meets that shape first. Shapes that hold the ray's beginning do not count.
std::vector<bool> floors_under(const Caster& caster, const PointsView& points, UpAxis up,
                               float lift = 0);

/// Whether points lie in or on a shape [points]: from there nothing is seen.
std::vector<bool> points_inside(const Caster& caster, const PointsView& points);

/// Draws a share of every point on the scene's map; `lift` as in floors_under.
void draw_shares(Job& job, const std::string& file, const Caster& caster,
                 const io::Metadata& metadata, const PointsView& points, std::vector<float> share,
                 const std::string& caption, float lift = 0);

/// Renames the finished file and says so.
void commit(Job& job, io::ContainerWriter& writer);

}  // namespace sightline::cli
