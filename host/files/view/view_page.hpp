// One HTML page that shows a level and what it sees: the viewer's code, and files as data.
#pragma once

#include "host/files/core/hash.hpp"

#include <memory>

namespace sightline::io {

/// A file as the page holds it: a container of these tensors and metadata.
struct PageData {
  std::string name;   ///< of the file, told to the reader
  Metadata metadata;  ///< names the kind under kind_key
  std::vector<TensorSource> tensors;
  std::shared_ptr<const void> owner = {};  ///< of what the tensors read
};

/// What a page shows.
struct Page {
  std::string title;
  std::uint32_t answers = 0;  ///< the version of the answers, which dropped results must have
  std::vector<PageData> data;
};

/// Of the data before they are compressed.
std::uint64_t bytes_of_data(const PageData& data);

/// What write_page holds in memory beside what the tensors read.
inline constexpr std::uint64_t page_memory = 8 << 20;

/// Writes the page in bounded memory: the same bytes for the same page. Names and title are
/// escaped; a policy in the page lets its own script run and nothing else. Throws Error{io}.
void write_page(const std::string& file, const Page& page);

}  // namespace sightline::io
