// view: what its parts share.
#pragma once

#include "host/files/view/view_page.hpp"
#include "host/program/results/result.hpp"

#include <sightline/nav.hpp>

namespace sightline::cli {

struct ViewArguments {
  Inputs files;
  std::string output, title, shot;
  std::uint64_t rows = 0;                        ///< of a matrix that is not embedded whole
  std::uint64_t most = std::uint64_t{64} << 20;  ///< bytes of a file that is embedded whole
};

/// A page, and what it holds in memory.
struct PageInMemory {
  io::Page page;
  std::uint64_t bytes = 0;
};
/// The page of these files. Throws Error{usage} and Error{bad_input} for those that it does not
/// show and for those that do not belong together.
PageInMemory page_of(Job& job, const ViewArguments& arguments);

/// Whether it is a matrix of bits, whose sums may stand for it.
bool is_matrix(const ResultFile& result);
/// The sums of its rows and columns and, where --rows asks for them, some rows.
io::PageData sums_of(Job& job, const ViewArguments& arguments, const ResultFile& result);
/// The walkable floors and the jumps of a map.
io::PageData floors_of(const std::string& file, NavMap map, io::Metadata metadata);

/// A browser that PATH leads to. Throws Error{device} where there is none.
std::string find_browser();
/// Has it draw a page into a PNG. Throws Error{device} where that fails, and leaves no file then.
void take_shot(const std::string& browser, const std::string& page, const std::string& picture);

}  // namespace sightline::cli
