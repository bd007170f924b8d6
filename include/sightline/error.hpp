/// @file
/// The exception type of the library.
#pragma once

#include <stdexcept>
#include <string>

namespace sightline {

/// Kind of an error. The enumerator's value is the exit code of the program.
enum class ErrorKind {
  usage = 2,          ///< an argument is out of its range, or arguments contradict each other
  bad_input = 3,      ///< a shape, ray or file is refused; the message names index and reason
  device = 4,         ///< no device is usable, or a device failed
  out_of_memory = 5,  ///< the system refuses memory, or a thread that the work needs
  io = 6,             ///< a file cannot be read or written
  internal = 7,       ///< the library has a defect
};

/// Exception of every call of the library: a kind and a sentence for the user.
///
/// @code{.cpp}
/// Scene scene;
/// try {
///   scene.add_sphere({{0, 0, 0}, -1});
/// } catch (const Error& error) {  // its kind() is ErrorKind::bad_input
///   std::printf("%s\n", error.what());  // sphere 0 is refused: the radius is negative
/// }
/// @endcode
class Error : public std::runtime_error {
 public:
  /// Makes an error.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// Returns what went wrong.
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace sightline
