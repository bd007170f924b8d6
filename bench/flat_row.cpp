#include "bench/flat_row.hpp"

#include "tests/support/flat_sets.hpp"

#include <cmath>
#include <utility>

namespace sightline::bench {
namespace {

cli::CastFirst ours(const FlatCaster& caster, const std::vector<float>& rows,
                    const std::string& ask) {
  const auto circles = [&rows](std::uint64_t n) {
    return CirclesView::rows(std::span(rows).first(3 * n));
  };
  if (ask == "any") {
    return [&, circles](std::uint64_t n, cli::Answers& a) {
      caster.overlap_any(circles(n), std::span(a.bits).first(bit_words(n)));
    };
  }
  if (ask == "count") {
    return [&, circles](std::uint64_t n, cli::Answers& a) {
      caster.overlap_count(circles(n), std::span(a.counts).first(n));
    };
  }
  if (ask == "all") {
    return [&, circles](std::uint64_t n, cli::Answers& a) {
      OverlapRows found;
      caster.overlap_all(circles(n), found);
      a.offsets = std::move(found.offsets);
      a.id = std::move(found.ids);
    };
  }
  return [&](std::uint64_t n, cli::Answers& a) {
    caster.cast(SegmentsView::rows(std::span(rows).first(4 * n)),
                {std::span(a.t).first(n), std::span(a.id).first(n)});
  };
}

}  // namespace

FlatBench::FlatBench(std::uint64_t shapes, std::uint64_t count, std::uint64_t seed) {
  testing::Random r(seed);
  const float half = 1.5f * std::sqrt(static_cast<float>(shapes));
  testing::FlatPlaces at(r, testing::FlatFamily::random);
  at.size = 1, at.spread = half;
  for (std::uint64_t i = 0; i < shapes; ++i) testing::add_any(scene_, r, at, 0xFFFFFFFFu);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec2 p = testing::vec2(r, half), way = testing::vec2(r, 2.8f);
    circles_.insert(circles_.end(), {p.x, p.y, 0.3f});
    segments_.insert(segments_.end(), {p.x, p.y, p.x + way.x, p.y + way.y});
  }
}

QueryRow FlatBench::row(const std::string& ask, int threads,
                        const cli::DuelOptions& options) const {
  const bool casts = ask == "cast";
  const std::vector<float>& rows = casts ? segments_ : circles_;
  const FlatCaster caster(scene_, Backend::cpu, {.threads = threads});
  const FlatCaster loop(scene_, Backend::reference);
  const std::uint64_t n = circles_.size() / 3;
  return measured({"flat", casts ? "segments" : "circles", ask, scene_.size(), n}, n,
                  ours(caster, rows, ask), ours(loop, rows, ask), {}, options);
}

}  // namespace sightline::bench
