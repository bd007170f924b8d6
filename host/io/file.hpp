// Files by position: exact reads, and writes that appear under their name only when whole.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::io {

/// An open regular file, read by position; reads from many threads at once are fine.
/// Throws Error{io} when the file is missing, unreadable or not a regular file.
class File {
 public:
  explicit File(std::string name);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  const std::string& name() const { return name_; }
  /// In bytes, when the file was opened.
  std::uint64_t size() const { return size_; }
  /// Reads exactly `bytes` bytes. Throws Error{bad_input} when the file ends before, Error{io} when
  /// reading fails.
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// An output of known size that is written under NAME.partial and takes its name in commit().
///
/// The whole size is reserved at once, so that a full disk is told before the work. Without a
/// commit the partial file is removed. Writes from many threads to different places are fine.
/// Throws Error{io}; nothing then remains. A partial file that a killed run left behind is
/// replaced; one that another process is writing is refused, and so is a name that is a folder, a
/// device or a symbolic link.
class PartialFile {
 public:
  PartialFile(std::string name, std::uint64_t bytes);
  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&& other) noexcept;
  ~PartialFile();

  const std::string& name() const { return name_; }
  /// In bytes, as reserved.
  std::uint64_t size() const { return size_; }
  /// Throws Error{internal} outside [0, size).
  void write(std::uint64_t offset, const void* from, std::uint64_t bytes);
  /// Makes the data durable and gives the file its name, replacing what had it.
  void commit();

 private:
  void discard() noexcept;

  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Throws what PartialFile does for a name that cannot be written: for outputs whose size comes
/// only after long work. Nothing is left.
void check_can_write(const std::string& name);

}  // namespace sightline::io
