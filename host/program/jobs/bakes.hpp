// What the verbs of bakes share.
#pragma once

#include "host/files/core/container.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/pictures/picture.hpp"
#include "host/program/jobs/inputs.hpp"

#include <functional>

namespace sightline::cli {

inline constexpr std::uint64_t most_unasked = std::uint64_t{4} << 30;
/// Throws Error{usage} for what takes more bytes than `most` where --yes is there to be said, and
/// was not.
void require_yes(const Job& job, std::uint64_t bytes, const std::string& what,
                 std::uint64_t most = most_unasked);
/// The same of what is held in memory: --max-memory, where it is given, is the limit instead. Then
/// throws Error{out_of_memory}.
void require_room(const Job& job, std::uint64_t bytes, const std::string& what,
                  std::uint64_t most = most_unasked);

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

/// Another scene of the same map, to be drawn in the place of one with these metadata; nothing
/// where there is no name. Throws Error{bad_input} where its unit or the way up is another.
std::optional<Scene> load_over(Job& job, const std::string& file, const io::Metadata& scene);

/// Which points of a map, lifted, lie in shapes of the caster's scene, and which of the shapes that
/// are drawn they stand over: those of `over`, or else of the caster's scene.
void set_floors(Job& job, io::SceneMap& map, const Caster& caster, const std::optional<Scene>& over,
                const PointsView& points, float lift);

/// Warns that a picture does not show all, where higher floors hide so much of what `what` counts.
void warn_of_floors(Job& job, const std::string& picture, std::uint64_t hidden,
                    std::string_view what);

/// Draws a share of every point on the scene's map, or on that of `over`; `lift` as in
/// floors_under.
void draw_shares(Job& job, const std::string& file, const Caster& caster,
                 const io::Metadata& metadata, const PointsView& points, std::vector<float> share,
                 const std::string& caption, float lift = 0,
                 const std::optional<Scene>& over = std::nullopt);

/// The share of the targets that each row's viewpoint sees; `self`: the targets are the viewpoints,
/// and each one's own bit is left out. read(first word, row) reads a row of the matrix.
std::vector<float> shares_seen(
    std::uint64_t viewpoints, std::uint64_t targets, bool self,
    const std::function<void(std::uint64_t, std::vector<std::uint64_t>&)>& read);
inline const char* caption_of_shares(bool self) {
  return self ? "share of the other points seen" : "share of the targets seen";
}

/// Renames the finished file and says so.
void commit(Job& job, io::ContainerWriter& writer);

}  // namespace sightline::cli
