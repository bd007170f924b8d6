#include <sightline/flat.hpp>

#include "host/backend/flat_backend.hpp"
#include "host/door/caster_impl.hpp"
#include "host/flat/flat_set.hpp"

#include <sightline/geometry/flat/flat_query.hpp>

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::counted;

struct FlatCaster::Impl {
  detail::FlatSet set;
  detail::ChosenBackend<detail::FlatBackend> chosen;

  const detail::FlatBackend* backend() const { return chosen.backend.get(); }
};

namespace {

struct MakeBackend {
  FlatShapesView shapes;

  auto operator()(const ReferenceOptions&) const {
    return detail::make_reference_flat_backend(shapes);
  }
  auto operator()(const CpuOptions& options) const {
    return detail::make_cpu_flat_backend(shapes, options);
  }
  auto operator()(const CudaOptions& options) const {
    return detail::make_cuda_flat_backend(shapes, options);
  }
};

struct Bad {
  std::uint64_t count = 0, first = 0;
};
/// The bad ones of what was asked.
template <class View>
SIGHTLINE_NOINLINE Bad bad_of(const View& queries) {
  Bad bad;
  for (std::uint64_t i = 0; i < queries.count; ++i) {
    if (is_bad(queries[i]) && bad.count++ == 0) bad.first = i;
  }
  return bad;
}
OverlapReport with_bad(OverlapReport report, const CirclesView& circles) {
  const Bad bad = bad_of(circles);
  report.bad = bad.count, report.first_bad = bad.first;
  return report;
}

}  // namespace

FlatCaster::FlatCaster(FlatScene scene, const CasterOptions& options) {
  answered([&] {
    impl_ = std::make_unique<Impl>(Impl{detail::FlatSet(std::move(scene)), {}});
    impl_->chosen =
        detail::choose_backend<detail::FlatBackend>(options, MakeBackend{impl_->set.view()});
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
  return answered([&] { return detail::described(impl().chosen); });
}
std::uint64_t FlatCaster::memory_bytes() const {
  return impl().set.memory_bytes() + impl_->backend()->memory_bytes();
}

Bits<OverlapReport> FlatCaster::overlap_any(const CirclesView& given) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const CirclesView circles = counted(given);
    Bits<OverlapReport> bits(circles.count);
    bits.report = overlap_any(circles, bits.words);
    return bits;
  });
}

OverlapReport FlatCaster::overlap_any(const CirclesView& given,
                                      std::span<std::uint64_t> bits) const {
  const Impl& own = impl();
  return answered([&] {
    const CirclesView circles = counted(given);
    check_array("bits", bits, bit_words(circles.count));
    return with_bad(own.backend()->answer(detail::CirclesAny{circles, bits.data()}), circles);
  });
}

Counts<OverlapReport> FlatCaster::overlap_count(const CirclesView& given) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const CirclesView circles = counted(given);
    Counts<OverlapReport> counts{std::vector<std::uint32_t>(circles.count)};
    counts.report = overlap_count(circles, counts.counts);
    return counts;
  });
}

OverlapReport FlatCaster::overlap_count(const CirclesView& given,
                                        std::span<std::uint32_t> counts) const {
  const Impl& own = impl();
  return answered([&] {
    const CirclesView circles = counted(given);
    check_array("counts", counts, circles.count);
    return with_bad(own.backend()->answer(detail::CirclesCount{circles, counts.data()}), circles);
  });
}

OverlapRows FlatCaster::overlap_all(const CirclesView& given) const {
  const Impl& own = impl();
  return answered([&] {
    const CirclesView circles = counted(given);
    OverlapRows rows = detail::all_overlaps(circles.count, "circles", [&] {
      return own.backend()->answer(detail::CirclesAll{circles});
    });
    rows.report = with_bad(rows.report, circles);
    return rows;
  });
}

Hits FlatCaster::cast(const SegmentsView& given, Inside inside) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const SegmentsView segments = counted(given);
    Hits hits = detail::hits_of(segments.count, false);
    hits.report = cast(segments, detail::arrays_of(hits), inside);
    return hits;
  });
}

CastReport FlatCaster::cast(const SegmentsView& given, const HitArrays& hits, Inside inside) const {
  const Impl& own = impl();
  return answered([&] {
    detail::check(inside);
    const SegmentsView segments = counted(given);
    const HitsView to = detail::pointers(hits, segments.count);
    if (to.normal != nullptr) throw Error(ErrorKind::usage, "hits of segments have no normals");
    const std::uint64_t found = own.backend()->answer(detail::SegmentHits{segments, to, inside});
    const Bad bad = bad_of(segments);
    return CastReport{segments.count, found, bad.count, bad.first};
  });
}

}  // namespace sightline
