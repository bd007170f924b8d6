// What results of lines of sight have, visibility and exposure: viewpoints with fields of view,
// targets, how they see, and segments that leave out a length at both their ends.
#pragma once

#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/run.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sightline::cli {

class SightResult : public Result {
 public:
  VisibilityOptions options;
  std::optional<float> at;  ///< how high eyes are above the points; by default as their files say
  float margin_length = 0;  ///< of every segment at both ends; else options.margin, a share

 protected:
  SightResult(const Names& names, const Input& targets) : Result(names, targets) {}

  /// Heights of eyes, margins and fields; `to` is the targets' name in the metadata.
  void visit_ends(Parameters& p, const char* to) {
    p.eyes("from", viewpoints_);
    p.eyes(to, input_);
    p.margins(options.margin, margin_length);
    if (!p.has("fields.hash", !fields_hash_.empty()) && !p.has("fields.shape", false)) return;
    p.hash("fields.hash", fields_hash_);
    p.field_shape("fields.shape", field_shape_);
  }
  void load_scene_and_fields(InputFiles& in) {
    caster_ = in.caster(scene_hash, scene_);
    in.raise_to_eyes(from_, viewpoints_, at, scene_);
    fields_ = in.fields(from_, scene_, field_shape_, fields_hash_);
  }
  /// Warns of points that lie in or touch shapes, where these hide them, and says what helps. `of`
  /// names the points; `raised`: they are eyes above those of their file.
  void warn_of_touching(Job& job, std::uint64_t touching, const std::string& of,
                        bool raised) const {
    if (touching == 0 || options.inside == Inside::ignore) return;
    const std::string eyes = fmt::format("--at {} raises points on floors to eyes, ",
                                         unit_of(scene_) == "m" ? "1.6" : "L");
    const std::string margin =
        has_margin() ? "" : "--margin-length 0.01 leaves out the segments' ends, ";
    job.warn("{} {} a shape, which hides {}{}; {}{}--inside ignore{} the shapes around them", of,
             agreeing(touching, "lies in or touches", "lie in or touch"),
             agreeing(touching, "it", "them"), has_margin() ? " where deeper than the margin" : "",
             raised ? "" : eyes, margin, has_margin() ? " leaves out" : "");
  }
  bool has_margin() const { return options.margin > 0 || margin_length > 0; }
  /// A report as counts. Points are counted once each, by the parts of the first column
  /// (viewpoints) and row (targets).
  static io::JobCounts visibility_counts(const VisibilityReport& report, bool viewpoints,
                                         bool targets) {
    const auto if_of = [](bool counted, std::uint64_t n) { return counted ? n : 0; };
    io::JobCounts counts;
    counts.sum = {report.visible,
                  if_of(viewpoints, report.bad_viewpoints),
                  if_of(targets, report.bad_targets),
                  if_of(viewpoints, report.touching_viewpoints),
                  if_of(targets, report.touching_targets),
                  report.in_field,
                  if_of(viewpoints, report.bad_fields)};
    return counts;
  }
  /// Of some viewpoints.
  std::optional<FieldsView> fields_of(std::uint64_t first, std::uint64_t n) const {
    const auto fields = fields_.view();
    return fields ? std::optional(fields->slice(first, n)) : std::nullopt;
  }

  Input viewpoints_{"--from", "/from", "viewpoints"};
  std::string fields_hash_;
  FieldShape field_shape_ = FieldShape::cone;
  io::Points from_;
  LoadedFields fields_;
};

/// Which of `to` each of `from` sees, within fields of view where there are any, as bits
/// [from.count, ceil(to.count / 64)]: the same as visibility() of the segments' parts that begin
/// and end `margin` within them, each place computed in binary64 and rounded once; of a segment of
/// at most twice the margin, of its middle. The options' range is of the whole segment, and their
/// own margin does not count.
void visible_matrix(const Caster& caster, const PointsView& from,
                    const std::optional<FieldsView>& fields, const PointsView& to,
                    std::span<std::uint64_t> bits, const VisibilityOptions& options, float margin);

/// The scene, viewpoints, targets (returned), and how they see.
inline Option add_sight(Verb& v, SightResult& r, ResultArguments& a, const char* targets) {
  v.scene(a.inputs);
  v.input("--from", a.inputs, "A", "viewpoints").required();
  const Option to = v.input("--to", a.inputs, "B", targets);
  v.fields(a.inputs);
  v.number("--at", r.at, coordinate, "L",
           "how high eyes are above the points of both files, which are raised by it; default: as "
           "the files say, such as places of cover, else 0");
  v.range(r.options.range);
  const Option margin = v.number("--margin-length", r.margin_length, any_length, "L",
                                 "how much of a segment is left out at both ends, in scene units");
  v.number("--margin-share", r.options.margin,
           {0, std::nextafter(0.5f, 0.0f), "at least 0 and below 0.5"}, "M",
           "fraction of a segment to ignore at each end, 0 to below 0.5; several times faster")
      .excludes(margin);
  v.inside(r.options.inside);
  return to;
}

}  // namespace sightline::cli
