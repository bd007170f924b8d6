// Random calls of sets of 2D shapes and of their casters: each answers, or throws an Error.
#include "tests/host/door/fuzz_arguments.hpp"

namespace sightline::testing {
namespace {

class FlatFuzz : FuzzArguments {
 public:
  explicit FlatFuzz(std::uint64_t seed) : FuzzArguments(seed) {
    for (int i = 0; i < 2; ++i) casters_.push_back(FlatCaster(FlatScene(), CpuOptions{1}));
  }

  void call() {
    begin_call();
    FlatScene& s = scenes_[r_.below(2)];
    const FlatCaster& c = casters_[static_cast<std::size_t>(r_.below(2))];
    const std::uint64_t n = count();
    const Vec2 a{number(), number()}, b{number(), number()};
    const CirclesView circles{{column(n), column(n)}, column(n), column_of_words(n, ~0u)};
    const SegmentsView segments{{column(n), column(n)}, {column(n), column(n)}};
    std::vector<Vec2> corners;
    for (int k = r_.below(5); k > 0; --k) corners.push_back({number(), number()});
    OverlapRows rows;
    r_.do_one_of(
        [&] {
          s.add_circle({a, size()}, index());
        },
        [&] {
          s.add_capsule({a, b, size()});
        },
        [&] {
          s.add_sector({a, b, number(), number(), size()});
        },
        [&] { s.add_polygon(corners, index()); },
        [&] {
          s.add_aabb({a, b});
        },
        [&] {
          s.add_obb({a, {size(), size()}, number(), number()});
        },
        [&] { s.id(choice<FlatKind>(6), index()), s.kind_and_index(index()); },
        [&] { s.mask(choice<FlatKind>(6), index()); },
        [&] { s.view(), s.bounds(), s.memory_bytes(), s.has_masks(choice<FlatKind>(6)); },
        [&] {
          if (r_.one_in(4)) s = std::move(scenes_[r_.below(2)]);
        },
        [&] { casters_[static_cast<std::size_t>(r_.below(2))] = FlatCaster(s, options()); },
        [&] {
          if (r_.one_in(8)) casters_[0] = std::move(casters_[1]);
          c.scene(), c.backend(), c.description(), c.memory_bytes();
        },
        [&] { c.overlap_any(circles, bits(bit_words(n))); },
        [&] { c.overlap_count(circles, words(about(n))); }, [&] { c.overlap_all(circles); },
        [&] { c.cast(segments, hits(n), inside()); });
    if (s.size() > 200) s = FlatScene();
  }

 private:
  FlatScene scenes_[2];
  std::vector<FlatCaster> casters_;
};

TEST(FlatFuzz, AnswersOrThrowsAnError) { expect_answers_or_errors<FlatFuzz>(200); }

}  // namespace
}  // namespace sightline::testing
