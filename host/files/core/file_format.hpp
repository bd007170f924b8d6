// What a file holds, by how it begins, and what its name promises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::io {

enum class FileFormat : std::uint8_t { container, npy, json, csv, other };

/// By the first bytes; where these say nothing, by the name's ending. Throws Error{io}.
FileFormat format_of(const std::string& name);
/// "CSV", for messages, and other formats that are not read; "" where nothing is known.
std::string looks_like(const std::string& name);

/// A sentence on who reads a file of other programs, such as a mesh or a URDF, or that nothing here
/// does: by its ending and how it begins. `output` names the scene that a Python call would write.
/// "" for other files. Throws Error{io}.
std::string who_reads(const std::string& name, const std::string& output = "scene.safetensors");

/// Whether a name ends in this, such as ".png"; in any case.
bool has_ending(std::string_view name, std::string_view ending);

/// Throws Error{usage} where a name for a container ends as another format does (".npy", ".png"),
/// but for the ending `also`, which is honoured.
void refuse_other_ending(const std::string& output, const std::string& also = "");

}  // namespace sightline::io
