// A scene's bounded shapes as the walks of overlaps and nearest shapes read them: where many
// queries come, as records in the order of the tree's leaves, so that a shape is one line of memory
// and its neighbours lie beside it.
#pragma once

#include "host/cpu/shapes/shape_record.hpp"
#include "host/cpu/shapes/walk.hpp"
#include "host/cpu/threads.hpp"

#include <sightline/error.hpp>

#include <atomic>
#include <memory>
#include <new>

namespace sightline::detail {

/// The records of a tree's shapes.
struct LeafRecords {
  PageVector<ShapeRecord> records;
  std::vector<std::uint32_t> first;  ///< by node: the record of its first leaf

  LeafRecords(const WideBvh& bvh, const ShapesView& shapes, const Threads& threads)
      : records(shapes.bounded()), first(bvh.nodes.size()) {
    std::uint32_t leaves = 0;
    for (std::size_t n = 0; n < first.size(); ++n) {
      first[n] = leaves;
      leaves += leaves_of(bvh.nodes[n]);
    }
    threads.for_each_part(
        first.size(),
        [&](std::uint64_t begin, std::uint64_t end) {
          for (std::uint64_t n = begin; n < end; ++n) fill(bvh.nodes[n], shapes, first[n]);
        },
        nodes_of_part);
  }

  std::uint64_t bytes() const {
    return records.size() * sizeof(ShapeRecord) + first.size() * sizeof(first[0]);
  }

 private:
  static constexpr std::uint64_t nodes_of_part = 4096;

  /// Leaves come first, and missing children last.
  static std::uint32_t leaves_of(const WideNode& node) {
    std::uint32_t n = 0;
    while (n < wide_width && is_leaf(node.child[n]) && !is_empty(box_of(node, static_cast<int>(n))))
      ++n;
    return n;
  }
  void fill(const WideNode& node, const ShapesView& shapes, std::uint32_t from) {
    for (std::uint32_t c = 0, n = leaves_of(node); c < n; ++c) {
      const std::uint32_t id = node.child[c] & ~bvh_leaf_bit;
      shapes.visit_bounded(id, [&](const auto& s) { records[from + c].set(s, id); });
    }
  }
};

/// The shapes at the leaves of a tree. A leaf's place is that of its record, or its id.
struct LeafShapes {
  const WideBvh& bvh;
  const ShapesView& shapes;
  const LeafRecords* records = nullptr;

  /// Of a leaf in slot c of a node.
  std::uint32_t place(const WideNode& node, int c) const {
    if (records == nullptr) return node.child[c] & ~bvh_leaf_bit;
    return records->first[static_cast<std::size_t>(&node - bvh.nodes.data())] +
           static_cast<std::uint32_t>(c);
  }
  /// The same, after prefetching the shape.
  std::uint32_t prefetch_leaf(const WideNode& node, int c) const {
    const std::uint32_t at = place(node, c);
    prefetch_at(at);
    return at;
  }
  void prefetch_at(std::uint32_t place) const {
    if (records == nullptr) return prefetch(shapes, place);
    __builtin_prefetch(&records->records[place]);
  }
  /// Calls use(shape, id).
  template <class Use>
  void visit_at(std::uint32_t place, const Use& use) const {
    const ShapeRecord* const record = records == nullptr ? nullptr : &records->records[place];
    const std::uint32_t id = record == nullptr ? place : record->id;
    shapes.locate_bounded(id, [&]<class S>(ShapeTag<S>, std::uint32_t i) {
      S copy;
      if (record == nullptr) copy = shapes.get<S>(i);
      use(record == nullptr ? copy : record->get<S>(), id);
    });
  }
};

/// The records of a tree that is asked from many threads: made once they pay, when there have been
/// as many queries as there are shapes.
class LazyLeafRecords {
 public:
  /// Those to ask `queries` more; null for none. While one thread makes them others go without,
  /// also tasks that it takes over meanwhile; so do all where memory was short.
  const LeafRecords* before(std::uint64_t queries, const WideBvh& bvh, const ShapesView& shapes,
                            const Threads& threads) {
    if (const LeafRecords* made = made_.load(std::memory_order_acquire)) return made;
    if ((asked_ += queries) < shapes.bounded()) return nullptr;
    if (begun_.exchange(true)) return nullptr;
    try {
      records_ = std::make_unique<LeafRecords>(bvh, shapes, threads);
    } catch (const std::bad_alloc&) {
      return nullptr;  // they only save time
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      return nullptr;
    }
    made_.store(records_.get(), std::memory_order_release);
    return records_.get();
  }
  std::uint64_t bytes() const {
    const LeafRecords* const made = made_.load(std::memory_order_acquire);
    return made == nullptr ? 0 : made->bytes();
  }

 private:
  std::atomic<bool> begun_ = false;
  std::unique_ptr<LeafRecords> records_;
  std::atomic<const LeafRecords*> made_ = nullptr;
  std::atomic<std::uint64_t> asked_ = 0;
};

}  // namespace sightline::detail
