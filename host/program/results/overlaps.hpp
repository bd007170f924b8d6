// What shapes overlap those that query, which `Asks` has: a bit, a number or a row of ids for each.
#pragma once

#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/results/hits.hpp"
#include "host/program/results/run.hpp"

#include <fmt/format.h>

namespace sightline::cli {

enum class OverlapQuery { any, count, all };

inline Option add_overlap_query(Verb& v, OverlapQuery& to, const char* words) {
  using Query = OverlapQuery;
  return v.choice("--query", to,
                  {{"any", Query::any}, {"count", Query::count}, {"all", Query::all}}, "QUERY",
                  words);
}

/// A bit for each of those that query, or for each body of them.
template <class Asks>
class OverlapAny : public Asks {
 public:
  OverlapAny() : Asks("overlap any") {}

  std::vector<Column> columns() const override {
    return {{"bits", io::Dtype::u64, {bit_words(this->grid().rows)}, Layout::bits, "overlap"}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    return this->any(part, buffer.of<std::uint64_t>("bits"), buffer);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    counts.sum[0] += count_bits(buffer.of<std::uint64_t>("bits"));
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"overlapping", "overlapping something", counts.sum[0], this->grid().rows}};
  }
};

template <class Asks>
class OverlapCount : public Asks {
 public:
  OverlapCount() : Asks("overlap count") {}

  std::vector<Column> columns() const override {
    return {{"count", io::Dtype::u32, {this->grid().rows}}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    return this->counts(part, buffer.of<std::uint32_t>("count"), buffer);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_counts(buffer.of<std::uint32_t>("count"), counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"overlapping", "overlapping something", counts.sum[0], this->grid().rows},
            {"pairs", "pairs", counts.sum[1]}};
  }
};

template <class Asks>
class OverlapAll : public Asks, public Rows {
 public:
  OverlapAll() : Asks("overlap all") {}

  void visit(Parameters& p) override {
    Asks::visit(p);
    p.number("pairs.count", items);
  }
  std::vector<Column> columns() const override {
    return {{"offsets", io::Dtype::u64, {this->grid().rows + 1}, Layout::offsets},
            {"id", io::Dtype::u32, {items}, Layout::items}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    this->all(part, buffer);
    buffer.refer("offsets", buffer.overlaps.offsets);
    buffer.refer("id", buffer.overlaps.ids);
    return {};
  }
  io::JobCounts count_items(std::uint64_t first, std::span<std::uint32_t> numbers,
                            ColumnBuffer& memory) const override {
    io::JobCounts counted = this->counts({first, numbers.size(), 0, 1}, numbers, memory);
    tally_counts(numbers, counted);
    return counted;
  }
  Cost cost(const Job& job) const override {
    const bool device = this->backend() == Backend::cuda;
    Cost cost = Asks::cost(job);
    // Of a row its count, its offset and, on a device, where its ids are.
    cost.input_bytes +=
        copies_in_memory(this->backend()) * 4 + 8 + (device ? 2 * sizeof(std::uint64_t) : 0);
    // A device gives back ids in pinned memory; the host puts the ids of a run in order while it
    // has them, six times at most.
    cost.item_bytes = (device ? 2 : 6) * sizeof(std::uint32_t);
    return cost;
  }
  void require_items(const Job& job, std::uint64_t index, std::uint64_t ids,
                     std::uint64_t) const override {
    require_memory(job.common().max_memory, ids * cost(job).item_bytes,
                   fmt::format("all that {} overlaps", this->element(index)));
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    const auto offsets = buffer.of<std::uint64_t>("offsets");
    for (std::size_t i = 1; i < offsets.size(); ++i) counts.sum[0] += offsets[i] != offsets[i - 1];
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"overlapping", "overlapping something", counts.sum[0], this->grid().rows},
            {"pairs", "pairs", items}};
  }
};

/// Runs the query that was asked for; `any` is the kind of a bit for each.
template <class Asks, class Any>
int run_overlaps(Job& job, OverlapQuery query, const ResultArguments& a, Any any) {
  if (query == OverlapQuery::any) return run_result(job, any, a);
  OverlapCount<Asks> count;
  if (query == OverlapQuery::count) return run_result(job, count, a);
  OverlapAll<Asks> all;
  return run_result(job, all, a);
}

}  // namespace sightline::cli
