#include <sightline/flat_caster.hpp>

#include "host/backend/flat_backend.hpp"
#include "host/door/caster_impl.hpp"
#include "host/door/choose_backend.hpp"
#include "host/flat/flat_set.hpp"

#include <sightline/flat/query.hpp>

#include <new>

namespace sightline {

using detail::bit_words;
using detail::FpEnvironment;

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
SIGHTLINE_NOINLINE FlatReport report_on(const View& asking, std::uint64_t found,
                                        std::uint64_t pairs) {
  FlatReport report{asking.count, found, pairs, 0, 0};
  for (std::uint64_t i = 0; i < asking.count; ++i) {
    if (is_bad(asking[i]) && report.bad++ == 0) report.first_bad = i;
  }
  return report;
}

}  // namespace

FlatCaster::FlatCaster(FlatScene scene, Backend backend, const CasterOptions& options) {
  const FpEnvironment environment;
  impl_ = std::make_unique<Impl>(Impl{detail::FlatSet(std::move(scene)), {}});
  impl_->chosen = detail::choose_backend<detail::FlatBackend>(
      backend, options, [&](Backend kind, const CasterOptions& with) {
        return make_backend(kind, impl_->set.view(), with);
      });
}

FlatCaster::FlatCaster(FlatCaster&&) noexcept = default;
FlatCaster& FlatCaster::operator=(FlatCaster&&) noexcept = default;
FlatCaster::~FlatCaster() = default;

const FlatScene& FlatCaster::scene() const { return impl_->set.scene(); }
Backend FlatCaster::backend() const { return impl_->chosen.kind; }
std::string FlatCaster::description() const {
  return detail::described(*impl_->backend(), impl_->chosen.why_not_cuda);
}
std::uint64_t FlatCaster::memory_bytes() const {
  return impl_->set.memory_bytes() + impl_->backend()->memory_bytes();
}

FlatReport FlatCaster::overlap_any(const CirclesView& circles,
                                   std::span<std::uint64_t> bits) const {
  const FpEnvironment environment;
  detail::check_size("bits", bits.size(), 1, bit_words(circles.count));
  const OverlapReport r = impl_->backend()->overlap_any(circles, bits.data());
  return report_on(circles, r.overlapping, 0);
}

FlatReport FlatCaster::overlap_count(const CirclesView& circles,
                                     std::span<std::uint32_t> counts) const {
  const FpEnvironment environment;
  detail::check_size("counts", counts.size(), 1, circles.count);
  const OverlapReport r = impl_->backend()->overlap_count(circles, counts.data());
  return report_on(circles, r.overlapping, r.pairs);
}

FlatReport FlatCaster::overlap_all(const CirclesView& circles, OverlapRows& rows) const {
  const FpEnvironment environment;
  try {
    rows = impl_->backend()->overlap_all(circles);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "there is no memory for all overlaps of " + std::to_string(circles.count) +
                    " circles: ask for fewer at a time, or how many there are");
  }
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < circles.count; ++i) {
    found += rows.offsets[i + 1] != rows.offsets[i];
  }
  return report_on(circles, found, rows.ids.size());
}

FlatReport FlatCaster::cast(const SegmentsView& segments, const HitsView& hits,
                            Inside inside) const {
  const FpEnvironment environment;
  if (hits.normal != nullptr) throw Error(ErrorKind::usage, "hits of segments have no normals");
  return report_on(segments, impl_->backend()->cast(segments, hits, inside), 0);
}

}  // namespace sightline
