#include "tests/parity/panel.hpp"

#include "host/backend/backend.hpp"
#include "host/cpu/rays/simd_dispatch.hpp"

#include <array>
#include <cstdio>

namespace sightline::testing {
namespace {

/// Brute force passes every shape for every ray.
constexpr std::uint64_t most_shapes_by_brute_force = 20'000;

/// The work of a query of points by points grows by the square.
constexpr std::uint64_t most_points_by_points = 300;

constexpr const char* policy_names[] = {"solid", "surface", "ignore"};

constexpr const char* side_names[] = {"both sides", "front", "back"};

std::string text(Inside inside) { return policy_names[static_cast<int>(inside)]; }
std::string text(RayPolicy policy) {
  return text(policy.inside) + ", " + side_names[static_cast<int>(policy.side)];
}

bool bit(const std::vector<std::uint64_t>& words, std::uint64_t i) {
  return (words[i / 64] >> (i % 64) & 1) != 0;
}

/// The matrix, the matrix of the first set against itself, and the pairs, with their reports.
struct Sight {
  std::vector<std::uint64_t> matrix, self, pairs;
  std::array<VisibilityReport, 3> reports;
};

template <class Tested>
Sight sight_of(const Tested& caster, const PointsView& from, const PointsView& to,
               const VisibilityOptions& options) {
  const std::uint64_t n = std::min(from.size(), to.size());
  Sight s;
  s.matrix.resize(from.size() * bit_words(to.size()), 0xA5A5A5A5A5A5A5A5u);
  s.self.resize(from.size() * bit_words(from.size()), 0xA5A5A5A5A5A5A5A5u);
  s.pairs.resize(bit_words(n), 0xA5A5A5A5A5A5A5A5u);
  s.reports[0] = caster.visibility(from, to, s.matrix, options);
  s.reports[1] = caster.visibility(from, s.self, options);
  s.reports[2] = caster.visibility_pairs(from.slice(0, n), to.slice(0, n), s.pairs, options);
  return s;
}

CpuOptions judge_of(Backend tested, int threads, std::uint64_t shapes) {
  CpuOptions options{threads};
  if (tested != Backend::cpu) return options;
  if (shapes <= most_shapes_by_brute_force) {
    options.search = Search::brute_force;
  } else {
    options.lanes = Lanes::portable;
  }
  return options;
}

}  // namespace

void Totals::complain(const std::string& what) {
  if (differing++ >= 10) return;
  const std::lock_guard lock(output);
  std::fprintf(stderr, "differs: %s\n", what.c_str());
}

Panel::Panel(const Scene& scene, std::string name, Backend tested, int threads, std::uint64_t chunk,
             Totals& totals)
    : totals_(totals),
      name_(std::move(name)),
      judged_(judge_of(tested, threads, scene.size())),
      judge_(scene, judged_),
      reference_(scene, ReferenceOptions{}) {
  const auto add = [&](const std::string& how, const CasterOptions& options) {
    members_.push_back({how, Caster(scene, options), options});
  };
  if (tested == Backend::cpu) {
    for (const Lanes lanes : detail::usable_lanes()) {
      add("lanes " + std::to_string(static_cast<int>(lanes)),
          CpuOptions{.threads = threads, .lanes = lanes});
    }
  } else {
    const CudaOptions fast = {.search = Search::tree, .chunk = chunk};
    add("tree built on the device", fast);
    add("the cpu's tree",
        CudaOptions{.search = Search::tree, .tree = TreeBuild::careful, .chunk = chunk});
    if (scene.size() <= most_shapes_by_brute_force) {
      add("brute force", CudaOptions{.search = Search::brute_force, .chunk = chunk});
    }
    matrices_.emplace(scene, fast, cuda::MatrixLimits{0, 30});  // some of the small scenes climb
  }
  ++totals_.scenes;
}

void Panel::differ(const std::string& member, const std::string& query, const std::string& where) {
  totals_.complain(name_ + ", " + member + ", " + query + ", " + where);
}

void Panel::cast(const RaysView& rays, RayPolicy policy, std::uint64_t sample) {
  const Answers truth = answers_of(judge_, rays, policy);
  for (const Member& member : members_) {
    const Answers answers = answers_of(member.caster, rays, policy);
    const std::uint64_t i = first_difference(truth, answers);
    if (i != rays.size()) differ(member.name, "rays, " + text(policy), testing::text(rays[i]));
  }
  const RaysView few = rays.slice(0, std::min(sample, rays.size()));
  const Answers cpu = answers_of(judge_, few, policy);
  const std::uint64_t i = first_difference(cpu, answers_of(reference_, few, policy));
  if (i != few.count) {
    totals_.complain(name_ + ", judge and reference, " + text(policy) + ", " +
                     testing::text(few[i]));
  }
  if (!any_is_closest(truth)) totals_.complain(name_ + ", any hit and closest hit of the judge");
  for (std::uint64_t k = 0; k < rays.size(); ++k) totals_.hits += truth.hit(k);
  totals_.pairs += rays.size();
}

void Panel::see(const PointsView& from, const PointsView& to, const VisibilityOptions& options,
                std::uint64_t sample) {
  const std::string query = "sight, " + text(options.inside);
  const Sight truth = sight_of(judge_, from, to, options);
  const auto judge = [&](const Sight& sight, const std::string& member) {
    if (!same_bytes(sight.matrix, truth.matrix)) differ(member, query, "the matrix");
    if (!same_bytes(sight.self, truth.self)) differ(member, query, "the set against itself");
    if (!same_bytes(sight.pairs, truth.pairs)) differ(member, query, "the pairs");
    if (sight.reports != truth.reports) differ(member, query, "the counts");
  };
  for (const Member& member : members_) {
    judge(sight_of(member.caster, from, to, options), member.name);
  }
  if (matrices_) judge(sight_of(*matrices_, from, to, options), "matrices without limits");
  const std::uint64_t pairs = std::min(from.size(), to.size()), few = std::min(sample, pairs);
  std::vector<std::uint64_t> expected(bit_words(few));
  reference_.visibility_pairs(from.slice(0, few), to.slice(0, few), expected, options);
  const std::uint64_t row_words = bit_words(to.size());
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const bool seen = bit(truth.pairs, i);
    if (i < few && seen != bit(expected, i)) totals_.complain(name_ + ", reference, " + query);
    if (seen != bit(truth.matrix, i * row_words * 64 + i)) {
      totals_.complain(name_ + ", matrix and pairs of the judge, " + query);
    }
  }
  // A set against itself is traced once a pair.
  totals_.sight_pairs += from.size() * to.size() + from.size() * (from.size() + 1) / 2 +
                         std::min(from.size(), to.size());
}

void Panel::ask(std::uint64_t n, std::uint64_t seed) {
  const bool triangles = judge_.scene().count(Kind::triangle) > 0;
  const bool cylinders = judge_.scene().count(Kind::cylinder) > 0;
  for (const EveryQuery& query : every_query()) {
    if (triangles && !query.takes_triangles) continue;
    if (cylinders && !query.takes_cylinders) continue;
    const std::uint64_t asked = query.by_points ? std::min(n, most_points_by_points) : n;
    const Bytes truth = query.ask(judge_, judged_, asked, seed);
    for (const Member& member : members_) {
      if (query.ask(member.caster, member.options, asked, seed) != truth) {
        differ(member.name, query.name, "seed " + std::to_string(seed));
      }
    }
    const std::uint64_t few = std::min<std::uint64_t>(n, 50);
    if (query.ask(judge_, judged_, few, seed) != query.ask(reference_, {}, few, seed)) {
      totals_.complain(name_ + ", judge and reference, " + query.name);
    }
    totals_.asked += asked;
  }
}

void Panel::update(const Scene& scene, Update how) {
  judge_ = Caster(scene, judged_);
  reference_ = Caster(scene, ReferenceOptions{});
  for (Member& member : members_) member.caster.update(scene, how);
  if (matrices_) matrices_->update(scene, how);
  name_ += how == Update::refit ? ", refitted" : ", rebuilt";
}

}  // namespace sightline::testing
