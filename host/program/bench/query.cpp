#include "host/program/bench/query.hpp"

#include "host/program/engine/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sightline::cli {

double bytes_per_ray(BenchQuery query) {
  switch (query) {
    case BenchQuery::closest:
      return 2 * sizeof(Vec3) + sizeof(float) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
    case BenchQuery::any:
      return 2 * sizeof(Vec3) + 1.0 / 8;
    default:
      return 1.0 / 8;
  }
}

Answers room_for(std::uint64_t n, BenchQuery query) {
  Answers a;
  if (query == BenchQuery::closest) {
    a.t.resize(n);
    a.id.resize(n);
    a.flags.resize(n);
  } else {
    a.bits.resize(bit_words(n));
  }
  return a;
}

CastFirst ours(const Caster& caster, const Batch& batch, BenchQuery query, const RaysView& rays) {
  switch (query) {
    case BenchQuery::closest:
      return [&](std::uint64_t n, Answers& a) { caster.closest_hit(rays.slice(0, n), a.hits(n)); };
    case BenchQuery::any:
      return [&](std::uint64_t n, Answers& a) {
        caster.any_hit(rays.slice(0, n), std::span(a.bits).first(bit_words(n)));
      };
    default:
      return [&](std::uint64_t, Answers& a) { caster.visibility(batch.from, batch.to, a.bits); };
  }
}

void flip(std::vector<std::uint64_t>& bits) {
  for (std::uint64_t& word : bits) word = ~word;
}

CastFirst theirs(RivalScene& scene, std::size_t way, const Batch& batch, BenchQuery query) {
  switch (query) {
    case BenchQuery::closest:
      return [&, way](std::uint64_t n, Answers& a) {
        scene.closest_hit(way, batch.rays.slice(0, n), a.t.data(), a.id.data());
      };
    case BenchQuery::any:
      return [&, way](std::uint64_t n, Answers& a) {
        scene.any_hit(way, batch.rays.slice(0, n), a.bits.data());
      };
    default:
      return [&, way](std::uint64_t n, Answers& a) {
        scene.any_hit(way, batch.rays.slice(0, n), a.bits.data());
        flip(a.bits);
      };
  }
}

double hit_share(const Answers& a, BenchQuery query, std::uint64_t n) {
  std::uint64_t hits = 0;
  for (const std::uint8_t f : a.flags) hits += f & hit_flags::hit;
  for (const std::uint64_t w : a.bits) hits += static_cast<std::uint64_t>(std::popcount(w));
  if (query == BenchQuery::visibility) hits = n - hits;
  return n == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(n);
}

ReferenceCheck check_by_reference(const Scene& scene, const Batch& batch, BenchQuery query,
                                  const Answers& answers) {
  const std::uint64_t n =
      std::min(batch.rays.count, tests_per_chunk / std::max<std::uint64_t>(scene.size(), 1) + 1);
  const std::uint64_t step = batch.rays.count / std::max<std::uint64_t>(n, 1);
  const RaysView some = every(batch.rays, step, n);
  const Caster reference(scene, Backend::reference);
  ReferenceCheck checked{n, 0};
  Answers expected = room_for(n, query);
  ours(reference, batch, query, some)(n, expected);
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::uint64_t i = k * step;
    if (query == BenchQuery::closest) {
      checked.differing += std::memcmp(&answers.t[i], &expected.t[k], sizeof(float)) != 0 ||
                           answers.id[i] != expected.id[k] || answers.flags[i] != expected.flags[k];
    } else {
      checked.differing +=
          ((answers.bits[i / 64] >> (i % 64)) ^ (expected.bits[k / 64] >> (k % 64))) & 1;
    }
  }
  return checked;
}

}  // namespace sightline::cli
