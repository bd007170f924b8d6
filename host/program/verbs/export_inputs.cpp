#include "host/program/verbs/export_inputs.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/formats/names.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/jobs/interrupt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sightline::cli {
namespace {

/// What a row has is there or not: nothing is put for the value that means none.
template <class T>
void put_or_nothing(T value, T nothing, io::TextTable& table) {
  value == nothing ? table.put_nothing() : table.put(std::uint64_t{value});
}

/// As text files say it, where it is not what they mean anyway. Throws Error{bad_input} for units
/// and eyes that they could not say.
std::vector<std::string> units_in_comments(const std::string& file, io::Metadata metadata) {
  io::check_units(file, metadata);
  std::vector<std::string> comments;
  for (const auto& [key, usual] : {std::pair("unit", "m"), std::pair("up", "z")}) {
    const auto at = metadata.find(key);
    if (at != metadata.end() && at->second != usual) {
      comments.push_back(fmt::format("{}: {}", key, at->second));
    }
  }
  const auto eyes = metadata.find(io::eyes_key);
  if (eyes == metadata.end()) return comments;
  if (!io::number_from<float>(eyes->second)) {
    io::fail(ErrorKind::bad_input, "{}: bad metadata: '{}' is {}", file, io::eyes_key,
             io::in_quotes(eyes->second));
  }
  comments.push_back(fmt::format("{}: {}", io::eyes_key, eyes->second));
  return comments;
}

/// "center_x" of a field of three numbers, "rotation_w", "radius".
std::string heading_of(const char* field, std::size_t number, std::size_t width) {
  return width == 1 ? std::string(field) : fmt::format("{}_{}", field, "xyzw"[number]);
}

/// The numbers of shapes by their headings, of which kinds share some.
struct ShapeNumber {
  std::string heading;
  std::array<std::optional<std::size_t>, kind_count> place = {};  ///< in the struct of a kind
};

std::vector<ShapeNumber> shape_numbers_of(const Scene& scene) {
  std::vector<ShapeNumber> all;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if (scene.count(kind_for<S>) == 0) return;
    std::size_t place = 0;
    const auto add = [&]<class T>(const char* field, const T&) {
      constexpr std::size_t width = sizeof(T) / sizeof(float);
      for (std::size_t k = 0; k < width; ++k, ++place) {
        const std::string heading = heading_of(field, k, width);
        auto at = std::ranges::find(all, heading, &ShapeNumber::heading);
        if (at == all.end()) at = all.insert(all.end(), {heading, {}});
        at->place[static_cast<std::size_t>(kind_for<S>)] = place;
      }
    };
    ShapeTraits<Given<S>>::fields(add, Given<S>());
  });
  return all;
}

float number_at(const Scene& scene, Kind kind, std::uint32_t index, std::size_t place) {
  return with_kind(kind, [&]<class S>(ShapeTag<S>) {
    using Numbers = std::array<float, sizeof(Given<S>) / sizeof(float)>;
    return std::bit_cast<Numbers>(scene.get<Given<S>>(index))[place];
  });
}

/// Whether a reader that numbers names as they come would give the shapes the labels that they
/// have, or there are labels alone.
bool are_numbered_anew(const Scene& scene, const io::Metadata& metadata) {
  const auto at = metadata.find(io::names_key);
  if (at == metadata.end()) return true;
  const std::vector<std::string_view> lines = io::lines_of(at->second);
  std::set<std::string_view> seen;
  for (std::uint32_t id = 0; id < scene.size(); ++id) {
    const std::uint64_t label = scene.attributes(id).label;
    if (label == 0 || label <= seen.size()) continue;
    const bool is_next = label == seen.size() + 1 && label <= lines.size();
    if (!is_next || lines[label - 1].empty() || !seen.insert(lines[label - 1]).second) return false;
  }
  return true;
}

InputTable table_of_scene(Job& job, const std::string& file) {
  const auto loaded = std::make_shared<const LoadedScene>(load_scene(job, file));
  const Scene& scene = loaded->scene;
  InputTable table = {"scene", scene.size(), "id", {}, units_in_comments(file, loaded->metadata)};
  const auto id_of = [](std::uint64_t row) { return static_cast<std::uint32_t>(row); };
  table.columns.push_back({"kind", [=](std::uint64_t i, io::TextTable& to) {
                             to.put_text(kind_name(loaded->scene.kind_and_index(id_of(i)).first));
                           }});
  for (ShapeNumber& n : shape_numbers_of(scene)) {
    const auto put = [=](std::uint64_t i, io::TextTable& to) {
      const auto [kind, index] = loaded->scene.kind_and_index(id_of(i));
      const auto place = n.place[static_cast<std::size_t>(kind)];
      place ? to.put(number_at(loaded->scene, kind, index, *place)) : to.put_nothing();
    };
    table.columns.push_back({n.heading, put});
  }
  bool masks = false, groups = false, labels = false;
  for (int k = 0; k < kind_count; ++k) {
    masks = masks || scene.has_masks(static_cast<Kind>(k));
    groups = groups || scene.has_groups(static_cast<Kind>(k));
    labels = labels || scene.has_labels(static_cast<Kind>(k));
  }
  if (masks) {
    table.columns.push_back({"mask", [=](std::uint64_t i, io::TextTable& to) {
                               to.put(std::uint64_t{loaded->scene.attributes(id_of(i)).mask});
                             }});
  }
  if (groups) {
    table.columns.push_back({"group", [=](std::uint64_t i, io::TextTable& to) {
                               put_or_nothing(loaded->scene.attributes(id_of(i)).group, none, to);
                             }});
  }
  const bool with_labels = labels && !are_numbered_anew(scene, loaded->metadata);
  if (with_labels) {
    table.columns.push_back({"label", [=](std::uint64_t i, io::TextTable& to) {
                               put_or_nothing(loaded->scene.attributes(id_of(i)).label,
                                              std::uint64_t{0}, to);
                             }});
  }
  if (labels) {
    const auto names =
        std::make_shared<const NamesOf>(names_of_shapes(job, file, scene, loaded->metadata));
    table.columns.push_back({names->word(), [=](std::uint64_t i, io::TextTable& to) {
                               with_labels && !names->has_name(i) ? to.put_nothing()
                                                                  : names->put(i, to);
                             }});
  }
  return table;
}

InputTable table_of_points(Job& job, const std::string& file) {
  const auto points = std::make_shared<const io::Points>(load_points(job, file, "/points"));
  InputTable table = {
      "points", points->count(), "point", {}, units_in_comments(file, points->metadata)};
  const auto add = [&](const std::string& name, bool there, auto put) {
    if (there) table.columns.push_back({name, put});
  };
  const auto add_vectors = [&](const std::string& prefix, const std::vector<Vec3>& values,
                               bool there) {
    for (const auto& [axis, of] :
         {std::pair("x", &Vec3::x), std::pair("y", &Vec3::y), std::pair("z", &Vec3::z)}) {
      add(prefix + axis, there, [points, &values, of = of](std::uint64_t i, io::TextTable& to) {
        to.put(values[i].*of);
      });
    }
  };
  const auto add_numbers = [&]<class T>(const char* name, const std::vector<T>& values) {
    add(name, !values.empty(), [points, &values](std::uint64_t i, io::TextTable& to) {
      if constexpr (std::is_same_v<T, float>) {
        to.put(values[i]);
      } else {
        to.put(std::uint64_t{values[i]});
      }
    });
  };
  add_vectors("", points->position, true);
  add_numbers("mask", points->mask);
  add_numbers("exclude", points->exclude);
  add_numbers("group", points->exclude_group);
  add_numbers("area", points->area);
  const auto names = std::make_shared<const NamesOf>(points->label, points->metadata);
  add(names->word(), names->given(),
      [=](std::uint64_t i, io::TextTable& to) { names->put(i, to); });
  add_vectors("direction_", points->fields.direction, !points->fields.direction.empty());
  add_numbers("cosine", points->fields.cosine);
  add_numbers("sine", points->fields.sine);
  add_numbers("range", points->fields.range);
  return table;
}

/// A floor of a map: its column, and its span.
struct Floor {
  std::uint64_t column, span;
};

struct Floors {
  NavMap map;
  std::vector<Floor> all;
  NamesOf names;
};

InputTable table_of_map(Job& job, const std::string& file, const std::string& scene) {
  const auto floors = std::make_shared<Floors>();
  io::Metadata metadata;
  floors->map = load_map(job, file, metadata);
  if (!scene.empty()) {
    const LoadedScene loaded = load_scene(job, scene);
    if (loaded.hash != metadata["scene.hash"]) {
      io::fail(ErrorKind::bad_input, "{}: was computed from a scene of hash {}, but {} has hash {}",
               file, metadata["scene.hash"], scene, loaded.hash);
    }
    floors->names = names_of_shapes(job, scene, loaded.scene, loaded.metadata);
  }
  const NavMap& map = floors->map;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      if ((map.flags[s] & nav_flags::floor) != 0) floors->all.push_back({c, s});
    }
  }
  InputTable table = {"nav", floors->all.size(), "floor", {}, {}};
  const auto add = [&](const std::string& name, auto put) {
    table.columns.push_back({name, [floors, put](std::uint64_t i, io::TextTable& to) {
                               put(floors->map, floors->all[i], to);
                             }});
  };
  for (const auto& [axis, of] :
       {std::pair("x", &Vec3::x), std::pair("y", &Vec3::y), std::pair("z", &Vec3::z)}) {
    add(axis, [of = of](const NavMap& m, const Floor& f, io::TextTable& to) {
      to.put(m.grid.at(f.column, m.top[f.span]).*of);
    });
  }
  add("walkable", [](const NavMap& m, const Floor& f, io::TextTable& to) {
    to.put(std::uint64_t{(m.flags[f.span] & nav_flags::walkable) != 0});
  });
  add("region", [](const NavMap& m, const Floor& f, io::TextTable& to) {
    put_or_nothing(m.region[f.span], none, to);
  });
  const auto add_numbers = [&](const char* name, std::vector<float> NavMap::*values) {
    add(name, [values](const NavMap& m, const Floor& f, io::TextTable& to) {
      to.put((m.*values)[f.span]);
    });
  };
  add_numbers("headroom", &NavMap::headroom);
  add_numbers("upness", &NavMap::slope_cosine);
  add_numbers("clearance", &NavMap::clearance);
  add_numbers("border", &NavMap::border);
  const Floors* const at = floors.get();
  add(at->names.given() ? at->names.word() : "shape", [at](const NavMap& m, const Floor& f,
                                                           io::TextTable& to) {
    at->names.given() ? at->names.put(m.shape[f.span], to) : to.put(std::uint64_t{m.shape[f.span]});
  });
  return table;
}

}  // namespace

std::optional<InputTable> open_input(Job& job, const std::string& file, const std::string& kind,
                                     const std::string& scene) {
  if (kind == "nav") return table_of_map(job, file, scene);
  if (!scene.empty()) return std::nullopt;
  if (kind == "scene") return table_of_scene(job, file);
  if (kind == "points" || kind == "array") return table_of_points(job, file);
  return std::nullopt;
}

void write_table(const InputTable& input, const std::string& output) {
  std::vector<std::string> headings = {input.number};
  for (const InputColumn& c : input.columns) headings.push_back(c.name);
  io::TextTable table(output, io::has_ending(output, ".json"), headings, input.comments);
  for (std::uint64_t i = 0; i < input.rows; ++i) {
    if (i % 4096 == 0) poll_interrupt();
    table.put(i);
    for (const InputColumn& c : input.columns) c.put(i, table);
    table.end_row();
  }
  table.commit();
}

}  // namespace sightline::cli
