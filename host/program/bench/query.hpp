// The queries of the bench: how ours and a rival are asked, and what their answers need and weigh.
#pragma once

#include "host/program/bench/batch.hpp"
#include "host/program/bench/duel.hpp"
#include "host/program/bench/rival.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {

/// Of a ray (a pair) and its answer, in bytes.
double bytes_per_ray(BenchQuery query);

/// Arrays for n answers.
Answers room_for(std::uint64_t n, BenchQuery query);

/// Ours on `rays`, or on the whole matrix of the batch; all must outlive what is returned.
CastFirst ours(const Caster& caster, const Batch& batch, BenchQuery query, const RaysView& rays);
/// A rival's way on the batch's rays; sight is what it does not find blocked.
CastFirst theirs(RivalScene& scene, std::size_t way, const Batch& batch, BenchQuery query);

/// Turns what is blocked into what is seen, and back; there are no padding bits.
void flip(std::vector<std::uint64_t>& bits);

/// The share of n rays that hit, or of pairs that are blocked.
double hit_share(const Answers& answers, BenchQuery query, std::uint64_t n);

/// How many rays the judge, brute force, was asked about, and how many of its answers are others.
struct Judgement {
  std::uint64_t rays = 0;
  std::uint64_t differing = 0;
};

/// Asks it about rays spread over the batch, as many as take it a second or so; for closest and
/// any.
Judgement judge(const Scene& scene, const Batch& batch, BenchQuery query, const Answers& answers);

}  // namespace sightline::cli
