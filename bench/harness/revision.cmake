# Writes HEADER with the revision of SOURCE, where it has changed.
execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
  set(revision "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define SIGHTLINE_REVISION \"${revision}\"\n")
