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

/// Rows [first, first + n) of one column.
template <class T>
void read_rows(const ContainerReader& container, const char* tensor, std::uint64_t width,
               std::uint64_t first, std::uint64_t n, std::vector<T>& to) {
  to.resize(n * width);
  container.read(*container.find(tensor), first * width, n * width, to.data());
}
void read_rows(const NpyReader& file, std::uint64_t width, std::uint64_t first, std::uint64_t n,
               std::vector<float>& to) {
  to.resize(n * width);
  file.read(first * width, n * width, to.data());
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
void read_vectors(const NpyReader& file, std::uint64_t first, std::uint64_t n,
                  std::vector<float>& to) {
  to.resize(3 * n);
  read_vectors(file, 3 * first, 3 * n, to.data());
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
    table_ = read_ray_table(name, format, &table_notes_);
    count_ = table_->count;
    columns_ = table_->has;
    return;
  }
  if (format == FileFormat::npy) {
    refuse(name,
           "looks like an .npy array; rays are a container, CSV or JSON, or two arrays: --origins "
           "and --directions");
  }
  const ContainerReader& file = container_.emplace(name, Numbers::as_floats);
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
}

RaysSource::RaysSource(const std::string& origins, const std::string& directions,
                       const RayDefaults& defaults)
    : name_(origins + " and " + directions), defaults_(defaults) {
  const std::uint64_t n = vectors_in(origins_.emplace(origins));
  const std::uint64_t other = vectors_in(directions_.emplace(directions));
  if (n != other && n != 1 && other != 1) {
    refuse(directions, "has {} for the {} of {}", plural(other, "directions"), plural(n, "origins"),
           origins);
  }
  count_ = n == 1 ? other : n;
}

void RaysSource::add_radii(const std::string& file) {
  if (columns_.radius) throw Error(ErrorKind::internal, name_ + ": has radii already");
  radii_.emplace(file).expect(Dtype::f32, {any_size});
  const std::uint64_t n = radii_->shape()[0];
  if (n != count_) refuse(file, "has {} radii for the {} of {}", n, plural(count_, "rays"), name_);
  columns_.radius = true;
}

void RaysSource::read_table(std::uint64_t first, std::uint64_t n, RayBuffer& buffer) const {
  const auto copy = [&](const auto& from, std::uint64_t width, auto& to) {
    const auto rows = std::span(from).subspan(first * width, n * width);
    to.assign(rows.begin(), rows.end());
  };
  copy(table_->columns.origin, 3, buffer.origin);
  copy(table_->columns.direction, 3, buffer.direction);
  for_each_optional([&](const char*, std::uint64_t width, auto given, auto memory) {
    if (table_->has.*given) copy(table_->columns.*memory, width, buffer.*memory);
  });
}

RaysView RaysSource::read(std::uint64_t first, std::uint64_t n, RayBuffer& buffer) const {
  if (table_) {
    read_table(first, n, buffer);
  } else if (container_) {
    read_rows(*container_, "origin", 3, first, n, buffer.origin);
    read_rows(*container_, "direction", 3, first, n, buffer.direction);
  } else {
    read_vectors(*origins_, first, n, buffer.origin);
    read_vectors(*directions_, first, n, buffer.direction);
  }
  if (radii_) read_rows(*radii_, 1, first, n, buffer.radius);
  for_each_optional([&](const char* name, std::uint64_t width, auto given, auto memory) {
    const bool is_elsewhere = radii_ && given == &RayColumns::radius;
    if (columns_.*given && !is_elsewhere && container_) {
      read_rows(*container_, name, width, first, n, buffer.*memory);
    }
  });
  RaysView view;
  view.count = n;
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
  column(columns_.mask, buffer.mask, view.mask, defaults_.mask);
  const auto pair = [n](bool given, const auto& memory, auto& target, const auto& otherwise) {
    for (std::size_t k = 0; k < 2; ++k) {
      target[k] = otherwise[k];
      if (given && n > 0) target[k] = {memory.data() + k, n, 2 * sizeof(std::uint32_t)};
    }
  };
  pair(columns_.exclude, buffer.exclude, view.exclude, defaults_.exclude);
  pair(columns_.exclude_group, buffer.exclude_group, view.exclude_group, defaults_.exclude_group);
  return view;
}

Column<float> RaysSource::radius(const RayBuffer& buffer) const {
  if (columns_.radius && !buffer.radius.empty()) return buffer.radius;
  return defaults_.radius;
}

std::string RaysSource::hash() const {
  std::vector<TensorSource> tensors;
  if (container_) tensors = sources_of(*container_);
  if (table_) {
    const RayBuffer& all = table_->columns;
    tensors.push_back(stored("origin", Dtype::f32, {count_, 3}, all.origin.data()));
    tensors.push_back(stored("direction", Dtype::f32, {count_, 3}, all.direction.data()));
    for_each_optional([&](const char* name, std::uint64_t width, auto given, auto memory) {
      if (!(table_->has.*given)) return;
      tensors.push_back(
          stored(name, dtype_in(memory), rows_of(count_, width), (all.*memory).data()));
    });
  }
  const auto add = [&](const char* name, const std::optional<NpyReader>& file, const Shape& shape) {
    if (!file) return;
    tensors.push_back(
        {name, Dtype::f32, shape,
         [&file, vectors = shape.size() == 2](std::uint64_t first, std::uint64_t count, void* to) {
           if (!vectors) return file->read(first, count, to);
           read_vectors(*file, first, count, static_cast<float*>(to));
         }});
  };
  add("origin", origins_, {count_, 3});
  add("direction", directions_, {count_, 3});
  add("radius", radii_, {count_});
  return content_hash(std::move(tensors));
}

Notes RaysSource::notes() const {
  Notes notes = table_notes_;
  RoundingCheck rounding;
  std::array<double, 3> before = {};
  // Of n origins, as read(first number, numbers, to) reads them.
  const auto look = [&](std::uint64_t n, const auto& read) {
    constexpr std::uint64_t step = 1 << 14;
    std::vector<double> piece;
    for (std::uint64_t first = 0; first < n; first += step) {
      piece.resize(3 * std::min(step, n - first));
      read(3 * first, piece.size(), piece.data());
      for (std::uint64_t i = 0; 3 * i < piece.size(); ++i) {
        const std::array<double, 3> origin = {piece[3 * i], piece[3 * i + 1], piece[3 * i + 2]};
        rounding.begin("ray", first + i);
        if (first + i > 0) rounding.step(before, origin);
        before = origin;
      }
    }
  };
  if (container_ && container_->find("origin")->rounded) {
    look(count_, [&](std::uint64_t first, std::uint64_t n, double* to) {
      container_->read_doubles(*container_->find("origin"), first, n, to);
    });
  }
  for (const auto* file : {&origins_, &directions_, &radii_}) {
    if (!*file) continue;
    if (const std::string note = (*file)->note_on_integers(); !note.empty()) notes.push_back(note);
  }
  if (origins_ && origins_->rounded() && vectors_in(*origins_) > 1) {
    look(count_, [&](std::uint64_t first, std::uint64_t n, double* to) {
      origins_->read_doubles(first, n, to);
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

void RaysWriter::write(std::uint64_t first, const RaysView& rays, const Column<float>& radius) {
  if (first > count_ || rays.count > count_ - first) {
    fail(ErrorKind::internal, "{}: rays {} + {} of {}", file_.name(), first, rays.count, count_);
  }
  constexpr std::uint64_t step = 65536;
  std::vector<std::uint64_t> memory(step * sizeof(Vec3) / sizeof(std::uint64_t));
  // Gathers one column, whatever its stride, and writes it.
  const auto put = [&](bool given, const char* tensor, auto get) {
    using Value = decltype(get(std::uint64_t{0}));
    constexpr std::uint64_t width = sizeof(Value) / 4;
    auto* values = reinterpret_cast<Value*>(memory.data());
    for (std::uint64_t begin = 0; given && begin < rays.count; begin += step) {
      const std::uint64_t n = std::min(step, rays.count - begin);
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
  put(columns_.radius, "radius", [&](std::uint64_t i) { return radius[i]; });
}

}  // namespace sightline::io
