# Makes page_text.cpp of the viewer's files: cmake -DFOLDER=page -DOUT=page_text.cpp -P this.
# One script holds all modules, in the order of order.txt. Lines that import are left out, and so is
# the word export. So no two modules have the same name at their top, and an import takes one line.
cmake_minimum_required(VERSION 3.25)

# Compilers take string literals of at most 65,536 bytes for sure.
function(add_literal name text)
  string(LENGTH "${text}" length)
  if(length GREATER 65000)
    message(FATAL_ERROR "${name} has ${length} bytes: a file of the page has at most 65,000")
  endif()
  if(text MATCHES "\\)page\"|</script|<!--")
    message(FATAL_ERROR "${name} holds ${CMAKE_MATCH_0}, which ends its place in the page")
  endif()
  set(literal "R\"page(${text})page\"" PARENT_SCOPE)
endfunction()

set(modules "")
file(STRINGS ${FOLDER}/order.txt order)
foreach(module IN LISTS order)
  file(READ ${FOLDER}/${module} text)
  string(REGEX REPLACE "\n(import|export \\*|export {)[^\n]*" "\n" text "\n${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  if(text MATCHES "\n *(import|export) [^\n]*")
    message(FATAL_ERROR "${module}: an import has one line, an export begins one:${CMAKE_MATCH_0}")
  endif()
  string(REGEX MATCHALL "\n(async function|function|const|let|class) [A-Za-z0-9_$]+" names "${text}")
  list(TRANSFORM names REPLACE ".* " "")
  foreach(name IN LISTS names)
    if(name IN_LIST all_names)
      message(FATAL_ERROR "${module}: another module has the name ${name} as well")
    endif()
    list(APPEND all_names ${name})
  endforeach()
  # No comments of whole lines and no indentation: a quarter of the page. What JSDoc says of a value
  # stands before it in its line, and stays.
  string(REGEX REPLACE "\n +" "\n" text "${text}")
  string(REGEX REPLACE "\n/\\*\\*[^*\n]*\n" "\n" text "${text}")  # opens a comment
  string(REGEX REPLACE "\n(//|\\*)[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n/\\*\\*[^*\n]*\\*/\n" "\n" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  add_literal(${module} "${text}")
  string(APPEND modules "    ${literal},\n")
endforeach()
file(READ ${FOLDER}/page.css text)
add_literal(page.css "${text}")
set(style "${literal}")
file(READ ${FOLDER}/page.html text)
add_literal(page.html "${text}")

file(WRITE ${OUT} "// Made by host/files/view/page_text.cmake.
#include \"host/files/view/page_text.hpp\"

namespace sightline::io {
namespace {
constexpr std::string_view modules[] = {
${modules}};
}  // namespace
std::string_view page_style() { return ${style}; }
std::string_view page_body() { return ${literal}; }
std::span<const std::string_view> page_modules() { return modules; }
}  // namespace sightline::io
")
