// Embree as a rival: every way to call it that its documentation offers for many rays.
#include "bench/rivals/embree_cast.hpp"
#include "bench/rivals/ray_order.hpp"
#include "bench/rivals/ray_rivals.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <xmmintrin.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

constexpr std::uint64_t block_rays = 4096;  // of one task; a multiple of 64

constexpr EmbreeVariant all_variants[] = {
    {"user geometry", false, false, RTC_BUILD_QUALITY_MEDIUM},
    {"user geometry, Morton order", false, true, RTC_BUILD_QUALITY_MEDIUM},
    {"spheres and curves", true, false, RTC_BUILD_QUALITY_MEDIUM},
    {"spheres and curves, high quality", true, false, RTC_BUILD_QUALITY_HIGH},
};

struct Way {
  std::string name;
  EmbreeCalls calls;
  bool sorted;
};

/// Each kind of call with the coherent flag and without, as the rays come and sorted; by Embree 4
/// also with one callback for all kinds of shapes that the call names.
std::vector<Way> make_ways() {
  struct Named {
    std::string name;
    EmbreeCalls calls;
  };
  std::vector<Named> plain = {{"single", {Calls::single, false}},
                              {"packets of 8", {Calls::packet8, false}},
                              {"packets of 8, coherent", {Calls::packet8, true}},
                              {"packets of 16", {Calls::packet16, false}},
                              {"packets of 16, coherent", {Calls::packet16, true}}};
  if (has_streams) {
    for (const unsigned rays : {256u, 1024u}) {
      const std::string name = "streams of " + std::to_string(rays);
      plain.push_back({name, {Calls::stream, false, rays}});
      plain.push_back({name + ", coherent", {Calls::stream, true, rays}});
    }
  } else {
    for (std::size_t k = 0, n = plain.size(); k < n; ++k) {
      plain.push_back({plain[k].name + ", callback of the call", plain[k].calls});
      plain.back().calls.own_callback = true;
    }
  }
  std::vector<Way> ways;
  for (const Named& way : plain) {
    ways.push_back({way.name, way.calls, false});
    ways.push_back({way.name + ", sorted", way.calls, true});
  }
  return ways;
}

const std::vector<Way>& all_ways() {
  static const std::vector<Way> ways = make_ways();
  return ways;
}

/// Flushes denormals, as Embree's manual asks for, while it lives.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040u); }
  ~FlushDenormals() { _mm_setcsr(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

/// Bit i of the word: bytes[i] of 64, each 0 or 1.
std::uint64_t pack(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int k = 0; k < 8; ++k) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * k, sizeof eight);
    word |= (eight * 0x0102040810204080u >> 56) << (8 * k);
  }
  return word;
}

class EmbreeScene final : public cli::RivalScene {
 public:
  EmbreeScene(const ShapesView& shapes, const EmbreeVariant& variant, int threads)
      : arena_(threads), geometry_(shapes, variant, threads) {
    // Without this, more threads than cores would quietly be fewer.
    if (threads > tbb::info::default_concurrency()) {
      more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                            static_cast<std::size_t>(threads));
    }
  }

  std::uint64_t memory_bytes() const override { return geometry_.memory_bytes(); }

  std::vector<std::string> ways() const override {
    std::vector<std::string> names;
    for (const Way& way : all_ways()) names.emplace_back(way.name);
    return names;
  }

  void closest_hit(std::size_t way, const RaysView& rays, float* t, std::uint32_t* id) override {
    arena_.execute([&] {
      const EmbreeBatch batch = batch_of(way, rays);
      for_each_block(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
        SIGHTLINE_EMBREE_API::closest_hit(batch, begin, end, t, id);
      });
    });
  }

  void any_hit(std::size_t way, const RaysView& rays, std::uint64_t* blocked) override {
    bytes_.resize((rays.count + 63) / 64 * 64);
    std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(rays.count), bytes_.end(), 0);
    const auto pack_block = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; i += 64) blocked[i / 64] = pack(&bytes_[i]);
    };
    arena_.execute([&] {
      const EmbreeBatch batch = batch_of(way, rays);
      for_each_block(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
        SIGHTLINE_EMBREE_API::any_hit(batch, begin, end, bytes_.data());
        if (batch.order == nullptr) pack_block(begin, end);
      });
      if (batch.order != nullptr) for_each_block(rays.count, pack_block);
    });
  }

 private:
  EmbreeBatch batch_of(std::size_t way, const RaysView& rays) {
    const Way& w = all_ways()[way];
    return {&geometry_, &rays, w.calls, w.sorted ? order_.sort(rays) : nullptr};
  }

  template <class Work>
  void for_each_block(std::uint64_t n, Work&& work) {
    tbb::parallel_for(std::uint64_t{0}, (n + block_rays - 1) / block_rays, [&](std::uint64_t b) {
      const FlushDenormals flush;
      work(b * block_rays, std::min((b + 1) * block_rays, n));
    });
  }

  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  EmbreeGeometry geometry_;
  RayOrder order_;
  std::vector<std::uint8_t> bytes_;
};

class Embree final : public cli::Rival {
 public:
  std::string name() const override { return SIGHTLINE_EMBREE_VERSION == 3 ? "embree" : "embree4"; }
  std::string problem() const override { return problem_of_library(); }

  std::string description() const override {
    const std::unique_ptr<RTCDeviceTy, DeviceRelease> device(rtcNewDevice(nullptr));
    const auto property = [&](RTCDeviceProperty what) {
      return device == nullptr ? 0 : rtcGetDeviceProperty(device.get(), what);
    };
    const char* lanes = property(RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0  ? "16"
                        : property(RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED) != 0 ? "8"
                                                                                   : "4";
    const ssize_t version = property(RTC_DEVICE_PROPERTY_VERSION);  // 31305: 3.13.5
    return "Embree " + std::to_string(version / 10'000) + "." +
           std::to_string(version / 100 % 100) + "." + std::to_string(version % 100) +
           ", packets of up to " + lanes;
  }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (const EmbreeVariant& variant : all_variants) names.emplace_back(variant.name);
    return names;
  }

  std::unique_ptr<cli::RivalScene> build(std::size_t variant, const ShapesView& shapes,
                                         int threads) const override {
    const EmbreeVariant& v = all_variants[variant];
    const std::uint32_t round =
        shapes.begin[static_cast<int>(Kind::plane)] - shapes.begin[static_cast<int>(Kind::sphere)];
    if (v.native && round == 0) return nullptr;
    return std::make_unique<EmbreeScene>(shapes, v, threads);
  }
};

}  // namespace

std::unique_ptr<cli::Rival> make_rival() { return std::make_unique<Embree>(); }

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
