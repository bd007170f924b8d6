#include "host/files/formats/rays_file.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/words.hpp"
#include "host/files/formats/ray_table.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// Calls use(tensor, numbers each, whether it is there, memory) for each column that a file may
/// lack; numbers have 4 bytes.
template <class Use>
void for_each_optional(const Use& use) {
  use("t_min", 1, &RayColumns::t_min, &RayBuffer::t_min);
  use("t_max", 1, &RayColumns::t_max, &RayBuffer::t_max);
  use("mask", 1, &RayColumns::mask, &RayBuffer::mask);
  use("exclude", 2, &RayColumns::exclude, &RayBuffer::exclude);
  use("exclude_group", 2, &RayColumns::exclude_group, &RayBuffer::exclude_group);
  use("radius", 1, &RayColumns::radius, &RayBuffer::radius);
}

template <class T>
constexpr Dtype dtype_in(std::vector<T> RayBuffer::*) {
  return dtype_of<T>();
}

std::vector<TensorSpec> specs_of(std::uint64_t n, const RayColumns& columns) {
  std::vector<TensorSpec> specs = {{"origin", Dtype::f32, {n, 3}},
                                   {"direction", Dtype::f32, {n, 3}}};
  for_each_optional([&](const char* name, std::uint64_t width, auto given, auto memory) {
    if (columns.*given) specs.push_back({name, dtype_in(memory), rows_of(n, width)});
  });
  return specs;
}

Metadata metadata_of_rays(Metadata metadata) {
  metadata[kind_key] = "rays";
  metadata[format_key] = format_version;
  return metadata;
}

/// How many vectors the array has.
std::uint64_t vectors_in(const NpyReader& file) {
  if (matches(file.shape(), {3})) return 1;
  file.expect(Dtype::f32, {any_size, 3});
  return file.shape()[0];
}

/// Numbers [first, first + count) of n vectors; of one vector in the file, the same for all.
void read_vectors(const NpyReader& file, std::uint64_t first, std::uint64_t count, float* to) {
  if (vectors_in(file) != 1) return file.read(first, count, to);
  float one[3];
  file.read(0, 3, one);
  for (std::uint64_t i = 0; i < count; ++i) to[i] = one[(first + i) % 3];
}
}  // namespace

std::uint64_t RayColumns::bytes_per_ray() const {
  std::uint64_t bytes = 2 * sizeof(Vec3);
  for_each_optional([&](const char*, std::uint64_t width, auto given, auto) {
    bytes += this->*given ? 4 * width : 0;
  });
  return bytes;
}

RaysSource::RaysSource(const std::string& name, const RayDefaults& defaults)
    : name_(name), defaults_(defaults) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::csv || format == FileFormat::json) {
    table_ = std::make_shared<RayTable>(read_ray_table(name, format, &table_notes_));
    count_ = table_->count;
    columns_ = table_->has;
    const RayBuffer& all = table_->columns;
    tensors_ = {stored("origin", Dtype::f32, {count_, 3}, all.origin.data()),
                stored("direction", Dtype::f32, {count_, 3}, all.direction.data())};
    for_each_optional([&](const char* tensor, std::uint64_t width, auto given, auto memory) {
      if (!(columns_.*given)) return;
      tensors_.push_back(
          stored(tensor, dtype_in(memory), rows_of(count_, width), (all.*memory).data()));
    });
    return;
  }
  if (format == FileFormat::npy) {
    refuse(name,
           "looks like an .npy array; rays are a container, CSV or JSON, or two arrays: --origins "
           "and --directions");
  }
  container_ = std::make_shared<ContainerReader>(name, Numbers::as_floats);
  const ContainerReader& file = *container_;
  file.expect_kind("rays", false);
  std::vector<std::string_view> known = {"origin", "direction"};
  for_each_optional(
      [&](const char* tensor, std::uint64_t, auto, auto) { known.push_back(tensor); });
  file.refuse_unknown(known);
  count_ = file.expect("origin", Dtype::f32, {any_size, 3}).shape[0];
  file.expect("direction", Dtype::f32, {count_, 3});
  for_each_optional([&](const char* tensor, std::uint64_t width, auto given, auto memory) {
    columns_.*given = file.find(tensor, dtype_in(memory), rows_of(count_, width)) != nullptr;
  });
  tensors_ = sources_of(file);
}

RaysSource::RaysSource(const std::string& origins, const std::string& directions,
                       const RayDefaults& defaults)
    : name_(origins + " and " + directions), defaults_(defaults) {
  arrays_ = {std::make_shared<NpyReader>(origins)};
  const std::uint64_t n = vectors_in(*arrays_[0]);
  arrays_.push_back(std::make_shared<NpyReader>(directions));
  const std::uint64_t other = vectors_in(*arrays_[1]);
  if (n != other && n != 1 && other != 1) {
    refuse(directions, "has {} for the {} of {}", plural(other, "directions"), plural(n, "origins"),
           origins);
  }
  count_ = n == 1 ? other : n;
  for (const std::size_t k : {0u, 1u}) {
    tensors_.push_back({k == 0 ? "origin" : "direction",
                        Dtype::f32,
                        {count_, 3},
                        [file = arrays_[k]](std::uint64_t first, std::uint64_t numbers, void* to) {
                          read_vectors(*file, first, numbers, static_cast<float*>(to));
                        }});
  }
}

void RaysSource::add_radii(const std::string& file) {
  if (columns_.radius) throw Error(ErrorKind::internal, name_ + ": has radii already");
  const auto radii = std::make_shared<NpyReader>(file);
  radii->expect(Dtype::f32, {any_size});
  const std::uint64_t n = radii->shape()[0];
  if (n != count_) refuse(file, "has {} radii for the {} of {}", n, plural(count_, "rays"), name_);
  columns_.radius = true;
  arrays_.push_back(radii);
  tensors_.push_back(
      {"radius", Dtype::f32, {n}, [radii](std::uint64_t first, std::uint64_t numbers, void* to) {
         radii->read(first, numbers, to);
       }});
}

RaysView RaysSource::read(std::uint64_t first, std::uint64_t n, RayBuffer& buffer) const {
  const auto read_rows = [&](std::string_view tensor, std::uint64_t width, auto& to) {
    const auto at = std::ranges::find(tensors_, tensor, &TensorSource::name);
    if (at == tensors_.end()) return;
    to.resize(n * width);
    if (n > 0) at->read(first * width, n * width, to.data());
  };
  read_rows("origin", 3, buffer.origin);
  read_rows("direction", 3, buffer.direction);
  for_each_optional([&](const char* tensor, std::uint64_t width, auto, auto memory) {
    read_rows(tensor, width, buffer.*memory);
  });
  RaysView view;
  if (n > 0) {
    view.origin = Vec3Column::rows(buffer.origin);
    view.direction = Vec3Column::rows(buffer.direction);
  }
  const auto column = [n](bool given, const auto& memory, auto& target, auto otherwise) {
    target = otherwise;
    if (given && n > 0) target = memory;
  };
  column(columns_.t_min, buffer.t_min, view.t_min, defaults_.t_min);
  column(columns_.t_max, buffer.t_max, view.t_max, defaults_.t_max);
  column(columns_.radius, buffer.radius, view.radius, defaults_.radius);
  column(columns_.mask, buffer.mask, view.mask, defaults_.mask);
  const auto pair = [n](bool given, const auto& memory, auto& target, const auto& otherwise) {
    for (int k = 0; k < 2; ++k) {
      target[k] = otherwise[k];
      if (given && n > 0) target[k] = {memory.data() + k, n, 2 * sizeof(std::uint32_t)};
    }
  };
  pair(columns_.exclude, buffer.exclude, view.exclude, defaults_.exclude);
  pair(columns_.exclude_group, buffer.exclude_group, view.exclude_group, defaults_.exclude_group);
  return view;
}

std::string RaysSource::hash() const { return content_hash(tensors_); }

Notes RaysSource::notes() const {
  Notes notes = table_notes_;
  RoundingCheck rounding;
  const auto look = [&](const auto& read) {
    for_each_row(count_, 3, read, [&](std::uint64_t i, RoundingCheck::Numbers origin) {
      rounding.begin("ray", i);
      rounding.next(origin);
    });
  };
  if (container_ && container_->find("origin")->rounded) {
    look([&](std::uint64_t first, std::uint64_t n, double* to) {
      container_->read_doubles(*container_->find("origin"), first, n, to);
    });
  }
  for (const auto& file : arrays_) {
    if (const std::string note = file->note_on_integers(); !note.empty()) notes.push_back(note);
  }
  if (!container_ && !table_ && arrays_[0]->rounded() && vectors_in(*arrays_[0]) > 1) {
    look([&](std::uint64_t first, std::uint64_t n, double* to) {
      arrays_[0]->read_doubles(first, n, to);
    });
  }
  rounding.add_note(name_, &notes);
  return notes;
}

std::uint64_t RaysWriter::bytes(std::uint64_t count, const RayColumns& columns,
                                const Metadata& metadata) {
  return container_bytes(specs_of(count, columns), metadata_of_rays(metadata));
}

RaysWriter::RaysWriter(const std::string& name, std::uint64_t count, const RayColumns& columns,
                       const Metadata& metadata)
    : columns_(columns),
      count_(count),
      file_(name, specs_of(count, columns), metadata_of_rays(metadata)) {}

void RaysWriter::write(std::uint64_t first, const RaysView& rays) {
  const std::uint64_t count = rays.size();
  if (first > count_ || count > count_ - first) {
    fail(ErrorKind::internal, "{}: rays {} + {} of {}", file_.name(), first, count, count_);
  }
  constexpr std::uint64_t step = 65536;
  std::vector<std::uint64_t> memory(step * sizeof(Vec3) / sizeof(std::uint64_t));
  // Gathers one column, whatever its stride, and writes it.
  const auto put = [&](bool given, const char* tensor, auto get) {
    using Value = decltype(get(std::uint64_t{0}));
    constexpr std::uint64_t width = sizeof(Value) / 4;
    auto* values = reinterpret_cast<Value*>(memory.data());
    for (std::uint64_t begin = 0; given && begin < count; begin += step) {
      const std::uint64_t n = std::min(step, count - begin);
      for (std::uint64_t i = 0; i < n; ++i) values[i] = get(begin + i);
      file_.write(tensor, (first + begin) * width, n * width, values);
    }
  };
  const auto both = [](const auto& pair) {
    return [&pair](std::uint64_t i) {
      return std::array<std::uint32_t, 2>{pair[0][i], pair[1][i]};
    };
  };
  put(true, "origin", [&](std::uint64_t i) { return rays.origin[i]; });
  put(true, "direction", [&](std::uint64_t i) { return rays.direction[i]; });
  put(columns_.t_min, "t_min", [&](std::uint64_t i) { return rays.t_min[i]; });
  put(columns_.t_max, "t_max", [&](std::uint64_t i) { return rays.t_max[i]; });
  put(columns_.mask, "mask", [&](std::uint64_t i) { return rays.mask[i]; });
  put(columns_.exclude, "exclude", both(rays.exclude));
  put(columns_.exclude_group, "exclude_group", both(rays.exclude_group));
  put(columns_.radius, "radius", [&](std::uint64_t i) { return rays.radius[i]; });
}

}  // namespace sightline::io
