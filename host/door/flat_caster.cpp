#include <sightline/flat.hpp>

#include "host/backend/flat_backend.hpp"
#include "host/door/caster_impl.hpp"
#include "host/door/choose_backend.hpp"
#include "host/flat/flat_set.hpp"

#include <sightline/geometry/flat/flat_query.hpp>

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::check_columns;

struct FlatCaster::Impl {
  detail::FlatSet set;
  detail::ChosenBackend<detail::FlatBackend> chosen;

  const detail::FlatBackend* backend() const { return chosen.backend.get(); }
};

namespace {

std::unique_ptr<detail::FlatBackend> make_backend(Backend kind, const FlatShapesView& shapes,
                                                  const CasterOptions& options) {
  switch (kind) {
    case Backend::reference:
      return detail::make_reference_flat_backend(shapes);
    case Backend::cpu:
      return detail::make_cpu_flat_backend(shapes, options);
    case Backend::cuda:
      return detail::make_cuda_flat_backend(shapes, options);
    case Backend::automatic:
      break;
  }
  throw Error(ErrorKind::usage, "there is no such backend");
}

/// The report of what was asked, its bad ones counted.
template <class View>
SIGHTLINE_NOINLINE FlatReport report_on(const View& queries, std::uint64_t found,
                                        std::uint64_t pairs) {
  FlatReport report{queries.count, found, pairs, 0, 0};
  for (std::uint64_t i = 0; i < queries.count; ++i) {
    if (is_bad(queries[i]) && report.bad++ == 0) report.first_bad = i;
  }
  return report;
}

}  // namespace

FlatCaster::FlatCaster(FlatScene scene, Backend backend, const CasterOptions& options) {
  answered([&] {
    impl_ = std::make_unique<Impl>(Impl{detail::FlatSet(std::move(scene)), {}});
    impl_->chosen = detail::choose_backend<detail::FlatBackend>(
        backend, options, [&](Backend kind, const CasterOptions& with) {
          return make_backend(kind, impl_->set.view(), with);
        });
  });
}

FlatCaster::FlatCaster(FlatCaster&&) noexcept = default;
FlatCaster& FlatCaster::operator=(FlatCaster&&) noexcept = default;
FlatCaster::~FlatCaster() = default;

FlatCaster::Impl& FlatCaster::impl() const {
  if (!impl_) detail::refuse("this caster is empty: it has been moved from");
  return *impl_;
}

const FlatScene& FlatCaster::scene() const { return impl().set.scene(); }
Backend FlatCaster::backend() const { return impl().chosen.kind; }
std::string FlatCaster::description() const {
  return answered([&] { return detail::described(*impl().backend(), impl_->chosen.why_not_cuda); });
}
std::uint64_t FlatCaster::memory_bytes() const {
  return impl().set.memory_bytes() + impl_->backend()->memory_bytes();
}

FlatReport FlatCaster::overlap_any(const CirclesView& circles,
                                   std::span<std::uint64_t> bits) const {
  const Impl& own = impl();
  return answered([&] {
    check_columns(circles);
    check_array("bits", bits, bit_words(circles.count));
    const OverlapReport r = own.backend()->answer(detail::CirclesAny{circles, bits.data()});
    return report_on(circles, r.overlapping, 0);
  });
}

FlatReport FlatCaster::overlap_count(const CirclesView& circles,
                                     std::span<std::uint32_t> counts) const {
  const Impl& own = impl();
  return answered([&] {
    check_columns(circles);
    check_array("counts", counts, circles.count);
    const OverlapReport r = own.backend()->answer(detail::CirclesCount{circles, counts.data()});
    return report_on(circles, r.overlapping, r.pairs);
  });
}

FlatReport FlatCaster::overlap_all(const CirclesView& circles, OverlapRows& rows) const {
  const Impl& own = impl();
  return answered([&] {
    check_columns(circles);
    rows = detail::in_words([&] { return own.backend()->answer(detail::CirclesAll{circles}); },
                            [&] {
                              return "there is no memory for all overlaps of " +
                                     std::to_string(circles.count) +
                                     " circles: ask for fewer at a time, or how many there are";
                            });
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < circles.count; ++i) {
      found += rows.offsets[i + 1] != rows.offsets[i];
    }
    return report_on(circles, found, rows.ids.size());
  });
}

FlatReport FlatCaster::cast(const SegmentsView& segments, const HitArrays& hits,
                            Inside inside) const {
  const Impl& own = impl();
  return answered([&] {
    detail::check(inside);
    check_columns(segments);
    const HitsView to = detail::pointers(hits, segments.count);
    if (to.normal != nullptr) throw Error(ErrorKind::usage, "hits of segments have no normals");
    return report_on(segments, own.backend()->answer(detail::SegmentHits{segments, to, inside}), 0);
  });
}

}  // namespace sightline
