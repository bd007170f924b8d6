# Libraries that the program can do without.

# An option that is on where all these variables of its library are found. Whoever asks for it where
# they are not is told which packages are needed.
function(sightline_optional option help packages)
  set(found ON)
  foreach(variable IN LISTS ARGN)
    if(NOT ${variable})
      set(found OFF)
    endif()
  endforeach()
  option(${option} ${help} ${found})
  if(${option} AND NOT found)
    message(FATAL_ERROR "${option} needs ${packages}")
  endif()
endfunction()

find_path(CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
find_library(CAIRO_LIBRARY cairo)
sightline_optional(SIGHTLINE_PICTURES "Draw pictures as PNG, by Cairo"
  "Cairo (Debian: libcairo2-dev)" CAIRO_INCLUDE_DIR CAIRO_LIBRARY)
