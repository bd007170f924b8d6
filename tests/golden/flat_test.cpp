// The golden answers of sets of 2D shapes: every query, each policy, with and without masks.
#include "host/files/formats/flat_file.hpp"
#include "tests/golden/reports.hpp"
#include "tests/golden/table.hpp"
#include "tests/support/flat_sets.hpp"

namespace sightline::testing {
namespace {

constexpr const char* family_names[] = {"2D lattice", "2D random", "2D far away", "2D crowded"};

/// The first case of the family from this seed on that has masks.
FlatCase masked_case(FlatFamily family, std::uint64_t seed) {
  FlatCase c = flat_case(family, 120, 300, seed);
  return c.circle_masks.empty() ? masked_case(family, seed + 1) : c;
}

void ask_all(const FlatCaster& caster, const FlatCase& c, const std::string& scene,
             const std::string& how, std::vector<GoldenRow>& rows) {
  const FlatAnswers a(caster, c, Inside::solid);
  rows.push_back({scene, "overlap any" + how, {hash_of(bytes_of(a.bits, flat_numbers_of(a.any)))}});
  rows.push_back(
      {scene, "overlap count" + how, {hash_of(bytes_of(a.counts, flat_numbers_of(a.count)))}});
  rows.push_back({scene,
                  "overlap all" + how,
                  {hash_of(bytes_of(a.rows.offsets, a.rows.ids, flat_numbers_of(a.all)))}});
  rows.push_back(row_of_policies(scene, "cast" + how, [&](Inside inside) {
    const FlatAnswers cast(caster, c, inside);
    return bytes_of(cast.t, cast.id, cast.flags, flat_numbers_of(cast.cast));
  }));
}

class GoldenFlat : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GoldenFlat, ::testing::ValuesIn(golden_backends()),
                         name_of_backend);

TEST_P(GoldenFlat, AnswersTheGoldenBytes) {
  std::vector<GoldenRow> rows, questions;
  for (const FlatFamily family : every_flat_family) {
    const std::string scene = family_names[static_cast<int>(family)];
    FlatCase c = masked_case(family, 7);
    const FlatCaster caster(c.scene, GetParam().options);
    const std::string set = io::flat_hash(c.scene);
    const Bytes asked = bytes_of(std::vector<char>(set.begin(), set.end()), c.circles, c.segments,
                                 c.circle_masks, c.segment_masks);
    questions.push_back({scene, "questions", {hash_of(asked)}});
    ask_all(caster, c, scene, ", filtered", rows);
    c.circle_masks.clear(), c.segment_masks.clear();
    ask_all(caster, c, scene, "", rows);
  }
  expect_golden("flat_questions", questions, GetParam());
  expect_golden("flat", rows, GetParam());
}

}  // namespace
}  // namespace sightline::testing
