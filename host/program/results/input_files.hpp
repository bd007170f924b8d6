// The files that a result is computed from: those that a verb's options name, or those among the
// files of verify that have the hashes which the result holds.
#pragma once

#include "host/program/engine/fields.hpp"
#include "host/program/engine/inputs.hpp"

#include <functional>

namespace sightline::cli {

/// A file, or a value that makes inputs, and the option that named it: "" where none did.
struct NamedFile {
  std::string option, file;
  bool used = false;
};

/// What a file is to a result.
struct Role {
  const char* option;  ///< "--points"
  const char* key;     ///< in reports: "/points"
  const char* what;    ///< "points": what the result was computed from
  const char* unit;    ///< "points": what it counts
};

/// The files, and those that make fields of view.
std::vector<NamedFile> with_fields(const FieldArguments& fields, std::vector<NamedFile> files);
/// What the arguments of verify name.
std::vector<NamedFile> files_of(const VerifyArguments& arguments);

/// Each call loads one input. Its hash and count are set; of a result that is verified, which has
/// them, they must be these: the file that an option names must have the hash, and without one the
/// file is looked for among those that no option names. Throws Error{usage} where nothing is there
/// for an input, Error{bad_input} for a file that is another.
class InputFiles {
 public:
  /// Of a run.
  InputFiles(Job& job, std::vector<NamedFile> files);
  /// Of verify: of a result of this kind, answered by the reference.
  InputFiles(Job& job, std::vector<NamedFile> files, const std::string& result,
             std::string_view kind);

  Job& job() const { return job_; }
  /// That answers: of verify the reference.
  std::string device() const;
  bool verifies() const { return !result_.empty(); }
  /// Whether there may be a file for it.
  bool has(const char* option) const;
  /// The value of an option, which counts as used; "" where it was not given.
  std::string value(const char* option);

  /// The name of a file that is read by slices, and has this hash.
  using HashOf = std::function<std::string(const std::string& file)>;
  std::string file(const Role& role, std::string& hash, const HashOf& hash_of);
  LoadedScene scene(const Role& role, std::string& hash);
  /// The result's scene, in a caster on the job's device.
  Caster caster(std::string& hash, io::Metadata& metadata);
  FlatCaster flat_caster(std::string& hash);
  /// `check` sees them before radii of a file of their own are added.
  io::RaysSource rays(std::string& hash, std::uint64_t& count, const io::RayDefaults& defaults,
                      const std::function<void(const io::RaysSource&)>& check);
  io::Points points(const Role& role, std::string& hash);
  io::Points points(const Role& role, std::string& hash, std::uint64_t& count);
  /// Fields of view of the points of --from, of the shape that the result has or, of a run, that
  /// the scene says.
  LoadedFields fields(const io::Points& from, const io::Metadata& scene, FieldShape& shape,
                      std::string& hash);

  /// Throws Error{bad_input} unless the hash of this file is the result's.
  void require(const char* what, const std::string& file, const std::string& expected,
               const std::string& found) const;
  /// Sets a count, or throws Error{bad_input} unless it is the result's.
  void settle_count(const Role& role, const std::string& file, std::uint64_t& count,
                    std::uint64_t found) const;
  /// Calls f; errors name the result.
  void naming_result(const std::function<void()>& f) const;
  /// Throws Error{usage} for a file that nothing was computed from.
  void refuse_others() const;
  /// The files' names.
  std::vector<std::string> names() const;
  /// What an option named, or was found to name.
  std::string file_of(const char* option) const;

 private:
  io::RaysSource rays_by_hash(const std::string& hash, const io::RayDefaults& defaults);
  static std::string named(const Role& role);
  std::string choose(const Role& role, const std::string& expected, const HashOf& hash_of);
  void settle(const Role& role, const std::string& file, std::string& hash,
              const std::string& found) const;

  Job& job_;
  std::vector<NamedFile> files_;
  std::string result_, kind_;
  std::vector<std::string> roles_;  ///< what was asked for, for errors
};

}  // namespace sightline::cli
