#include <sightline/geometry/shapes/all_shapes.hpp>
#include <sightline/scene.hpp>

#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"
#include "host/door/mesh_faces.hpp"
#include "host/door/reserve.hpp"
#include "host/door/scene_columns.hpp"
#include "host/door/validate.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

namespace sightline {

using detail::Faces;
using detail::in_words;
using detail::triangles_of;

namespace {

void check_kind(Kind kind) {
  detail::check_choice(kind, static_cast<Kind>(kind_count - 1), "kind of shape");
}

std::string missing(Kind kind, std::uint64_t index, std::uint64_t have) {
  return std::string("there is no ") + kind_name(kind) + " " + std::to_string(index) +
         ": the scene has " + std::to_string(have);
}

/// The first few bad indices and the reason of the first; null when all n shapes are legal.
template <class Shape, class At>
SIGHTLINE_NOINLINE void check_all(std::uint64_t first, std::uint64_t n, const At& at) {
  constexpr std::uint64_t listed = 5;
  std::uint64_t bad = 0;
  std::string indices, reason;
  for (std::uint64_t i = 0; i < n; ++i) {
    const char* why = detail::reason_to_refuse(at(i));
    if (why == nullptr) continue;
    if (bad == 0) reason = why;
    if (bad < listed) indices += (bad == 0 ? "" : ", ") + std::to_string(first + i);
    ++bad;
  }
  if (bad == 0) return;
  std::string message = std::string(ShapeTraits<Shape>::name) + " " + indices;
  if (bad > listed) message += " and " + std::to_string(bad - listed) + " more";
  message += bad == 1 ? " is refused: " : " are refused: the first because ";
  throw Error(ErrorKind::bad_input, message + reason);
}

/// "sphere center.x": what the k-th number of a shape is.
template <class Shape>
SIGHTLINE_NOINLINE std::string name_of_number(std::size_t k) {
  std::string name = ShapeTraits<Shape>::name;
  std::size_t first = 0;
  const auto look = [&](const char* field, const auto& value) {
    constexpr std::size_t n = sizeof(value) / sizeof(float);
    if (first <= k && k < first + n) {
      name += std::string(" ") + field;
      if (n > 1) name += {'.', "xyzw"[k - first]};
    }
    first += n;
  };
  ShapeTraits<Given<Shape>>::fields(look, Given<Shape>{});
  return name;
}

/// The n shapes whose numbers stand in the columns.
template <class Shape>
auto shapes_of(std::uint64_t n_shapes, std::span<const Column<float>> numbers) {
  constexpr std::size_t n = sizeof(Given<Shape>) / sizeof(float);
  if (numbers.size() != n) {
    throw Error(ErrorKind::usage, std::string(ShapeTraits<Shape>::name) + " shapes have " +
                                      std::to_string(n) + " numbers each, not " +
                                      std::to_string(numbers.size()));
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Column<float>& column = numbers[k];
    const bool fits = column.data == nullptr ? n_shapes == 0 || column.is_given()
                                             : column.count == n_shapes && !column.is_null();
    if (!fits) detail::check_column(name_of_number<Shape>(k).c_str(), column, n_shapes);
  }
  return [numbers](std::uint64_t i) {
    std::array<float, n> own;
    for (std::size_t k = 0; k < n; ++k) own[k] = numbers[k][i];
    return std::bit_cast<Given<Shape>>(own);
  };
}

SIGHTLINE_NOINLINE ObbFrame frame_of(const Obb& s) { return frame(s); }

/// Writes shape i of the columns, which have room for it.
template <class Shape, class Columns>
void put(Columns& columns, std::uint64_t i, const Given<Shape>& shape) {
  const auto write = [i](const char*, auto& column, const auto& value) { column[i] = value; };
  ShapeTraits<Given<Shape>>::fields(write, columns, shape);
  if constexpr (!std::is_same_v<Given<Shape>, Shape>) {
    ShapeTraits<Shape>::fields(write, columns, frame_of(shape));
  }
}

SIGHTLINE_NOINLINE Aabb union_of_bounds(const ShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    all = unite(bounds_of(shapes, id), all);
  }
  return all;
}

}  // namespace

struct Scene::Columns {
  detail::SceneColumns data;

  // What is derived is made by whoever asks first, one thread at a time.
  mutable std::mutex mutex;
  mutable std::optional<detail::AttributesById> by_id;
  mutable std::optional<std::vector<Aabb>> bounds;

  Columns() = default;
  Columns(const Columns& other) : data(other.data) {}

  std::uint64_t size() const {
    std::uint64_t n = 0;
    for (int k = 0; k < kind_count; ++k) n += detail::count(data, static_cast<Kind>(k));
    return n;
  }

  ShapesView view(bool with_bounds) const {
    const std::lock_guard lock(mutex);
    if (!by_id) by_id = detail::attributes_by_id(data);
    ShapesView v = detail::view_of(data, *by_id);
    if (!with_bounds) return v;
    if (!bounds) bounds = detail::bounds_by_id(v);
    v.bounds = bounds->data();
    return v;
  }
  void forget_derived() {
    by_id.reset();
    bounds.reset();
  }

  /// Adds at(0) .. at(n - 1) or nothing; the index within the kind of the first.
  template <class Shape, class At>
  std::uint32_t add(std::uint64_t n, const At& at, const AttributesView& attributes) {
    constexpr Kind kind = kind_for<Shape>;
    const std::uint32_t first = detail::count(data, kind);
    const detail::FpEnvironment environment;  // what is legal must not depend on the caller's
    if (n > detail::most_shapes - size()) {
      throw Error(ErrorKind::bad_input, "a scene holds at most 2^32 - 2 shapes");
    }
    check_all<Shape>(first, n, at);

    const Attributes standard;
    detail::NeededAttributes needed;
    for (std::uint64_t i = 0; i < n; ++i) {
      needed.mask |= attributes.mask[i] != standard.mask;
      needed.group |= attributes.group[i] != standard.group;
      needed.label |= attributes.label[i] != standard.label;
    }
    try {
      detail::make_room(data, kind, n, needed);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::out_of_memory,
                  "no memory for " + std::to_string(n) + " more " + kind_name(kind) + " shapes (" +
                      std::to_string(n * sizeof(Given<Shape>)) + " bytes)");
    }
    forget_derived();
    auto& columns = columns_of<Shape>(data.shapes);
    for (std::uint64_t i = 0; i < n; ++i) {
      for_each_column<Shape>([&](const char*, auto& column) { column.resize(first + i + 1); },
                             columns);
      put<Shape>(columns, first + i, at(i));
      detail::append(data, kind, {attributes.mask[i], attributes.group[i], attributes.label[i]});
    }
    return first;
  }

  /// Leaves out the shapes of a kind that are marked, one at least.
  template <class Shape>
  void remove(const std::vector<bool>& gone) {
    const auto leave_out = [&](auto& column) {
      if (column.size() != gone.size()) return;  // not kept, or shortened before
      std::size_t kept = 0;
      for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i]) column[kept++] = column[i];
      }
      column.resize(kept);
    };
    forget_derived();
    for_each_column<Shape>([&](const char*, auto& column) { leave_out(column); },
                           columns_of<Shape>(data.shapes));
    auto& [mask, group, label] = data.attributes[static_cast<std::size_t>(kind_for<Shape>)];
    const auto leave_out_attribute = [&](auto& column, auto standard) {
      leave_out(column);
      if (std::count(column.begin(), column.end(), standard) == std::ssize(column)) column.clear();
    };
    const Attributes standard;
    leave_out_attribute(mask, standard.mask), leave_out_attribute(group, standard.group);
    leave_out_attribute(label, standard.label);
    if constexpr (kind_for<Shape> == Kind::triangle) {
      std::size_t at = 0;  // of those that have a number
      std::erase_if(data.mesh, [&](std::uint32_t) { return gone[at++]; });
    }
  }

  /// Adds a mesh, or nothing.
  template <class At>
  std::uint32_t add_mesh(std::uint64_t n, const At& at, const AttributesView& attributes) {
    const std::uint32_t first = detail::count(data, Kind::triangle);
    if (n <= detail::most_shapes) detail::reserve_more(data.mesh, first + n - data.mesh.size());
    add<Triangle>(n, at, attributes);
    data.mesh.resize(first, none);
    data.mesh.resize(first + n, data.meshes++);
    return first;
  }

  /// Replaces the shapes [first, first + n) of a kind by at(0) .. at(n - 1), or none.
  template <class Shape, class At>
  void set(std::uint64_t first, std::uint64_t n, const At& at) {
    const std::uint64_t have = detail::count(data, kind_for<Shape>);
    if (first > have || n > have - first) {
      throw Error(ErrorKind::usage, missing(kind_for<Shape>, std::max(first, have), have));
    }
    const detail::FpEnvironment environment;
    check_all<Shape>(first, n, at);
    forget_derived();
    auto& columns = columns_of<Shape>(data.shapes);
    for (std::uint64_t i = 0; i < n; ++i) put<Shape>(columns, first + i, at(i));
  }
};

Scene::Scene() = default;
Scene::Scene(const Scene& other) {
  if (!other.columns_) return;
  in_words([&] { columns_ = std::make_unique<Columns>(*other.columns_); });
}
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(const Scene& other) {
  if (this != &other) *this = Scene(other);
  return *this;
}
Scene& Scene::operator=(Scene&& other) noexcept = default;
Scene::~Scene() = default;

const Scene::Columns& Scene::columns() const {
  static const Columns none_yet;
  return columns_ ? *columns_ : none_yet;
}
Scene::Columns& Scene::columns() {
  if (!columns_) columns_ = std::make_unique<Columns>();
  return *columns_;
}

std::uint32_t Scene::add(Kind kind, std::uint64_t n, std::span<const Column<float>> numbers,
                         const AttributesView& attributes) {
  return in_words([&] {
    check_kind(kind);
    detail::check_columns(attributes, n);
    return with_kind(kind, [&]<class S>(ShapeTag<S>) {
      return columns().add<S>(n, shapes_of<S>(n, numbers), attributes);
    });
  });
}

std::uint32_t Scene::add_mesh(std::span<const Vec3> vertices, Faces faces,
                              const AttributesView& attributes) {
  return in_words([&] {
    detail::check_columns(attributes, faces.size());
    return columns().add_mesh(faces.size(), triangles_of(vertices, faces), attributes);
  });
}

void Scene::set_mesh(std::uint32_t first, std::span<const Vec3> vertices, Faces faces) {
  in_words([&] { columns().set<Triangle>(first, faces.size(), triangles_of(vertices, faces)); });
}

std::uint32_t Scene::mesh_of(std::uint32_t id) const {
  const auto [kind, index] = kind_and_index(id);
  const std::vector<std::uint32_t>& mesh = columns().data.mesh;
  return kind == Kind::triangle && index < mesh.size() ? mesh[index] : none;
}

std::uint32_t Scene::face_of(std::uint32_t id) const {
  const std::uint32_t mesh = mesh_of(id);
  if (mesh == none) return none;
  // Its triangles are consecutive.
  const auto of = columns().data.mesh.begin() + kind_and_index(id).second;
  const auto first = std::partition_point(columns().data.mesh.begin(), of,
                                          [&](std::uint32_t m) { return m != mesh; });
  return static_cast<std::uint32_t>(of - first);
}

void Scene::set(Kind kind, std::uint32_t first, std::uint64_t n,
                std::span<const Column<float>> numbers) {
  in_words([&] {
    check_kind(kind);
    with_kind(kind,
              [&]<class S>(ShapeTag<S>) { columns().set<S>(first, n, shapes_of<S>(n, numbers)); });
  });
}

void Scene::remove(Kind kind, std::span<const std::uint32_t> indices) {
  in_words([&] {
    const std::uint32_t have = count(kind);
    std::vector<bool> gone(have);
    if (indices.data() == nullptr && !indices.empty()) detail::refuse("the indices are null");
    for (const std::uint32_t i : indices) {
      if (i >= have) throw Error(ErrorKind::usage, missing(kind, i, have));
      gone[i] = true;
    }
    if (indices.empty()) return;
    with_kind(kind, [&]<class S>(ShapeTag<S>) { columns().remove<S>(gone); });
  });
}

void Scene::read(Kind kind, std::uint32_t index, float* numbers) const {
  if (index >= count(kind)) throw Error(ErrorKind::usage, missing(kind, index, count(kind)));
  with_kind(kind, [&]<class S>(ShapeTag<S>) {
    ShapeTraits<Given<S>>::fields(
        [&](const char*, const auto& column) {
          const auto& field = column[index];
          std::memcpy(numbers, &field, sizeof field);
          numbers += sizeof field / sizeof *numbers;
        },
        columns_of<S>(columns().data.shapes));
  });
}

std::uint64_t Scene::size() const { return columns().size(); }
std::uint32_t Scene::count(Kind kind) const {
  check_kind(kind);
  return detail::count(columns().data, kind);
}

std::uint32_t Scene::id(Kind kind, std::uint32_t index) const {
  if (index >= count(kind)) {
    throw Error(ErrorKind::usage, missing(kind, index, count(kind)));
  }
  std::uint32_t before = 0;
  for (int k = 0; k < static_cast<int>(kind); ++k) before += count(static_cast<Kind>(k));
  return before + index;
}

std::pair<Kind, std::uint32_t> Scene::kind_and_index(std::uint32_t id) const {
  std::uint32_t index = id;
  for (int k = 0; k < kind_count; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (index < count(kind)) return {kind, index};
    index -= count(kind);
  }
  throw Error(ErrorKind::usage, "there is no shape " + std::to_string(id) + ": the scene has " +
                                    std::to_string(size()));
}

Attributes Scene::attributes(std::uint32_t id) const {
  const auto [kind, index] = kind_and_index(id);
  const detail::AttributeColumns& own = columns().data.attributes[static_cast<std::size_t>(kind)];
  Attributes a;
  if (!own.mask.empty()) a.mask = own.mask[index];
  if (!own.group.empty()) a.group = own.group[index];
  if (!own.label.empty()) a.label = own.label[index];
  return a;
}

bool Scene::has_masks(Kind kind) const {
  check_kind(kind);
  return !columns().data.attributes[static_cast<std::size_t>(kind)].mask.empty();
}
bool Scene::has_groups(Kind kind) const {
  check_kind(kind);
  return !columns().data.attributes[static_cast<std::size_t>(kind)].group.empty();
}
bool Scene::has_labels(Kind kind) const {
  check_kind(kind);
  return !columns().data.attributes[static_cast<std::size_t>(kind)].label.empty();
}

ShapesView Scene::view() const {
  return in_words([&] { return columns().view(true); });
}
ShapesView Scene::view_without_bounds() const {
  return in_words([&] { return columns().view(false); });
}

Aabb Scene::bounds() const {
  const detail::FpEnvironment environment;
  return union_of_bounds(view_without_bounds());
}

bool detail::SceneParts::has_bounds(const Scene& scene) {
  const std::lock_guard lock(scene.columns().mutex);
  return scene.columns().bounds.has_value();
}
void detail::SceneParts::drop_bounds(Scene& scene) {
  if (scene.columns_) scene.columns_->bounds.reset();
}
std::uint64_t detail::SceneParts::mesh_numbers(const Scene& scene) {
  return scene.columns().data.mesh.size();
}

}  // namespace sightline
