// Files by position: exact reads, and writes that appear under their name only when whole.
#pragma once

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::io {

/// Words of a file or of an option, as messages quote them: at most `most` characters, and none
/// that is no UTF-8 or that a terminal might obey.
std::string in_quotes(std::string_view text, std::size_t most = 60);

/// Throws an Error of these words.
template <class... A>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<A...> words, A&&... args) {
  throw Error(kind, fmt::format(words, std::forward<A>(args)...));
}
/// Throws Error{bad_input}, "FILE: " and the words.
template <class... A>
[[noreturn]] void refuse(const std::string& file, fmt::format_string<A...> words, A&&... args) {
  fail(ErrorKind::bad_input, "{}: {}", file, fmt::format(words, std::forward<A>(args)...));
}
/// Throws Error{io} with the system's words for an errno.
[[noreturn]] void fail_with(int error, const std::string& name, std::string_view what);

/// Who is asked now and then in work on whole files, which may take long: it may throw to end the
/// work. Nobody by default.
void set_poll(void (*ask)());
/// Asks.
void poll();

/// Calls f(); errors begin with the place, such as "FILE: ".
template <class F>
void naming(const std::string& place, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (what.starts_with(place)) throw;
    fail(error.kind(), "{}{}", place, what);
  }
}

/// An open file of the system, closed with its owner; below 0 is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  operator int() const { return number_; }

 private:
  int number_;
};

/// An open regular file, read by position; reads from many threads at once are fine.
/// Throws Error{io} when the file is missing, unreadable or not a regular file, Error{bad_input}
/// when it is unfinished.
class File {
 public:
  explicit File(std::string name);

  const std::string& name() const { return name_; }
  /// In bytes, when the file was opened.
  std::uint64_t size() const { return size_; }
  /// Reads exactly `bytes` bytes. Throws Error{bad_input} when the file ends before, Error{io} when
  /// reading fails.
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  /// The first bytes: so many, or all there are.
  std::string start(std::uint64_t most) const;

 private:
  std::string name_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

/// How a partial file begins until it is whole.
inline constexpr std::string_view unfinished_mark = "sightprt";

/// An output that is written under NAME.partial and takes its name in commit().
///
/// The size, as far as it is known, is reserved at once, so that a full disk is told before the
/// work. Until commit() its first 8 bytes are `unfinished_mark`, so that nobody takes it for a
/// whole file, whatever its name. Without a commit the partial file is removed, unless it is kept.
/// Writes from many threads to different places are fine. Throws Error{io}; nothing then remains. A
/// partial file that a killed run left behind is replaced; one that another process is writing is
/// refused, and so are one with a journal (see journal.hpp) and a name that is a folder, a device
/// or a symbolic link.
class PartialFile {
 public:
  PartialFile(std::string name, std::uint64_t bytes);
  /// Takes up what an earlier run left, if it left anything: it stays as it is, and where it is,
  /// until reserve(). Its first 8 bytes are to be written again before commit().
  explicit PartialFile(std::string name);
  PartialFile(PartialFile&& other) noexcept = default;
  ~PartialFile() { close(); }

  const std::string& name() const { return name_; }
  /// In bytes, as reserved or as found.
  std::uint64_t size() const { return size_; }
  /// Empties the file and reserves so many bytes.
  void reserve(std::uint64_t bytes);
  /// Throws Error{internal} outside [0, size).
  void write(std::uint64_t offset, const void* from, std::uint64_t bytes);
  /// Writes behind all that is there.
  void append(const void* from, std::uint64_t bytes);
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  /// Makes what was written durable.
  void sync();
  /// From now on the partial file stays where there is no commit.
  void keep() { kept_ = true; }
  /// Makes the data durable and gives the file its name, replacing what had it.
  void commit();

 private:
  void close() noexcept;

  std::string name_, partial_;
  Descriptor descriptor_;
  std::uint64_t device_ = 0, inode_ = 0;  ///< of the partial file, so that it is known again
  std::uint64_t size_ = 0;
  bool kept_ = false;
  std::array<char, unfinished_mark.size()> begin_ = {};  ///< what commit() puts in the mark's place
};

/// Writes a whole file, by way of a PartialFile.
void write_file(const std::string& name, std::string_view bytes);
/// Writes exactly so many bytes. Throws Error{io}.
void write_exactly(int descriptor, const std::string& name, std::uint64_t offset, const void* from,
                   std::uint64_t bytes);

/// Where an output is written until it is whole, and where its journal lies.
std::string partial_name(const std::string& name);
std::string journal_name(const std::string& name);
/// The output that is written under this name: the name without `.partial`, or "" where it ends
/// otherwise.
std::string output_of_partial(const std::string& name);
/// Whether a file is one of which commit() was never called: it says so itself, or it has the name
/// of a partial file whose journal lies beside it.
bool is_unfinished(const std::string& name);
/// What to do about an unfinished file, as "run ... again".
std::string how_to_finish(const std::string& name);
/// Whether there is anything of this name.
bool exists(const std::string& name);
/// Whether another process is writing this output.
bool is_being_written(const std::string& name);
/// Whether the name leads to the open file; false, too, where the system does not tell.
bool is_named(int descriptor, const std::string& name);
/// Makes a rename, a removal or a new file durable.
void sync_folder_of(const std::string& name) noexcept;

/// Throws what PartialFile does for a name that cannot be written: for outputs whose size comes
/// only after long work. Nothing is left, and what an earlier run left stays.
void check_can_write(const std::string& name);

}  // namespace sightline::io
