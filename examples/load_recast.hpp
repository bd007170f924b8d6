// Loads what `sightline nav --recast` wrote into Recast and Detour. It needs their headers and
// nlohmann-json. docs/howto/navigation.md describes the steps that follow.
#pragma once

#include <DetourNavMeshBuilder.h>
#include <Recast.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

struct RecastFile {
  std::vector<char> bytes;
  nlohmann::json header;

  explicit RecastFile(const char* name) {
    std::ifstream in(name, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
    header = nlohmann::json::parse(bytes.data() + 8, data());
  }
  char* data() { return bytes.data() + 8 + *reinterpret_cast<std::uint64_t*>(bytes.data()); }
  template <class T>
  T* tensor(const char* name) {
    return reinterpret_cast<T*>(data() + header[name]["data_offsets"][0].get<std::size_t>());
  }
  std::vector<float> numbers(const char* name) {
    std::istringstream text(header["__metadata__"][name].get<std::string>());
    return {std::istream_iterator<float>(text), {}};
  }
};

/// Makes the heightfield of the file's spans; false where Recast has not the memory.
inline bool fill(rcContext& context, RecastFile& file, rcHeightfield& field) {
  const auto low = file.numbers("recast.bmin"), high = file.numbers("recast.bmax");
  const int width = static_cast<int>(file.numbers("recast.width")[0]);
  const int height = static_cast<int>(file.numbers("recast.height")[0]);
  if (!rcCreateHeightfield(&context, field, width, height, low.data(), high.data(),
                           file.numbers("recast.cs")[0], file.numbers("recast.ch")[0])) {
    return false;
  }
  const auto* offsets = file.tensor<std::uint64_t>("span.offsets");
  const auto* low_cell = file.tensor<std::uint16_t>("span.smin");
  const auto* high_cell = file.tensor<std::uint16_t>("span.smax");
  const auto* area = file.tensor<std::uint8_t>("span.area");
  for (int c = 0; c < width * height; ++c) {
    for (auto i = offsets[c]; i < offsets[c + 1]; ++i) {
      if (!rcAddSpan(&context, field, c % width, c / width, low_cell[i], high_cell[i], area[i],
                     0)) {
        return false;
      }
    }
  }
  return true;
}

/// Adds the file's jumps as connections off the mesh. The file must outlive the parameters.
inline void connect(RecastFile& file, dtNavMeshCreateParams& params) {
  params.offMeshConVerts = file.tensor<float>("offmesh.verts");
  params.offMeshConRad = file.tensor<float>("offmesh.rad");
  params.offMeshConFlags = file.tensor<unsigned short>("offmesh.flags");
  params.offMeshConAreas = file.tensor<unsigned char>("offmesh.areas");
  params.offMeshConDir = file.tensor<unsigned char>("offmesh.dir");
  params.offMeshConUserID = file.tensor<unsigned int>("offmesh.user_id");
  params.offMeshConCount = file.header["offmesh.rad"]["shape"][0];
}
