// The viewer's own text, which the build makes of the files in page/.
#pragma once

#include <span>
#include <string_view>

namespace sightline::io {

/// The style sheet, and the markup of the body.
std::string_view page_style();
std::string_view page_body();
/// The modules of the script in their order, without imports and exports.
std::span<const std::string_view> page_modules();

}  // namespace sightline::io
