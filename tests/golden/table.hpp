// Golden hashes: what the code answered when they were written, one table a file of this folder.
#pragma once

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/bytes.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sightline::testing {

/// The answers to one query about one scene, in hashes: one, or one for each of every_policy.
struct GoldenRow {
  std::string scene, query;
  std::vector<std::string> hashes;
};

/// 16 hexadecimal digits.
std::string hash_of(const Bytes& bytes);

/// The row of a query that has policies: ask(inside) gives its bytes.
template <class Ask>
GoldenRow row_of_policies(std::string scene, std::string query, const Ask& ask) {
  GoldenRow row = {std::move(scene), std::move(query), {}};
  for (const Inside inside : every_policy) row.hashes.push_back(hash_of(ask(inside)));
  return row;
}

/// Whether some of the scenes do: below a tenth of the scale, as with sanitizers, and on a
/// stand-in.
bool some_golden_scenes_do();

/// Fails, with scene, query, policy and backend, for each hash that tests/golden/<name>.txt has
/// otherwise, and for rows there that were not found unless `some` were asked for. With
/// SIGHTLINE_WRITE_GOLDEN=1 in the environment, the reference, which comes first, writes that file
/// instead.
void expect_golden(const char* name, const std::vector<GoldenRow>& found,
                   const BackendCase& backend, bool some = false);

/// The backends that golden answers are checked on: all; of those on a stand-in the device's.
std::span<const BackendCase> golden_backends();

}  // namespace sightline::testing
