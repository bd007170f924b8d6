// Fields of view as the command line has them.
#pragma once

#include "host/files/formats/fields.hpp"
#include "host/program/engine/inputs.hpp"

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

/// What the file of viewpoints or the arguments say, and reports it under "/fields". Throws
/// Error{bad_input} and Error{usage} for what does not fit together.
LoadedFields load_fields(Job& job, const FieldArguments& arguments, const io::Points& from,
                         const std::string& from_file, FieldShape shape);

/// The shape that the arguments name over a scene whose metadata says which axis is up.
FieldShape field_shape(const FieldArguments& arguments, const io::Metadata& scene);

}  // namespace sightline::cli
