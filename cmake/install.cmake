# What `cmake --install` installs, and the target that builds it.

set(installed sightline)
if(SIGHTLINE_FILES)
  list(APPEND installed sightline_files)
endif()
if(SIGHTLINE_PROGRAM)
  list(APPEND installed sightline_cli)
endif()
add_custom_target(sightline_installed)
add_dependencies(sightline_installed ${installed})
if(NOT SIGHTLINE_INSTALL)
  return()
endif()

# Before all other rules: nothing is installed where anything is missing.
list(TRANSFORM installed REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
install(CODE "
  set(files \"${files}\")
  foreach(file IN LISTS files)
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"Nothing is installed, since \${file} is not built. First run: \"
        \"cmake --build ${PROJECT_BINARY_DIR} --target sightline_installed\")
    endif()
  endforeach()")
get_property(built_for TARGET sightline PROPERTY built_for)
if(built_for)
  install(CODE "message(WARNING \"sightline is ${built_for}\")")
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sightline)
set(cuda_runtime ${CMAKE_INSTALL_LIBDIR}/sightline/libcudart_static.a)
configure_package_config_file(cmake/sightline-config.cmake.in sightline-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS cuda_runtime)
write_basic_package_version_file(sightline-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sightline-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/sightline-config-version.cmake DESTINATION ${package_dir})
install(TARGETS sightline sightline_geometry EXPORT sightline-targets)
install(EXPORT sightline-targets NAMESPACE sightline:: DESTINATION ${package_dir})
if(SIGHTLINE_FILES)
  install(TARGETS sightline_files EXPORT sightline-files-targets)
  install(EXPORT sightline-files-targets NAMESPACE sightline:: DESTINATION ${package_dir})
else()
  set(left_out PATTERN files.hpp EXCLUDE)
endif()
install(DIRECTORY include/sightline TYPE INCLUDE ${left_out})
if(SIGHTLINE_PROGRAM)
  install(TARGETS sightline_cli)
endif()
if(SIGHTLINE_CUDA)  # the CUDA runtime, so that whoever links the library needs no toolkit
  install(FILES ${CUDA_cudart_static_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR}/sightline)
endif()

# For pkg-config: the folder of the .pc file says where the rest lies.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(libraries "-L\${libdir} -lsightline")
set(private_libraries "")
if(SIGHTLINE_CUDA)
  set(private_libraries "-L\${libdir}/sightline -lcudart_static -lpthread -ldl -lrt")
endif()
set(private .private)
if(NOT BUILD_SHARED_LIBS)  # whoever links a static library links what it needs as well
  set(private "")
  string(APPEND libraries " ${private_libraries}")
  set(private_libraries "")
endif()
configure_file(cmake/sightline.pc.in sightline.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sightline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
