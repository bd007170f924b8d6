// What results about pairs of areas have: a class of sight for each.
#pragma once

#include "host/program/jobs/bakes.hpp"
#include "host/program/results/run.hpp"

namespace sightline::cli {

inline IdRange range_of(std::uint64_t first, std::uint64_t count) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
}

class AreaPairs : public Result {
 public:
  explicit AreaPairs(const Names& names) : Result(names, {"--areas", "/areas", "areas"}) {}

  VisibilityOptions options;
  std::uint32_t asked_samples = 0;  ///< 0: the file has them

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.number("query.range", options.range, 0.0f);
    p.input("areas", input_, io::most_areas);  // the hash is of all samples, also of blocked ones
    p.number("query.samples", asked_samples, 0, most_area_samples);
  }
  Grid grid() const override { return {count(), count(), true, true}; }
  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    const auto asked = asked_samples == 0 ? std::nullopt : std::optional(asked_samples);
    AreaSamples all;
    const std::string file = in.file(input_, [&](const std::string& name) {
      all = load_areas(in.job(), name, asked, up_of(scene_));
      return io::samples_hash(all);
    });
    in.settle_count(input_, file, all.size());
    samples_ = in.verifies() ? free_samples(caster(), all, options.inside)
                             : load_free_samples(in.job(), caster(), all, options.inside);
  }

 protected:
  std::uint64_t count() const { return input_.count; }

  AreaSamples samples_;
};

}  // namespace sightline::cli
