#include "host/files/core/file.hpp"

#include "tests/host/files/io_test.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

namespace sightline::io {
namespace {

using FileTest = IoTest;

TEST_F(FileTest, ReadsByPosition) {
  const File file(put("a", "0123456789"));
  EXPECT_EQ(file.size(), 10u);
  char bytes[4] = {};
  file.read(3, bytes, 4);
  EXPECT_EQ(std::string(bytes, 4), "3456");
  file.read(10, bytes, 0);
}

TEST_F(FileTest, NeverReadsPastTheEnd) {
  const File file(put("a", "0123456789"));
  char bytes[20] = {};
  expect_error(ErrorKind::bad_input, {path("a"), "ends 3 bytes too early"},
               [&] { file.read(8, bytes, 5); });
  expect_error(ErrorKind::bad_input, {"too early"}, [&] { file.read(11, bytes, 1); });
  expect_error(ErrorKind::bad_input, {"too early"}, [&] { file.read(~0ull, bytes, 1); });
}

TEST_F(FileTest, RefusesWhatIsNoFile) {
  expect_error(ErrorKind::io, {path("none"), "No such file"}, [&] { File file(path("none")); });
  expect_error(ErrorKind::io, {"not a regular file"}, [&] { File file(folder_.string()); });
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::io, {"not a regular file"}, [&] { File file(path("pipe")); });
}

TEST_F(FileTest, AppearsOnlyWhenWhole) {
  put("out", "old");
  {
    PartialFile file(path("out"), 6);
    EXPECT_TRUE(exists("out.partial"));
    EXPECT_EQ(std::filesystem::file_size(path("out.partial")), 6u);
    file.write(3, "def", 3);
    EXPECT_EQ(get("out"), "old");
    file.write(0, "abc", 3);
    file.commit();
  }
  EXPECT_EQ(get("out"), "abcdef");
  EXPECT_EQ(entries(), 1);
}

// Under any name, so that nobody takes it for the result.
TEST_F(FileTest, SaysThatItIsUnfinishedUntilItIsWhole) {
  PartialFile file(path("out"), 12);
  file.write(4, "efghijkl", 8);
  file.write(0, "abcdef", 6);
  EXPECT_EQ(get("out.partial"), "sightprtijkl");
  put("renamed", get("out.partial"));
  for (const char* name : {"out.partial", "renamed"}) {
    EXPECT_TRUE(is_unfinished(path(name))) << name;
    expect_error(ErrorKind::bad_input, {name, "is an unfinished output"},
                 [&] { const File opened(path(name)); });
  }
  file.commit();
  EXPECT_EQ(get("out"), "abcdefghijkl");
  EXPECT_FALSE(is_unfinished(path("out")));
}

TEST_F(FileTest, APartialFileBesideItsJournalIsUnfinished) {
  put("out.partial", "begun by an earlier program");
  EXPECT_FALSE(is_unfinished(path("out.partial")));
  put("out.journal", "what is done");
  EXPECT_TRUE(is_unfinished(path("out.partial")));
  expect_error(ErrorKind::bad_input, {"out.partial", "run the command that writes", "again"},
               [&] { const File opened(path("out.partial")); });
}

TEST_F(FileTest, LeavesNothingWithoutCommit) {
  put("out", "old");
  {
    PartialFile file(path("out"), 3);
    PartialFile moved = std::move(file);
    moved.write(0, "new", 3);
  }
  EXPECT_EQ(get("out"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, LeavesNothingWhenTheStackUnwinds) {
  EXPECT_THROW(
      {
        PartialFile file(path("out"), 3);
        throw std::runtime_error("interrupted");
      },
      std::runtime_error);
  EXPECT_EQ(entries(), 0);
}

TEST_F(FileTest, ReplacesWhatAKilledRunLeft) {
  put("out.partial", "much more than the new file has");
  PartialFile file(path("out"), 2);
  file.write(0, "ab", 2);
  file.commit();
  EXPECT_EQ(get("out"), "ab");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, RefusesASecondWriter) {
  PartialFile file(path("out"), 2);
  expect_error(ErrorKind::io, {"out.partial", "another writer"},
               [&] { PartialFile second(path("out"), 2); });
  file.write(0, "ab", 2);
  file.commit();
  EXPECT_EQ(get("out"), "ab");
}

TEST_F(FileTest, APartialFileThatIsAPipeIsRefusedAndStays) {
  ASSERT_EQ(::mkfifo(path("out.partial").c_str(), 0600), 0);
  expect_error(ErrorKind::io, {"out.partial", "not a regular file"},
               [&] { PartialFile(path("out"), 2); });
  EXPECT_TRUE(exists("out.partial"));
}

TEST_F(FileTest, NoOthersWorkGetsTheName) {
  for (const bool replaced : {true, false}) {
    {
      PartialFile file(path("out"), 2);
      std::filesystem::remove(path("out.partial"));
      if (replaced) put("out.partial", "not ours");
      expect_error(ErrorKind::io, {"out", "cannot be written"}, [&] { file.commit(); });
    }
    EXPECT_FALSE(exists("out"));
    EXPECT_EQ(get("out.partial"), replaced ? "not ours" : "");
    std::filesystem::remove(path("out.partial"));
  }
}

TEST_F(FileTest, AskingDoesNotRefuseAWriter) {
  put("out.partial", "");
  std::atomic<bool> done = false;
  std::thread asking([&] {
    while (!done) is_being_written(path("out"));
  });
  for (int i = 0; i < 200; ++i) EXPECT_NO_THROW(PartialFile(path("out"), 2).commit()) << i;
  done = true;
  asking.join();
}

TEST_F(FileTest, WritersThatMeetLeaveWholeFiles) {
  constexpr std::uint64_t size = 5000;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      const std::string mine(size, static_cast<char>('a' + k));
      for (int i = 0; i < 50; ++i) {
        try {
          PartialFile file(path("out"), size);
          file.write(0, mine.data(), size);
          if (i % 3 != 0) file.commit();
        } catch (const Error& error) {
          ASSERT_NE(std::string(error.what()).find("another writer"), std::string::npos)
              << error.what();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string found = get("out");
  ASSERT_EQ(found.size(), size);
  EXPECT_EQ(found, std::string(size, found[0]));
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, RefusesWritesOutsideTheSize) {
  PartialFile file(path("out"), 4);
  expect_error(ErrorKind::internal, {"outside"}, [&] { file.write(2, "abc", 3); });
  expect_error(ErrorKind::internal, {"outside"}, [&] { file.write(~0ull, "abc", 3); });
}

TEST_F(FileTest, RefusesPlacesThatCannotBeWritten) {
  expect_error(ErrorKind::io, {"none/out: cannot be written: there is no folder", "none"},
               [&] { PartialFile file(path("none/out"), 4); });
  expect_error(ErrorKind::io, {"not a regular file"},
               [&] { PartialFile file(folder_.string(), 4); });
  EXPECT_EQ(entries(), 0);
}

TEST_F(FileTest, NeverReplacesADevice) {
  expect_error(ErrorKind::io, {"/dev/full", "not a regular file"},
               [&] { PartialFile file("/dev/full", 4); });
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  EXPECT_FALSE(std::filesystem::exists("/dev/full.partial"));
}

TEST_F(FileTest, NeverReplacesALink) {
  put("target", "old");
  std::filesystem::create_symlink(path("target"), path("link"));
  expect_error(ErrorKind::io, {path("link"), "not a regular file"},
               [&] { PartialFile file(path("link"), 4); });
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(get("target"), "old");
  EXPECT_EQ(entries(), 2);
}

TEST_F(FileTest, RefusesSizesThatNoFileHas) {
  expect_error(ErrorKind::io, {path("out"), "18446744073709551615 bytes cannot be reserved"},
               [&] { PartialFile file(path("out"), ~0ull); });
  EXPECT_EQ(entries(), 0);
}

/// Runs in a child, so that its limits stay its own; the exit status says what happened.
template <class Function>
int in_child(Function function) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(function());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(FileTest, RefusesAFolderWithoutPermission) {
  std::filesystem::permissions(
      folder_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const int result = in_child([&] {
    // Root may write everywhere, so it becomes nobody first.
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 1;
    try {
      PartialFile file(path("out"), 4);
    } catch (const Error& error) {
      const std::string what = error.what();
      return error.kind() == ErrorKind::io && what.find("Permission denied") != what.npos ? 42 : 2;
    }
    return 3;
  });
  EXPECT_EQ(result, 42);
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  EXPECT_EQ(entries(), 0);
}

TEST_F(FileTest, TellsOfALimitBeforeTheWork) {
  const int result = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {4096, 4096};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    try {
      PartialFile file(path("out"), 5000);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::io && !exists("out.partial") ? 42 : 2;
    }
    return 3;
  });
  EXPECT_EQ(result, 42);
  EXPECT_EQ(entries(), 0);
}

TEST_F(FileTest, TellsOfAFullDiskBeforeTheWork) {
  const std::string disk = path("disk");
  ASSERT_TRUE(std::filesystem::create_directory(disk));
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=65536") != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  expect_error(ErrorKind::io, {"disk/out", "1000000 bytes cannot be reserved", "No space left"},
               [&] { PartialFile file(disk + "/out", 1000000); });
  EXPECT_TRUE(std::filesystem::is_empty(disk));
  {
    PartialFile file(disk + "/out", 60000);
    file.commit();
  }
  EXPECT_EQ(std::filesystem::file_size(disk + "/out"), 60000u);
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace sightline::io
