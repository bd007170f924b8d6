// gen: a standard scene, and rays over it.
#include "host/files/core/file_format.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/gen/rays.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t rays_per_chunk = 1 << 18;

struct GenArguments {
  std::string kind;
  std::uint64_t shapes = 0;
  std::uint64_t seed = 1;
  std::string output;
  std::string rays;  ///< a kind of rays, or ""
  std::uint64_t ray_count = 0;
  std::string rays_output;
};

/// Of the scene, or of its rays.
io::Metadata origin_of(const GenArguments& a, bool rays) {
  io::Metadata metadata = {{"gen.kind", a.kind},
                           {"gen.shapes", std::to_string(a.shapes)},
                           {"gen.seed", std::to_string(a.seed)}};
  if (rays) metadata["gen.rays"] = a.rays;
  return metadata;
}

io::RayColumns columns_of(const GenArguments& a) {
  io::RayColumns columns;
  columns.t_max = gen::ray_kind(a.rays) == gen::RayKind::los;  // segments end; the others do not
  return columns;
}

/// Of the scene's file: a shape takes 16 bytes (a sphere) to 40 (an oriented box), and its mask,
/// group and label 16 where it has them.
std::uint64_t most_scene_bytes(const GenArguments& a) {
  constexpr std::uint64_t header = 4096;
  return header + a.shapes * (a.kind == "adversarial" ? 56 : 40);
}

void write_rays(Job& job, const GenArguments& a, gen::SceneKind scene_kind, const Caster& caster) {
  const gen::RayKind kind = gen::ray_kind(a.rays).value();
  io::RaysWriter writer(a.rays_output, a.ray_count, columns_of(a), origin_of(a, true));
  std::uint64_t candidates = 0, kept_inside = 0;
  {
    Progress progress("gen", "rays", a.ray_count, job.common().quiet);
    for (std::uint64_t first = 0; first < a.ray_count; first += rays_per_chunk) {
      progress.update(first);
      const std::uint64_t n = std::min(rays_per_chunk, a.ray_count - first);
      const gen::RaySet set =
          gen::make_rays_chunk(kind, caster, scene_kind, a.ray_count, a.seed, first, n);
      writer.write(first, set.view());
      candidates += set.candidates;
      kept_inside += set.kept_inside;
    }
    progress.update(a.ray_count);
  }
  writer.commit();
  const double redrawn = static_cast<double>(candidates - a.ray_count) /
                         static_cast<double>(std::max<std::uint64_t>(candidates, 1));
  job.set("/rays/candidates", candidates);
  job.set("/rays/redrawn_share", redrawn);
  job.set("/rays/kept_inside", kept_inside);
  job.wrote(a.rays_output, fmt::format("{}; {:.1f}% of the candidates were drawn again",
                                       plural(a.ray_count, a.rays + " rays"), 100 * redrawn));
  if (kept_inside > 0) {
    job.warn("still in a shape at either end: {}", plural(kept_inside, "rays"));
  }
}

int run_gen(Job& job, const GenArguments& a) {
  io::refuse_other_ending(a.output);
  io::refuse_other_ending(a.rays_output);
  check_files(job, {}, {{a.output, "scene"}, {a.rays_output, "rays"}});
  refuse_lanes_without_cpu(job.common().lanes, job.common().device);
  const gen::SceneKind kind = gen::scene_kind(a.kind).value();
  job.set("/scene/file", a.output);
  job.set("/scene/kind", a.kind);
  job.set("/scene/shapes", a.shapes);
  job.set("/scene/seed", a.seed);
  if (!a.rays.empty()) {
    job.set("/rays/file", a.rays_output);
    job.set("/rays/kind", a.rays);
    job.set("/rays/count", a.ray_count);
  }
  if (job.common().dry_run) {
    job.set("/bytes/scene_at_most", most_scene_bytes(a));
    job.set("/bytes/memory", gen::scene_bytes(a.shapes));
    job.say("would write {}, at most {}", plural(a.shapes, "shapes"),
            format_bytes(most_scene_bytes(a)));
    job.say("would hold at most {}", format_bytes(gen::scene_bytes(a.shapes)));
    if (!a.rays.empty()) {
      const std::uint64_t ray_bytes =
          io::RaysWriter::bytes(a.ray_count, columns_of(a), origin_of(a, true));
      job.set("/bytes/rays", ray_bytes);
      job.say("would write {}, {}", plural(a.ray_count, "rays"), format_bytes(ray_bytes));
    }
    return 0;
  }
  require_room(job, gen::scene_bytes(a.shapes), "a scene of " + plural(a.shapes, "shapes"));
  Scene scene = job.timed("gen_scene", [&] {
    return gen::make_scene(kind, {a.shapes, a.seed, poll_interrupt});
  });
  const std::string hash = io::scene_hash(scene);
  job.set("/scene/hash", hash);
  job.timed("write_scene", [&] { io::write_scene(a.output, scene, origin_of(a, false)); });
  job.wrote(a.output, fmt::format("{} of {}, seed {}, hash {}", a.kind, plural(a.shapes, "shapes"),
                                  a.seed, hash));
  if (a.rays.empty()) return 0;
  const Caster caster = build_caster(job, std::move(scene));
  job.timed("gen_rays", [&] { write_rays(job, a, kind, caster); });
  return 0;
}

}  // namespace

void add_gen(Verb& v) {
  auto& a = v.runs<GenArguments>(
      run_gen,
      "sightline gen city --shapes 1000 -o city.st\n"
      "sightline gen cloud --shapes 1e6 -o cloud.st --rays los --count 1e6 --rays-out rays.st");
  v.positional("KIND", a.kind, "city, cloud, mixed, lattice or adversarial")
      .check(member({"city", "cloud", "mixed", "lattice", "adversarial"}));
  v.count("--shapes", a.shapes, 1, gen::most_generated, "N", "number of shapes")
      .required()
      .without_default();
  v.count("--seed", a.seed, 0, unlimited, "S", "the same seed makes the same file");
  v.output(a.output, "SCENE", "scene to write");
  const Option rays =
      v.add("--rays", a.rays, "KIND", "coherent (a camera), incoherent, or los (segments)")
          .check(member({"coherent", "incoherent", "los"}));
  const Option count =
      v.count("--count", a.ray_count, 1, std::uint64_t{1} << 40, "M", "number of rays")
          .without_default();
  const Option output = v.output("--rays-out", a.rays_output, "RAYS", "rays to write");
  rays.needs(count).needs(output);
  count.needs(rays);
  output.needs(rays);
  v.yes();
  v.run();
}
}  // namespace sightline::cli
