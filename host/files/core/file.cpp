#include "host/files/core/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace sightline::io {
namespace {

// Linux moves at most about 2 GiB a call.
constexpr std::uint64_t largest_transfer = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_offset = static_cast<std::uint64_t>(INT64_MAX);
// More than any race between writers takes. A system that never stops saying the same must not
// keep the program: it would look at no signal either.
constexpr int most_attempts = 100;

/// Calls f() again while a signal interrupts it.
template <class F>
auto uninterrupted(const F& f) {
  auto result = f();
  for (int i = 1; i < most_attempts && result < 0 && errno == EINTR; ++i) result = f();
  return result;
}

std::atomic<void (*)()> poller{nullptr};

/// Reserves the bytes on the disk, or at least sets the size where the file system cannot.
int reserve_bytes(int descriptor, std::uint64_t bytes) {
  if (bytes > largest_offset) return EFBIG;
  const auto size = static_cast<off_t>(bytes);
  if (bytes == 0 || uninterrupted([&] { return ::fallocate(descriptor, 0, 0, size); }) == 0) {
    return 0;
  }
  const int error = errno;
  if (error != EOPNOTSUPP && error != ENOSYS) return error;
  return ::ftruncate(descriptor, size) == 0 ? 0 : errno;
}

/// Takes the only writer's lock; false where another has it. Whoever asks is_being_written() has a
/// lock as well, for a moment.
bool lock_for_writing(int descriptor) {
  for (int attempt = 0;; ++attempt) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    if (attempt == 20) return false;
    ::usleep(5000);
  }
}

/// Throws why there can be no output of this name.
[[noreturn]] void refuse_output(int error, const std::string& name) {
  const std::string folder = std::filesystem::path(name).parent_path().string();
  if ((error == ENOENT || error == ENOTDIR) && !folder.empty()) {
    throw Error(ErrorKind::io,
                exists(folder)
                    ? fmt::format("{}: cannot be written: {} is not a folder", name, folder)
                    : fmt::format("{}: cannot be written: there is no folder {}", name, folder));
  }
  fail_with(error, name, "cannot be written");
}

/// Whether a name leads to an open file, or the errno of the system that cannot tell.
struct Naming {
  bool same = false;
  int error = 0;
};
Naming naming(std::uint64_t device, std::uint64_t inode, const std::string& name) {
  struct stat named = {};
  if (::stat(name.c_str(), &named) != 0) return {false, errno == ENOENT ? 0 : errno};
  return {named.st_dev == device && named.st_ino == inode, 0};
}

/// Opens an output's partial file `name`, made if need be, as the only writer, and finds its
/// status.
Descriptor create_locked(const std::string& output, const std::string& name, struct stat& status) {
  bool made = false;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    Descriptor file(::open(name.c_str(), flags | O_EXCL, 0666));
    made = made || file >= 0;
    if (file < 0 && errno == EEXIST) file = Descriptor(::open(name.c_str(), flags, 0666));
    if (file < 0) refuse_output(errno, output);
    if (!lock_for_writing(file)) {
      throw Error(ErrorKind::io, name + ": another writer is at work on it");
    }
    const Naming found = ::fstat(file, &status) == 0 ? naming(status.st_dev, status.st_ino, name)
                                                     : Naming{false, errno};
    if (found.error != 0) {
      if (made) ::unlink(name.c_str());
      fail_with(found.error, name, "cannot be written");
    }
    if (found.same) return file;
    // Between opening and locking, its writer has renamed or removed it.
  }
  if (made) ::unlink(name.c_str());
  fail(
      ErrorKind::io,
      "{}: cannot be written: in {} attempts the name never led to the file that was opened by it; "
      "write to another file system, or remove what replaces the file",
      name, most_attempts);
}

/// Reads exactly so many bytes.
void read_exactly(int descriptor, const std::string& name, std::uint64_t offset, void* to,
                  std::uint64_t bytes) {
  auto* place = static_cast<char*>(to);
  while (bytes > 0) {
    const std::uint64_t step = std::min(bytes, largest_transfer);
    const ssize_t got = offset > largest_offset ? 0 : uninterrupted([&] {
      return ::pread(descriptor, place, step, static_cast<off_t>(offset));
    });
    if (got < 0) fail_with(errno, name, "cannot be read");
    if (got == 0) refuse(name, "ends {} bytes too early, at byte {}", bytes, offset);
    place += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
}

/// Whether an open file begins as a partial file does.
bool is_marked(int descriptor) {
  char begin[unfinished_mark.size()];
  return ::pread(descriptor, begin, sizeof begin, 0) == sizeof begin &&
         std::string_view(begin, sizeof begin) == unfinished_mark;
}

/// Whether it has the name of a partial file whose journal lies beside it.
bool is_named_unfinished(const std::string& name) {
  const std::string output = output_of_partial(name);
  return !output.empty() && exists(journal_name(output));
}

}  // namespace

void fail_with(int error, const std::string& name, std::string_view what) {
  // A name longer than any file's is no name.
  fail(ErrorKind::io, "{}: {}: {}", error == ENAMETOOLONG ? in_quotes(name) : name, what,
       std::system_category().message(error));
}

void set_poll(void (*ask)()) { poller = ask; }
void poll() {
  if (void (*const ask)() = poller) ask();
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::string partial_name(const std::string& name) { return name + ".partial"; }
std::string journal_name(const std::string& name) { return name + ".journal"; }

std::string output_of_partial(const std::string& name) {
  const std::string ending = partial_name("");
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : "";
}

bool is_unfinished(const std::string& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file >= 0 && (is_marked(file) || is_named_unfinished(name));
}

std::string how_to_finish(const std::string& name) {
  const std::string output = output_of_partial(name);
  if (!output.empty()) return fmt::format("run the command that writes {} again", output);
  return "give it and its journal the names OUTPUT.partial and OUTPUT.journal that they had, and "
         "run "
         "the command that writes OUTPUT again";
}

bool exists(const std::string& name) { return ::access(name.c_str(), F_OK) == 0; }

bool is_named(int descriptor, const std::string& name) {
  struct stat opened = {};
  return ::fstat(descriptor, &opened) == 0 && naming(opened.st_dev, opened.st_ino, name).same;
}

bool is_being_written(const std::string& name) {
  const Descriptor file(::open(partial_name(name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file >= 0 && ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void sync_folder_of(const std::string& name) noexcept {
  // On the stack: there may be no memory.
  char path[PATH_MAX] = ".";
  const std::size_t slash = name.rfind('/');
  if (slash != std::string::npos) path[name.copy(path, std::min(slash + 1, sizeof path - 1))] = 0;
  const Descriptor folder(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder >= 0) ::fsync(folder);
}

// Without O_NONBLOCK a pipe would wait for its writer instead of being refused.
File::File(std::string name)
    : name_(std::move(name)),
      descriptor_(::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) fail_with(errno, name_, "cannot be opened");
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail_with(errno, name_, "cannot be read");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::io, name_ + ": is not a regular file");
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (is_marked(descriptor_) || is_named_unfinished(name_)) {
    refuse(name_, "is an unfinished output: {}", how_to_finish(name_));
  }
}

void File::read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  read_exactly(descriptor_, name_, offset, to, bytes);
}

std::string File::start(std::uint64_t most) const {
  std::string bytes(std::min(size_, most), '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

PartialFile::PartialFile(std::string name) : name_(std::move(name)), partial_(partial_name(name_)) {
  struct stat status = {};
  // The link itself, not where it leads.
  if (::lstat(name_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // The rename would replace a device such as /dev/null, or a link such as /dev/stdout.
    throw Error(ErrorKind::io, name_ + ": cannot be written: it is not a regular file");
  }
  descriptor_ = create_locked(name_, partial_, status);
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::io, partial_ + ": is not a regular file");
  device_ = status.st_dev, inode_ = status.st_ino;
  size_ = static_cast<std::uint64_t>(status.st_size);
  kept_ = size_ > 0;
}

PartialFile::PartialFile(std::string name, std::uint64_t bytes) : PartialFile(std::move(name)) {
  const std::string journal = journal_name(name_);
  if (size_ > 0 && exists(journal)) {
    fail(ErrorKind::io,
         "{} holds unfinished work of another job: let that job finish it, remove it and {}, or "
         "name another output",
         partial_, journal);
  }
  // One without work, of a run that was killed as it ended: it must not vouch for this file.
  if (::unlink(journal.c_str()) == 0) sync_folder_of(name_);
  reserve(bytes);
}

void PartialFile::close() noexcept {
  if (descriptor_ < 0) return;
  // Removed before it is closed: its lock still keeps another writer from taking it over.
  if (!kept_ && naming(device_, inode_, partial_).same) ::unlink(partial_.c_str());
  descriptor_ = Descriptor();
}

void PartialFile::reserve(std::uint64_t bytes) {
  kept_ = false;
  size_ = bytes;
  const int error = ::ftruncate(descriptor_, 0) == 0 ? reserve_bytes(descriptor_, bytes) : errno;
  if (error == 0) return;
  close();
  fail_with(error, name_, fmt::format("{} bytes cannot be reserved", bytes));
}

void PartialFile::read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  read_exactly(descriptor_, partial_, offset, to, bytes);
}

void PartialFile::sync() {
  // The size was reserved, so that the data is all there is to make durable.
  if (::fdatasync(descriptor_) != 0) fail_with(errno, name_, "cannot be written");
}

void PartialFile::write(std::uint64_t offset, const void* from, std::uint64_t bytes) {
  if (descriptor_ < 0 || offset > size_ || bytes > size_ - offset) {
    fail(ErrorKind::internal, "{}: write of {} bytes at {} is outside its {}", name_, bytes, offset,
         size_);
  }
  const auto* rest = static_cast<const char*>(from);
  if (offset < begin_.size()) {
    const std::uint64_t n = std::min(bytes, begin_.size() - offset);
    std::copy_n(rest, n, begin_.data() + offset);
    write_exactly(descriptor_, name_, offset, unfinished_mark.data() + offset, n);
    offset += n, bytes -= n, rest += n;
  }
  write_exactly(descriptor_, name_, offset, rest, bytes);
}

void write_exactly(int descriptor, const std::string& name, std::uint64_t offset, const void* from,
                   std::uint64_t bytes) {
  const auto* place = static_cast<const char*>(from);
  while (bytes > 0) {
    const std::uint64_t step = std::min(bytes, largest_transfer);
    const ssize_t put = uninterrupted(
        [&] { return ::pwrite(descriptor, place, step, static_cast<off_t>(offset)); });
    if (put <= 0) fail_with(put < 0 ? errno : ENOSPC, name, "cannot be written");
    place += put;
    offset += static_cast<std::uint64_t>(put);
    bytes -= static_cast<std::uint64_t>(put);
  }
}

void PartialFile::append(const void* from, std::uint64_t bytes) {
  const std::uint64_t end = size_;
  size_ += bytes;
  write(end, from, bytes);
}

void PartialFile::commit() {
  if (descriptor_ < 0) throw Error(ErrorKind::internal, name_ + ": committed twice");
  sync();  // whatever happens to the machine, what is not whole keeps its mark
  write_exactly(descriptor_, name_, 0, begin_.data(),
                std::min<std::uint64_t>(size_, begin_.size()));
  int error = ::fsync(descriptor_) == 0 ? 0 : errno;
  // Another program may have replaced it: another's work must not get the name.
  if (error == 0) {
    const Naming found = naming(device_, inode_, partial_);
    error = found.error != 0 ? found.error : found.same ? 0 : ESTALE;
  }
  if (error == 0 && ::rename(partial_.c_str(), name_.c_str()) != 0) error = errno;
  if (error != 0) {
    close();
    fail_with(error, name_, "cannot be written");
  }
  descriptor_ = Descriptor();
  sync_folder_of(name_);
}

void write_file(const std::string& name, std::string_view bytes) {
  PartialFile file(name, bytes.size());
  file.write(0, bytes.data(), bytes.size());
  file.commit();
}

void check_can_write(const std::string& name) { const PartialFile nothing(name); }

}  // namespace sightline::io
