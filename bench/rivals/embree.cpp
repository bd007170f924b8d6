// Embree as a rival: every way to call it that its documentation offers for many rays.
#include "bench/rivals/block_scene.hpp"
#include "bench/rivals/embree_cast.hpp"
#include "bench/rivals/ray_rivals.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

constexpr EmbreeVariant all_variants[] = {
    {"user geometry", false, false, false, RTC_BUILD_QUALITY_MEDIUM},
    {"user geometry, Morton order", false, false, true, RTC_BUILD_QUALITY_MEDIUM},
    {"spheres and curves", true, false, false, RTC_BUILD_QUALITY_MEDIUM},
    {"spheres and curves, high quality", true, false, false, RTC_BUILD_QUALITY_HIGH},
    {"boxes as quads", false, true, false, RTC_BUILD_QUALITY_MEDIUM},
    {"boxes as quads, high quality", false, true, false, RTC_BUILD_QUALITY_HIGH},
    {"boxes as quads, spheres and curves", true, true, false, RTC_BUILD_QUALITY_MEDIUM},
    {"boxes as quads, spheres and curves, high quality", true, true, false, RTC_BUILD_QUALITY_HIGH},
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

class EmbreeScene final : public BlockScene {
 public:
  EmbreeScene(const ShapesView& shapes, const EmbreeVariant& variant, int threads)
      : BlockScene(threads), geometry_(shapes, variant, threads) {}

  std::uint64_t memory_bytes() const override { return geometry_.memory_bytes(); }

  std::vector<std::string> ways() const override {
    std::vector<std::string> names;
    for (const Way& way : all_ways()) names.emplace_back(way.name);
    return names;
  }

 protected:
  bool is_sorted(std::size_t way) const override { return all_ways()[way].sorted; }
  void closest_block(std::size_t way, const RayBatch& batch, std::uint64_t begin, std::uint64_t end,
                     float* t, std::uint32_t* id) const override {
    SIGHTLINE_EMBREE_API::closest_hit({&geometry_, batch, all_ways()[way].calls}, begin, end, t,
                                      id);
  }
  void any_block(std::size_t way, const RayBatch& batch, std::uint64_t begin, std::uint64_t end,
                 std::uint8_t* blocked) const override {
    SIGHTLINE_EMBREE_API::any_hit({&geometry_, batch, all_ways()[way].calls}, begin, end, blocked);
  }

 private:
  EmbreeGeometry geometry_;
};

class Embree final : public bench::Rival {
 public:
  std::string name() const override { return SIGHTLINE_EMBREE_VERSION == 3 ? "embree" : "embree4"; }
  std::string problem() const override { return problem_of_library(); }

  std::string description() const override {
    const std::unique_ptr<RTCDeviceTy, DeviceRelease> device(
        rtcNewDevice(device_options().c_str()));
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

  std::unique_ptr<bench::RivalScene> build(std::size_t variant, const ShapesView& shapes,
                                           int threads) const override {
    const EmbreeVariant& v = all_variants[variant];
    const std::uint32_t round = shapes.begin[static_cast<int>(Kind::cylinder)] -
                                shapes.begin[static_cast<int>(Kind::sphere)];
    const std::uint32_t boxes = shapes.count(Kind::aabb) + shapes.count(Kind::obb);
    if ((v.native && round == 0) || (v.quads && boxes == 0)) return nullptr;
    return std::make_unique<EmbreeScene>(shapes, v, threads);
  }
};

}  // namespace

std::unique_ptr<bench::Rival> make_rival() { return std::make_unique<Embree>(); }

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
