// Areas in files.
#pragma once

#include "host/files/core/tensor.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/visibility.hpp>

#include <functional>

namespace sightline::io {

/// More areas than this are refused: a matrix of them has 2^44 elements.
inline constexpr std::uint64_t most_areas = std::uint64_t{1} << 22;

/// How many samples an area has where nobody says.
inline constexpr std::uint32_t default_area_samples = 16;

/// What is asked of a file of areas.
struct AreaQuestion {
  std::optional<std::uint32_t> samples;  ///< of areas that do not say theirs
  std::string up = "z";                  ///< of the scene, or "y"
  /// Called with the number of samples of a file of areas before any is made: it throws where
  /// there are too many.
  std::function<void(std::uint64_t)> check = {};
  Notes* notes = nullptr;  ///< where what rounding changes is told
};

/// Samples of areas as a file has them: points in each polygon of a `.json` or a container of
/// areas, or the points of a file of points that says of which area each is; then no number of
/// samples may be asked for. Throws Error{io}, Error{bad_input}, Error{usage},
/// Error{out_of_memory}.
AreaSamples read_area_samples(const std::string& name, const AreaQuestion& asked);

/// Whether the file holds points that say of which area each is, and no polygons. Throws as
/// read_area_samples does.
bool holds_area_points(const std::string& name);
/// The areas of a `.json` or a container; an `up` that is given must be theirs where they state it.
/// What is known of them beside, such as their names, goes to `metadata`, where given.
Areas read_areas(const std::string& name, const std::string& up = "z", Notes* notes = nullptr,
                 Metadata* metadata = nullptr);

/// The content hash of samples, whatever they were read from.
std::string samples_hash(const AreaSamples& samples);

}  // namespace sightline::io
