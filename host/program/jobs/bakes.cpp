#include "host/program/jobs/bakes.hpp"

#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {

void require_yes(const Job& job, std::uint64_t bytes, const std::string& what, std::uint64_t most) {
  if (job.common().yes.value_or(true) || bytes <= most) return;
  io::fail(ErrorKind::usage, "{} takes {}, more than {} GiB: if that is meant, say --yes", what,
           format_bytes(bytes), most >> 30);
}

void require_room(const Job& job, std::uint64_t bytes, const std::string& what,
                  std::uint64_t most) {
  if (job.common().max_memory == 0) require_yes(job, bytes, what, most);
  require_memory(job.common().max_memory, bytes, what);
}

AreaSamples load_areas(Job& job, const std::string& file, std::optional<std::uint32_t> samples,
                       UpAxis up) {
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("areas {}", file));
  io::AreaQuestion asked{samples, up == UpAxis::y ? "y" : "z"};
  // The samples, and those of them that are free.
  asked.check = [&](std::uint64_t n) {
    require_room(job, n * 2 * sizeof(Vec3),
                 fmt::format("{}: the memory of {}", file, plural(n, "samples")),
                 std::uint64_t{1} << 30);
  };
  io::Notes notes;
  asked.notes = &notes;
  AreaSamples found = job.timed("sample", [&] { return io::read_area_samples(file, asked); });
  warn_of(job, notes);
  job.set("/areas/file", file);
  job.set("/areas/count", found.size());
  job.set("/areas/samples", std::uint64_t{found.point.size()});
  job.say("areas   {}: {}, {}", file, plural(found.size(), "areas"),
          plural(found.point.size(), "samples"));
  return found;
}

AreaSamples load_free_samples(Job& job, const Caster& caster, const AreaSamples& samples,
                              Inside inside) {
  AreaSamples kept = job.timed("free", [&] { return free_samples(caster, samples, inside); });
  std::uint64_t without = 0;
  for (std::uint64_t a = 0; a < kept.size(); ++a) without += kept.count(a) == 0;
  const std::uint64_t lost = samples.point.size() - kept.point.size();
  job.set("/counts/samples", std::uint64_t{kept.point.size()});
  job.set("/counts/samples_left_out", lost);
  job.set("/counts/areas_without_samples", without);
  if (lost > 0) {
    job.warn("{} of {} {} left out", grouped(lost), plural(samples.point.size(), "samples"),
             agreeing(lost, "lies in or touches a shape, or is bad, and is",
                      "lie in or touch a shape, or are bad, and are"));
  }
  if (without > 0) {
    job.warn("{} of {} {} visibility is unknown", grouped(without), plural(kept.size(), "areas"),
             agreeing(without, "has no samples left: its", "have no samples left: their"));
  }
  return kept;
}

std::vector<bool> floors_under(const Caster& caster, const PointsView& points, UpAxis up,
                               float lift) {
  constexpr std::uint64_t batch = 1 << 16;
  std::vector<bool> floors(caster.scene().size(), false);
  std::vector<Vec3> origin;
  std::vector<std::uint32_t> id;
  RaysView rays;
  rays.direction = up == UpAxis::z ? Vec3{0, 0, -1} : Vec3{0, -1, 0};
  for (std::uint64_t first = 0; first < points.size(); first += batch) {
    poll_interrupt();
    origin.clear();
    for (std::uint64_t i = first; i < std::min(first + batch, points.size()); ++i) {
      Vec3 p = points.position[i];
      (up == UpAxis::z ? p.z : p.y) += lift;
      origin.push_back(p);
    }
    id.resize(origin.size());
    rays.origin = Vec3Column::rows(origin);
    caster.closest_hit(rays, {.id = id}, {Inside::ignore, false});
    for (const std::uint32_t shape : id) {
      if (shape != none) floors[shape] = true;
    }
  }
  return floors;
}

std::vector<bool> points_inside(const Caster& caster, const PointsView& points) {
  RaysView rays;
  rays.origin = points.position;
  rays.direction = Vec3{0, 0, 0};  // hits what contains the origin
  const Bits<CastReport> contained = caster.any_hit(rays);
  std::vector<bool> inside(points.size());
  for (std::uint64_t i = 0; i < inside.size(); ++i) inside[i] = contained[i];
  return inside;
}

std::optional<Scene> load_over(Job& job, const std::string& file, const io::Metadata& scene) {
  if (file.empty()) return std::nullopt;
  LoadedScene over = load_scene(job, file, "/over");
  const auto expect = [&](const char* what, const std::string& found, const std::string& expected) {
    if (found == expected) return;
    io::fail(ErrorKind::bad_input, "{}: {} is {}, but {} in the scene that the result is of", file,
             what, found, expected);
  };
  const auto up = [](const io::Metadata& of) { return up_of(of) == UpAxis::y ? "y" : "z"; };
  expect("up", up(over.metadata), up(scene));
  expect("the unit", unit_of(over.metadata), unit_of(scene));
  return std::move(over.scene);
}

void set_floors(Job& job, io::SceneMap& map, const Caster& caster, const std::optional<Scene>& over,
                const PointsView& points, float lift) {
  std::vector<Vec3> lifted(points.size());  // feet stand on a shape
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    lifted[i] = points.position[i];
    (map.up == UpAxis::z ? lifted[i].z : lifted[i].y) += lift;
  }
  map.inside = points_inside(caster, lifted);
  map.floors = over ? floors_under(build_caster(job, Scene(*over), "cpu"), points, map.up, lift)
                    : floors_under(caster, points, map.up, lift);
}

void warn_of_floors(Job& job, const std::string& picture, std::uint64_t hidden,
                    std::string_view what) {
  if (hidden == 0) return;
  job.warn("{}: higher floors hide {}: sightline render with --slice LOW,HIGH draws one floor",
           picture, plural(hidden, what));
}

void draw_shares(Job& job, const std::string& file, const Caster& caster,
                 const io::Metadata& metadata, const PointsView& points, std::vector<float> share,
                 const std::string& caption, float lift, const std::optional<Scene>& over) {
  io::MapPicture picture;
  picture.scene = over ? &*over : &caster.scene();
  picture.points = points;
  picture.share = std::move(share);
  picture.unit = unit_of(metadata);
  picture.up = up_of(metadata);
  picture.caption = caption;
  set_floors(job, picture, caster, over, points, lift);
  const std::uint64_t hidden =
      job.timed("picture", [&] { return io::write_map_picture(file, picture); });
  warn_of_floors(job, file, hidden, "points");
  job.set("/picture/file", file);
  job.wrote(file);
}

std::vector<float> shares_seen(
    std::uint64_t viewpoints, std::uint64_t targets, bool self,
    const std::function<void(std::uint64_t, std::vector<std::uint64_t>&)>& read) {
  const std::uint64_t others = targets - (self && targets > 0);
  std::vector<float> share(viewpoints);
  std::vector<std::uint64_t> row(bit_words(targets));
  for (std::uint64_t i = 0; i < viewpoints && others > 0; ++i) {
    poll_interrupt();
    read(i * row.size(), row);
    const std::uint64_t seen = count_bits(row) - (self ? row[i / 64] >> (i % 64) & 1 : 0);
    share[i] = static_cast<float>(static_cast<double>(seen) / static_cast<double>(others));
  }
  return share;
}

void commit(Job& job, io::ContainerWriter& writer) {
  job.timed("commit", [&] { writer.commit(); });
  job.set("/result/file", writer.name());
  job.set("/result/bytes", writer.file_bytes());
  job.wrote(writer.name(), format_bytes(writer.file_bytes()));
}

}  // namespace sightline::cli
