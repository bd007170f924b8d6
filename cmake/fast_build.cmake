# What makes a build short; no answer and no speed depends on it. -DCMAKE_UNITY_BUILD=OFF compiles
# file by file, without shared headers: for those who edit, and to see that a file includes what it
# needs.
if(PROJECT_IS_TOP_LEVEL)
  option(CMAKE_UNITY_BUILD "Compile several files at once, over headers read once" ON)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER  # as ccache's manual asks for precompiled headers
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  endif()
endif()

# The headers that most files of a target read, none of ours, which change; or REUSE_FROM another
# target that is compiled by the same flags: g++ 12 crashes at -O2 over headers of -Og.
function(sightline_shared_headers target)
  if(CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

# -O1 takes a quarter to a third less than -O2. What surrounds the library runs as fast by it; tests
# that compute run for 15 % longer, a quarter of what their compilation gains.
function(sightline_quick_to_compile target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
# -Og takes less still: for tests that wait for others' code.
function(sightline_quickest_to_compile target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()
