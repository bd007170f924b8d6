#include "bench/gpu_rates.hpp"

#include <sightline/caster.hpp>

#include <optional>

namespace sightline::bench {
namespace {

constexpr gen::SceneKind first_scene = gen::SceneKind::city;

/// Calls that a caller waits for, timed one by one, nothing warmed up.
class FirstCalls {
 public:
  FirstCalls(Table& table, std::uint64_t shapes) : table_(table), shapes_(shapes) {}

  template <class Call>
  void twice(const char* what, Call&& call) {
    for (const char* how : {"the first call, from the host", "the second call, from the host"}) {
      table_.add({what,
                  how,
                  std::string(gen::name_of(first_scene)),
                  shapes_,
                  "calls",
                  1,
                  {host_seconds(call)}});
    }
  }

 private:
  Table& table_;
  std::uint64_t shapes_;
};

}  // namespace

void measure_first_calls(Table& table, std::uint64_t shapes, std::uint64_t rays) {
  const Scene scene = gen::make_scene(first_scene, shapes, 1);
  const Caster cpu(scene, Backend::cpu);
  const gen::RaySet incoherent =
                        make_many_rays(gen::RayKind::incoherent, cpu, first_scene, rays, 2),
                    los = make_many_rays(gen::RayKind::los, cpu, first_scene, rays, 2);
  FirstCalls calls(table, shapes);
  std::optional<Caster> caster;
  calls.twice("construct", [&] { caster.emplace(scene, Backend::cuda); });
  std::vector<float> t(rays), distance(rays);
  std::vector<std::uint32_t> id(rays);
  std::vector<std::uint8_t> flags(rays);
  std::vector<std::uint64_t> blocked(bit_words(rays));
  calls.twice("closest hit", [&] { caster->closest_hit(incoherent.view(), {t, id, flags, {}}); });
  calls.twice("any hit", [&] { caster->any_hit(los.view(), blocked); });
  PointsView points;
  points.count = std::min<std::uint64_t>(rays, 1024);
  points.position = Vec3Column::rows(std::span(los.origin).first(points.count));
  std::vector<std::uint64_t> seen(points.count * bit_words(points.count));
  calls.twice("visibility", [&] { caster->visibility(points, points, seen); });
}

}  // namespace sightline::bench
