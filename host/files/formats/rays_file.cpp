#include "host/files/formats/rays_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::string_view rays_tensors[] = {"origin", "direction", "t_min",         "t_max",
                                             "mask",   "exclude",   "exclude_group", "radius"};

Shape shape_of(std::uint64_t count, std::uint64_t width) {
  return width == 1 ? Shape{count} : Shape{count, width};
}

}  // namespace

std::uint64_t RayColumns::bytes_per_ray() const {
  return 2 * sizeof(Vec3) + (t_min ? sizeof(float) : 0) + (t_max ? sizeof(float) : 0) +
         (mask ? sizeof(std::uint32_t) : 0) + (exclude ? 2 * sizeof(std::uint32_t) : 0) +
         (exclude_group ? 2 * sizeof(std::uint32_t) : 0) + (radius ? sizeof(float) : 0);
}

struct RaysSource::Impl {
  std::string name;
  std::uint64_t count = 0;
  RayColumns columns;
  RayDefaults defaults;
  std::optional<ContainerReader> container;
  std::optional<NpyReader> origins, directions, radii;

  /// Rows [first, first + n) of one column of the container.
  template <class T>
  void read(const char* tensor, std::uint64_t width, std::uint64_t first, std::uint64_t n,
            std::vector<T>& to) const {
    to.resize(n * width);
    container->read(*container->find(tensor), first * width, n * width, to.data());
  }
};

RaysSource::RaysSource(RaysSource&&) noexcept = default;
RaysSource& RaysSource::operator=(RaysSource&&) noexcept = default;
RaysSource::~RaysSource() = default;

RaysSource::RaysSource(const std::string& name, const RayDefaults& defaults)
    : impl_(std::make_unique<Impl>()) {
  impl_->name = name;
  impl_->defaults = defaults;
  if (format_of(name) == FileFormat::npy) {
    throw Error(ErrorKind::bad_input,
                name +
                    ": looks like an .npy array; rays are a container, or two arrays: --origins "
                    "and --directions");
  }
  const ContainerReader& file = impl_->container.emplace(name, Doubles::rounded);
  file.expect_kind("rays", false);
  file.refuse_unknown(rays_tensors);
  const std::uint64_t n = file.expect("origin", Dtype::f32, {any_size, 3}).shape[0];
  file.expect("direction", Dtype::f32, {n, 3});
  impl_->count = n;
  const auto has = [&](const char* tensor, Dtype dtype, std::uint64_t width) {
    return file.find(tensor, dtype, shape_of(n, width)) != nullptr;
  };
  impl_->columns = {has("t_min", Dtype::f32, 1),         has("t_max", Dtype::f32, 1),
                    has("mask", Dtype::u32, 1),          has("exclude", Dtype::u32, 2),
                    has("exclude_group", Dtype::u32, 2), has("radius", Dtype::f32, 1)};
}

RaysSource::RaysSource(const std::string& origins, const std::string& directions,
                       const RayDefaults& defaults)
    : impl_(std::make_unique<Impl>()) {
  impl_->name = origins + " and " + directions;
  impl_->defaults = defaults;
  impl_->origins.emplace(origins).expect(Dtype::f32, {any_size, 3});
  impl_->directions.emplace(directions).expect(Dtype::f32, {any_size, 3});
  impl_->count = impl_->origins->shape()[0];
  const std::uint64_t other = impl_->directions->shape()[0];
  if (other != impl_->count) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: has {} directions for the {} origins of {}",
                                                  directions, other, impl_->count, origins));
  }
}

void RaysSource::add_radii(const std::string& file) {
  Impl& in = *impl_;
  if (in.columns.radius) throw Error(ErrorKind::internal, in.name + ": has radii already");
  in.radii.emplace(file).expect(Dtype::f32, {any_size});
  const std::uint64_t n = in.radii->shape()[0];
  if (n != in.count) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: has {} radii for the {} rays of {}", file, n, in.count, in.name));
  }
  in.columns.radius = true;
}

std::string RaysSource::name() const { return impl_->name; }
std::uint64_t RaysSource::count() const { return impl_->count; }
const RayColumns& RaysSource::columns() const { return impl_->columns; }

std::string RaysSource::metadata(const std::string& key) const {
  return impl_->container ? impl_->container->metadata(key) : "";
}

RaysView RaysSource::read(std::uint64_t first, std::uint64_t n, RayBuffer& buffer) const {
  const Impl& in = *impl_;
  RaysView view;
  view.count = n;
  if (in.container) {
    in.read("origin", 3, first, n, buffer.origin);
    in.read("direction", 3, first, n, buffer.direction);
  } else {
    buffer.origin.resize(3 * n);
    buffer.direction.resize(3 * n);
    in.origins->read(3 * first, 3 * n, buffer.origin.data());
    in.directions->read(3 * first, 3 * n, buffer.direction.data());
  }
  if (n > 0) {
    view.origin = Vec3Column::rows(buffer.origin);
    view.direction = Vec3Column::rows(buffer.direction);
  }
  const auto column = [&](bool given, const char* tensor, auto& memory, auto& target,
                          auto otherwise) {
    target = otherwise;
    if (!given || n == 0) return;
    in.read(tensor, 1, first, n, memory);
    target = memory;
  };
  column(in.columns.t_min, "t_min", buffer.t_min, view.t_min, in.defaults.t_min);
  column(in.columns.t_max, "t_max", buffer.t_max, view.t_max, in.defaults.t_max);
  column(in.columns.mask, "mask", buffer.mask, view.mask, in.defaults.mask);
  if (in.radii) {
    buffer.radius.resize(n);
    in.radii->read(first, n, buffer.radius.data());
  } else if (in.columns.radius) {
    in.read("radius", 1, first, n, buffer.radius);
  }
  const auto pair = [&](bool given, const char* tensor, auto& memory, auto& target,
                        const auto& otherwise) {
    if (given && n > 0) in.read(tensor, 2, first, n, memory);
    for (std::size_t k = 0; k < 2; ++k) {
      target[k] = otherwise[k];
      if (given && n > 0) target[k] = {memory.data() + k, n, 2 * sizeof(std::uint32_t)};
    }
  };
  pair(in.columns.exclude, "exclude", buffer.exclude, view.exclude, in.defaults.exclude);
  pair(in.columns.exclude_group, "exclude_group", buffer.exclude_group, view.exclude_group,
       in.defaults.exclude_group);
  return view;
}

Column<float> RaysSource::radius(const RayBuffer& buffer) const {
  if (impl_->columns.radius && !buffer.radius.empty()) return buffer.radius;
  return impl_->defaults.radius;
}

std::string RaysSource::hash() const {
  const Impl& in = *impl_;
  std::vector<TensorSource> tensors;
  if (in.container) tensors = sources_of(*in.container);
  const auto add = [&](const char* name, const std::optional<NpyReader>& file) {
    if (!file) return;
    tensors.push_back({name, Dtype::f32, file->shape(),
                       [&file](std::uint64_t first, std::uint64_t count, void* to) {
                         file->read(first, count, to);
                       }});
  };
  add("origin", in.origins);
  add("direction", in.directions);
  add("radius", in.radii);
  return content_hash(std::move(tensors));
}

struct RaysWriter::Impl {
  RayColumns columns;
  std::uint64_t count;
  ContainerWriter file;
};

RaysWriter::RaysWriter(RaysWriter&&) noexcept = default;
RaysWriter& RaysWriter::operator=(RaysWriter&&) noexcept = default;
RaysWriter::~RaysWriter() = default;

RaysWriter::RaysWriter(const std::string& name, std::uint64_t count, const RayColumns& columns,
                       const Metadata& metadata) {
  std::vector<TensorSpec> specs = {{"origin", Dtype::f32, {count, 3}},
                                   {"direction", Dtype::f32, {count, 3}}};
  if (columns.t_min) specs.push_back({"t_min", Dtype::f32, {count}});
  if (columns.t_max) specs.push_back({"t_max", Dtype::f32, {count}});
  if (columns.mask) specs.push_back({"mask", Dtype::u32, {count}});
  if (columns.exclude) specs.push_back({"exclude", Dtype::u32, {count, 2}});
  if (columns.exclude_group) specs.push_back({"exclude_group", Dtype::u32, {count, 2}});
  if (columns.radius) specs.push_back({"radius", Dtype::f32, {count}});
  Metadata all = metadata;
  all[kind_key] = "rays";
  all[format_key] = format_version;
  impl_ = std::make_unique<Impl>(Impl{columns, count, ContainerWriter(name, specs, all)});
}

void RaysWriter::write(std::uint64_t first, const RaysView& rays, const Column<float>& radius) {
  if (first > impl_->count || rays.count > impl_->count - first) {
    throw Error(ErrorKind::internal, fmt::format("{}: rays {} + {} of {}", impl_->file.name(),
                                                 first, rays.count, impl_->count));
  }
  constexpr std::uint64_t step = 65536;
  std::vector<std::uint64_t> memory(step * sizeof(Vec3) / sizeof(std::uint64_t));
  // Gathers one column, whatever its stride, and writes it.
  const auto put = [&](const char* tensor, auto get) {
    using Value = decltype(get(std::uint64_t{0}));
    constexpr std::uint64_t width = sizeof(Value) / 4;
    auto* values = reinterpret_cast<Value*>(memory.data());
    for (std::uint64_t begin = 0; begin < rays.count; begin += step) {
      const std::uint64_t n = std::min(step, rays.count - begin);
      for (std::uint64_t i = 0; i < n; ++i) values[i] = get(begin + i);
      impl_->file.write(tensor, (first + begin) * width, n * width, values);
    }
  };
  using Pair = std::array<std::uint32_t, 2>;
  const RayColumns& columns = impl_->columns;
  put("origin", [&](std::uint64_t i) { return rays.origin[i]; });
  put("direction", [&](std::uint64_t i) { return rays.direction[i]; });
  if (columns.t_min) put("t_min", [&](std::uint64_t i) { return rays.t_min[i]; });
  if (columns.t_max) put("t_max", [&](std::uint64_t i) { return rays.t_max[i]; });
  if (columns.mask) put("mask", [&](std::uint64_t i) { return rays.mask[i]; });
  if (columns.exclude) {
    put("exclude", [&](std::uint64_t i) { return Pair{rays.exclude[0][i], rays.exclude[1][i]}; });
  }
  if (columns.exclude_group) {
    put("exclude_group", [&](std::uint64_t i) {
      return Pair{rays.exclude_group[0][i], rays.exclude_group[1][i]};
    });
  }
  if (columns.radius) put("radius", [&](std::uint64_t i) { return radius[i]; });
}

std::uint64_t RaysWriter::file_bytes() const { return impl_->file.file_bytes(); }
void RaysWriter::commit() { impl_->file.commit(); }

}  // namespace sightline::io
