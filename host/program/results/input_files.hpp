// The files that a result is computed from: those that a verb's options name, or those among the
// files of verify that have the hashes which the result holds.
#pragma once

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/results/parameters.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>

#include <functional>

namespace sightline::cli {

/// Fields [n] of viewpoints.
struct LoadedFields {
  io::Fields columns;
  FieldShape shape = FieldShape::cone;
  std::string hash;  ///< "": there are none, the viewpoints look all around

  /// Nothing where there are none. Valid until the columns change.
  std::optional<FieldsView> view() const {
    if (hash.empty()) return std::nullopt;
    return columns.view(shape);
  }
};

/// Each call loads one input. Its hash and count are set; where a result is verified or drawn,
/// which has them, the file must match them: the one that an option names, or else the one of that
/// hash among those that no option names. Throws Error{usage} where there is no file for an input,
/// Error{bad_input} for a file that does not match.
class InputFiles {
 public:
  /// Of a run.
  InputFiles(Job& job, std::vector<NamedFile> files);
  /// Of a result of this kind, which is verified by brute force, or drawn: then without hashes in
  /// the report.
  InputFiles(Job& job, std::vector<NamedFile> files, const std::string& result,
             std::string_view kind, bool drawn = false);

  Job& job() const { return job_; }
  bool verifies() const { return !result_.empty(); }
  /// verify asks the reference, in place of the cpu's brute force in lanes.
  void ask_reference() { asks_reference_ = true; }
  /// Whether there may be a file for it.
  bool has(const char* option) const;
  /// The value of an option, which counts as used; "" where it was not given.
  std::string value(const char* option);
  /// What an option named, or was found to name.
  std::string file_of(const char* option) const;
  /// Of all files; numbers that stand for files are none.
  std::vector<std::string> names() const;

  /// The name of a file that is read by slices, and has this hash.
  using HashOf = std::function<std::string(const std::string& file)>;
  std::string file(Input& input, const HashOf& hash_of);
  /// The result's scene.
  LoadedScene scene(std::string& hash);
  LoadedScene shapes(Input& input);
  /// The result's scene, in a caster on the job's device.
  Caster caster(std::string& hash, io::Metadata& metadata);
  /// Refuses a scene with kinds that rays alone know, naming its file.
  void refuse_kinds(const Caster& caster, Refused which, const char* queries) const;
  FlatCaster flat_caster(std::string& hash);
  /// The rays that the options name. Throws Error{usage} when they name none.
  io::RaysSource open_rays(const io::RayDefaults& defaults = {}) const;
  /// `check` sees them before radii of a file of their own are added.
  io::RaysSource rays(Input& input, const io::RayDefaults& defaults,
                      const std::function<void(const io::RaysSource&)>& check);
  /// `counted`: of a result that is verified, whether its metadata have the number of points.
  io::Points points(Input& input, bool counted = true);
  /// Of a run: raises points to the eyes, by the height asked for, else the one that their file's
  /// metadata `eyes` says, along the way up that the file, else the scene, says.
  void raise_to_eyes(io::Points& points, Input& input, std::optional<float> asked,
                     const io::Metadata& scene) const;
  /// Fields of view of the points of --from, by options or as the points' file has them, of the
  /// shape that the result has or, of a run, that the scene says.
  LoadedFields fields(const io::Points& from, const io::Metadata& scene, FieldShape& shape,
                      std::string& hash);

  /// Throws Error{bad_input} unless the hash of this file is the result's.
  void require(const char* what, const std::string& file, const std::string& expected,
               const std::string& found) const;
  /// Sets a count, or throws Error{bad_input} unless it is the result's.
  void settle_count(Input& input, const std::string& file, std::uint64_t found) const;
  /// Calls f; errors name the result.
  void naming_result(const std::function<void()>& f) const;
  /// Throws Error{usage} for a file that nothing was computed from.
  void refuse_others() const;

 private:
  io::RaysSource rays_by_hash(const std::string& hash, const io::RayDefaults& defaults);
  std::string choose(const Input& input, const HashOf& hash_of);
  void settle(Input& input, const std::string& file, const std::string& found) const;

  Job& job_;
  std::vector<NamedFile> files_;
  std::string result_, kind_;
  bool drawn_ = false, asks_reference_ = false;
  std::vector<std::string> known_;  ///< the inputs of the result, for errors
};

}  // namespace sightline::cli
