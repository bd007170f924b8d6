// The one exception type of the public door.
#pragma once

#include <stdexcept>
#include <string>

namespace sightline {

/// What went wrong; the program's exit code is the enumerator's value.
enum class ErrorKind {
  usage = 2,          ///< arguments that make no sense together
  bad_input = 3,      ///< a shape, ray or file that is refused; the message names index and reason
  device = 4,         ///< no usable device, or it failed
  out_of_memory = 5,  ///< the message says for what, with the bytes where that is one thing; or a
                      ///< thread that the work needs is refused by the system
  io = 6,             ///< reading or writing failed
  internal = 7,       ///< a defect of ours
};

/// What every call of the library throws: a kind, and a sentence for people.
class Error : public std::runtime_error {
 public:
  /// The sentence is what() tells.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// What went wrong.
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace sightline
