// Libraries of others that answer overlaps and nearest shapes, and what is the same for all of
// them: threads, the order of the queries, and where answers go.
#pragma once

#include "bench/harness/answers.hpp"
#include "bench/harness/query_batch.hpp"

#include <sightline/caster.hpp>
#include <sightline/geometry/queries/nearest.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sightline::rivals {

/// What one query has found: ids in no order, and only if they are wanted.
struct Found {
  bool first_is_enough;
  std::uint32_t count = 0;
  std::vector<std::uint32_t>* ids = nullptr;

  /// Returns whether to stop.
  bool add(std::uint32_t id) {
    ++count;
    if (ids != nullptr) ids->push_back(id);
    return first_is_enough;
  }
};

/// A scene of shapes with bounds in a rival's tree. May be queried from many threads at once.
class QueryTree {
 public:
  QueryTree() = default;
  QueryTree(const QueryTree&) = delete;
  QueryTree& operator=(const QueryTree&) = delete;
  virtual ~QueryTree() = default;

  /// All shapes that overlap query i.
  virtual void overlaps(const ShapesView& queries, std::uint32_t i, Found& found) const = 0;
  /// The nearest by signed distance.
  virtual Near nearest(const Vec3& p) const = 0;
  /// Whether it has an answer to nearest() for points within shapes, too.
  virtual bool signs() const { return true; }
};

/// A rival and its ways to build.
struct QueryRival {
  std::string name;
  std::unique_ptr<QueryTree> (*build)(const ShapesView& shapes);
};

/// All rivals of this build. Shapes of their trees have bounds: no planes. The view must outlive
/// the tree.
std::vector<QueryRival> query_rivals();

/// Asks a tree on threads, as the queries come or in the Morton order of where they are.
class QueryRunner {
 public:
  explicit QueryRunner(int threads);

  /// Answers the first n of a batch, into arrays of the right sizes; all in ascending ids.
  void answer(const QueryTree& tree, bool sorted, const bench::QueryBatch& batch,
              const std::string& ask, std::uint64_t n, bench::Answers& to);

 private:
  /// Calls place_of(i) for all, then ask(begin, end, order) for parts; order is null or says which
  /// query stands where.
  template <class PlaceOf, class Ask>
  void run(bool sorted, std::uint64_t n, const PlaceOf& place_of, const Ask& ask);

  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::vector<std::uint32_t>> rows_;
};

}  // namespace sightline::rivals
