// verify: pairs of areas, by all of their samples' segments.
#include "host/files/formats/visible_sets.hpp"
#include "host/program/checks/verify_bakes.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

/// What a file says of a pair of areas.
struct PairOfAreas {
  std::uint8_t area_class = 0;
  std::uint32_t visible = 0;
};

PairOfAreas read_pair(const io::BakeReader& file, std::uint64_t i) {
  const io::BakeParameters& p = file.parameters();
  PairOfAreas pair;
  if (p.kind == io::BakeKind::visible_sets) {
    std::uint64_t word = 0;
    const std::uint64_t row = i / p.areas, column = i % p.areas;
    file.read("bits", row * ((p.areas + 63) / 64) + column / 64, 1, &word);
    pair.area_class = word >> (column % 64) & 1;
    return pair;
  }
  file.read("class", i, 1, &pair.area_class);
  if (p.counts) file.read("visible", i, 1, &pair.visible);
  return pair;
}

PairOfAreas true_pair(const BakeVerification& v, const AreaSamples& samples, std::uint64_t i) {
  const io::BakeParameters& p = v.result.parameters();
  const auto a = static_cast<std::uint32_t>(i / p.areas),
             b = static_cast<std::uint32_t>(i % p.areas);
  PairOfAreas pair;
  area_counts(v.judge, samples, {a, 1}, {b, 1}, {&pair.visible, 1}, {p.range, 0, p.inside});
  const AreaClass c = area_class(pair.visible, samples.count(a) * samples.count(b));
  pair.area_class = static_cast<std::uint8_t>(c);
  if (p.kind == io::BakeKind::visible_sets) pair.area_class = c != AreaClass::hidden;
  if (!p.counts) pair.visible = 0;
  return pair;
}

void verify_counts(const BakeVerification& v, const AreaSamples& samples,
                   Differences& differences) {
  const std::uint64_t n = samples.size();
  std::vector<std::uint32_t> counts(n);
  v.result.read("samples", 0, n, counts.data());
  for (std::uint64_t a = 0; a < n; ++a) {
    if (counts[a] == samples.count(a)) continue;
    differences.add(a * n, fmt::format("area {}: the file has {} samples, the reference {}", a,
                                       counts[a], samples.count(a)));
  }
}

std::span<const std::uint64_t> decoded(const io::BakeReader& file, io::RowDecoder& decoder,
                                       const io::RowDifferences& d) {
  try {
    return decoder.next(d);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file.name(), error.what()));
  }
}

/// The lists must tell the same as the bits.
void verify_lists(const io::BakeReader& file, Differences& differences) {
  const std::uint64_t n = file.parameters().areas;
  io::RowDecoder decoder(n);
  std::vector<std::uint64_t> bits((n + 63) / 64);
  std::uint64_t range[2] = {};
  for (std::uint64_t i = 0; i < n; ++i) {
    io::RowDifferences d;
    file.read("offsets", i, 2, range);
    if (range[0] > range[1] || range[1] > file.parameters().differences ||
        (i == 0 && range[0] != 0)) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: offset {} does not rise within the ids", file.name(), i + 1));
    }
    file.read("reference", i, 1, &d.reference);
    d.id.resize(range[1] - range[0]);
    file.read_area_ids(range[0], d.id);
    const std::span<const std::uint64_t> row = decoded(file, decoder, d);
    file.read("bits", i * bits.size(), bits.size(), bits.data());
    if (!std::equal(row.begin(), row.end(), bits.begin())) {
      differences.add(i * n, fmt::format("area {}: its list and its bits differ", i));
    }
  }
  if (range[1] != file.parameters().differences) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: the last offset is not the number of ids", file.name()));
  }
}

}  // namespace

void verify_areas(const BakeVerification& v, Differences& differences) {
  const io::BakeParameters& p = v.result.parameters();
  const std::optional<std::uint32_t> asked =
      p.area_samples == 0 ? std::nullopt : std::optional(p.area_samples);
  const AreaSamples all = load_areas(v.job, v.arguments.areas, asked, up_of(v.scene));
  require_same(v.result, "areas", v.arguments.areas, p.samples_hash, io::samples_hash(all));
  require_count(v.result, "areas", p.areas, v.arguments.areas, all.size());
  const AreaSamples samples = free_samples(v.judge, all, p.inside);
  if (p.kind == io::BakeKind::visible_sets) {
    verify_lists(v.result, differences);
  } else {
    verify_counts(v, samples, differences);
  }
  for_each_element(v, differences, [&](std::uint64_t i) {
    const PairOfAreas file = read_pair(v.result, i), truth = true_pair(v, samples, i);
    if (file.area_class == truth.area_class && file.visible == truth.visible) return;
    differences.add(i, fmt::format("areas {} and {}: the file has class {} and {} visible, the "
                                   "reference {} and {}",
                                   i / p.areas, i % p.areas, file.area_class, file.visible,
                                   truth.area_class, truth.visible));
  });
}

}  // namespace sightline::cli
