// render: maps and rows of numbers of points.
#include "host/program/verbs/render.hpp"

#include "host/files/pictures/picture.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/geometry/intersect/line.hpp>

#include <fmt/format.h>

namespace sightline::cli {
namespace {

/// The share of the targets, but for itself, that each viewpoint sees.
std::string read_shares(const Job& job, const ResultFile& result, io::MapPicture& picture) {
  const bool self = result.text("to.hash") == result.text("from.hash");
  const std::uint64_t viewpoints = result.number("from.count"), targets = result.number("to.count");
  const std::uint64_t words = bit_words(targets);
  if (targets == 0 && viewpoints > 0) {
    throw Error(ErrorKind::bad_input,
                result.name() + ": holds no targets: there is nothing to draw");
  }
  require_memory(job.common().max_memory, viewpoints * sizeof(float) + words * 8,
                 "a row of the result and the shares");
  const auto read = [&](std::uint64_t first, std::vector<std::uint64_t>& row) {
    row = result.read<std::uint64_t>("bits", first, row.size());
  };
  picture.share = shares_seen(viewpoints, targets, self, read);
  return caption_of_shares(self);
}

/// How far each point is from the nearest shape.
std::string read_distance(const Job& job, const ResultFile& result, io::MapPicture& picture) {
  require_memory(job.common().max_memory, result.number("points.count") * sizeof(float),
                 "the distances");
  const std::uint64_t k = result.number("query.k");
  result.for_each_buffer([&](ColumnBuffer& buffer) {
    const auto distance = buffer.of<float>("distance");
    for (std::uint64_t i = 0; i < distance.size(); i += k) picture.share.push_back(distance[i]);
  });
  return "distance of the nearest shape";
}

/// The share of the viewpoints that see each target.
std::string read_exposure(const Job& job, const ResultFile& result, io::MapPicture& picture) {
  const std::uint64_t n = result.number("points.count");
  require_memory(job.common().max_memory, n * sizeof(float), "the shares");
  picture.share = result.read<float>("share", 0, n);
  return "share of the viewpoints that see it";
}

void render_map(Job& job, const RenderArguments& a) {
  const ResultFile file = open_result(a, {"visibility", "distance", "exposure"});
  InputFiles in = inputs_of(job, a, file);
  const MapInputs inputs = load_map_inputs(in, file);
  const std::string_view kind = file.result().names().kind;
  Input input = file.points("--from", kind == "visibility" ? "from" : "points");
  const io::Points points = in.points(input);
  if (is_described_only(job, fmt::format("a map of {}", plural(input.count, "points")))) return;
  io::MapPicture picture;
  const bool distances = kind == "distance";
  const auto read = distances ? read_distance : kind == "exposure" ? read_exposure : read_shares;
  set_map(picture, inputs, a, read(job, file, picture));
  if (distances) picture.quantity = {unit_of(inputs.scene.metadata), 1};
  picture.points = points.view();
  set_floors(job, picture, inputs, picture.points);
  if (distances) picture.inside.clear();  // negative ones say it
  warn_of_floors(job, a.output, io::write_map_picture(a.output, picture), "points");
}

struct RowArguments : RenderArguments {
  std::uint64_t viewpoint = 0;
};

void render_row(Job& job, const RowArguments& a) {
  const ResultFile result = open_result(a, {"visibility"});
  const std::uint64_t viewpoints = result.number("from.count"), targets = result.number("to.count");
  if (a.viewpoint >= viewpoints) {
    io::fail(ErrorKind::usage, "{}: there is no viewpoint {} of {}", result.name(), a.viewpoint,
             viewpoints);
  }
  InputFiles in = inputs_of(job, a, result);
  const MapInputs inputs = load_map_inputs(in, result);
  Input looking = result.points("--from", "from", "/from", "viewpoints");
  const io::Points from = in.points(looking);
  Input seen = result.points("--to", "to", "/to", "targets");
  if (!in.has("--to")) in.require("points", in.file_of("--from"), seen.hash, looking.hash);
  const io::Points to = in.has("--to") ? in.points(seen) : from;
  io::RowPicture picture;
  set_map(picture, inputs, a, fmt::format("what viewpoint {} sees", a.viewpoint));
  picture.viewpoint = from.view().position[a.viewpoint];
  if (!is_finite(picture.viewpoint)) {
    io::fail(ErrorKind::bad_input, "{}: viewpoint {} is not finite", in.file_of("--from"),
             a.viewpoint);
  }
  if (is_described_only(job, fmt::format("a map of {}", plural(targets, "targets")))) return;
  picture.targets = to.view();
  set_floors(job, picture, inputs, picture.targets);
  const std::uint64_t words = bit_words(targets);
  picture.bits = result.read<std::uint64_t>("bits", a.viewpoint * words, words);
  warn_of_floors(job, a.output, io::write_row_picture(a.output, picture), "targets");
}

}  // namespace

void add_map_picture(Verb& v) {
  auto& a = add_picture(
      v, render_map,
      "sightline render map seen.st --scene city.st --from eyes.npy -o seen.png\n"
      "sightline render map exposure.st --scene city.st --points spots.npy -o exposure.png");
  add_point_map_options(v, a);
  add_picture_output(v, a);
}

void add_row_picture(Verb& v) {
  auto& a =
      add_picture(v, render_row,
                  "sightline render row seen.st --scene city.st --from eyes.npy --viewpoint 7 "
                  "-o row.png");
  add_point_map_options(v, a);
  v.input("--to", a.inputs, "B", "its targets, where they are not the viewpoints");
  v.count("--viewpoint", a.viewpoint, 0, unlimited, "I", "number of the viewpoint, from 0")
      .required()
      .without_default();
  add_picture_output(v, a);
}

}  // namespace sightline::cli
