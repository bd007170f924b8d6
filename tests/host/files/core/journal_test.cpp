// Work that is taken up again: after a stop, after a torn or damaged journal, never another job's.
#include "host/files/core/container.hpp"
#include "tests/host/files/io_test.hpp"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

namespace sightline::io {
namespace {

constexpr std::uint64_t elements = 40, part_rows = 8, parts = elements / part_rows;
constexpr std::uint64_t record_bytes = 136;

std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> x(elements);
  for (std::uint32_t i = 0; i < elements; ++i) x[i] = (i + 1) * 2654435761u;
  return x;
}

class JournalTest : public IoTest {
 protected:
  const std::vector<TensorSpec> tensors_ = {{"x", Dtype::u32, {elements}}};
  const std::vector<std::uint32_t> x_ = numbers();

  ContainerWriter open(const std::string& name, const std::string& parameter = "1",
                       const ResumeOptions& resume = {false, 0}) const {
    return {path(name), tensors_, {{"query", parameter}}, LongJob{elements, 1, resume}};
  }
  void work(ContainerWriter& writer, std::uint64_t part) const {
    const std::uint64_t first = part * part_rows;
    writer.write("x", first, part_rows, &x_[first]);
    JobCounts counts;
    counts.sum[2] = part + 1;
    if (part == 1) counts.first_bad = first;
    writer.mark_done({{first, part_rows, 0, 1}, 0, part_rows, counts, 0});
  }
  /// Leaves the first parts done.
  void leave(const std::string& name, std::uint64_t done) const {
    ContainerWriter writer = open(name);
    for (std::uint64_t part = 0; part < done; ++part) work(writer, part);
  }
  /// How many of the parts, from the first on, are said to be done.
  static std::uint64_t done_parts(const ContainerWriter& writer) {
    if (writer.taken_up().empty()) return 0;
    EXPECT_EQ(writer.taken_up().size(), 1u);
    EXPECT_EQ(writer.taken_up()[0].part.row, 0u);
    return writer.taken_up()[0].part.rows / part_rows;
  }
  /// Does the rest; the bytes of the whole.
  std::string finish(const std::string& name, std::uint64_t expected_done) const {
    ContainerWriter writer = open(name, "1", {false, 1e6});
    EXPECT_EQ(done_parts(writer), expected_done);
    for (std::uint64_t part = done_parts(writer); part < parts; ++part) work(writer, part);
    writer.commit();
    EXPECT_FALSE(exists(name + ".journal"));
    EXPECT_FALSE(exists(name + ".partial"));
    return get(name);
  }
  std::string whole() const {
    ContainerWriter writer(path("whole"), tensors_, {{"query", "1"}});
    writer.write("x", 0, elements, x_.data());
    writer.commit();
    return get("whole");
  }
  /// The partial file with what comes after the first parts spoilt: nothing vouches for it.
  static std::string spoilt(std::string partial, std::uint64_t good_parts) {
    const std::uint64_t bytes = (elements - good_parts * part_rows) * sizeof(std::uint32_t);
    std::fill(partial.end() - static_cast<std::ptrdiff_t>(bytes), partial.end(), '\x5a');
    return partial;
  }
};

TEST_F(JournalTest, WhatWasDoneIsTakenUp) {
  for (std::uint64_t done = 1; done <= parts; ++done) {
    std::string f("f");
    f += std::to_string(done);
    leave(f, done);
    EXPECT_TRUE(exists(f + ".partial") && exists(f + ".journal") && !exists(f));
    {
      const ContainerWriter writer = open(f);
      ASSERT_EQ(writer.taken_up().size(), 1u);
      const JournalEntry& entry = writer.taken_up()[0];
      EXPECT_EQ(entry.cells, done * part_rows);
      EXPECT_EQ(entry.counts.sum[2], done * (done + 1) / 2);
      EXPECT_EQ(entry.counts.first_bad, done > 1 ? part_rows : JobCounts::no_bad);
    }
    EXPECT_TRUE(finish(f, done) == whole());
  }
}

TEST_F(JournalTest, WithoutWorkNothingIsLeft) {
  leave("f", 0);
  EXPECT_EQ(entries(), 0);
  {
    // Not durable yet, so that nobody may count on it.
    ContainerWriter writer = open("f", "1", {false, 1e6});
    work(writer, 0);
  }
  EXPECT_EQ(entries(), 0);
  {
    ContainerWriter writer = open("f", "1", {false, 1e6});
    work(writer, 0);
    writer.keep_done();
    work(writer, 1);
  }
  EXPECT_TRUE(finish("f", 1) == whole());
}

TEST_F(JournalTest, TornAnywhere) {
  const std::string expected = whole();
  leave("left", 4);
  const std::string partial = get("left.partial"), journal = get("left.journal");
  const std::uint64_t head = journal.size() - 4 * record_bytes;
  for (std::uint64_t size = 0; size <= journal.size(); size += size < head ? 5 : 1) {
    const std::uint64_t good = size < head ? 0 : (size - head) / record_bytes;
    put("f.partial", spoilt(partial, good));
    put("f.journal", journal.substr(0, size));
    if (size % 29 == 0) {
      ASSERT_TRUE(finish("f", good) == expected) << size;
    } else {
      ASSERT_EQ(done_parts(open("f")), good) << size;
    }
  }
}

TEST_F(JournalTest, DamagedAnywhere) {
  const std::string expected = whole();
  leave("left", 4);
  const std::string partial = get("left.partial"), journal = get("left.journal");
  const std::uint64_t head = journal.size() - 4 * record_bytes;
  for (std::uint64_t at = 0; at < journal.size(); at += at < head ? 3 : 1) {
    std::string damaged = journal;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    const std::uint64_t good = at < head ? 0 : (at - head) / record_bytes;
    put("f.partial", spoilt(partial, good));
    put("f.journal", damaged);
    if (at >= 8 && at < 16) {
      expect_error(ErrorKind::bad_input, {"f.journal", "version", "--restart"}, [&] { open("f"); });
      EXPECT_TRUE(get("f.journal") == damaged && exists("f.partial"));
      continue;
    }
    if (at % 29 == 0) {
      ASSERT_TRUE(finish("f", good) == expected) << at;
    } else {
      ASSERT_EQ(done_parts(open("f")), good) << at;
    }
  }
}

TEST_F(JournalTest, ATornRecordDoesNotStayBetweenOthers) {
  leave("f", 3);
  const std::string journal = get("f.journal");
  put("f.journal", journal.substr(0, journal.size() - 1));
  {
    ContainerWriter writer = open("f");
    ASSERT_EQ(done_parts(writer), 2u);
    work(writer, 2);
    work(writer, 3);
  }
  EXPECT_TRUE(finish("f", 4) == whole());
  // Nor do those after a damaged one come back.
  leave("g", 4);
  std::string damaged = get("g.journal");
  damaged[damaged.size() - 3 * record_bytes] ^= 1;
  put("g.journal", damaged);
  {
    ContainerWriter writer = open("g");
    ASSERT_EQ(done_parts(writer), 1u);
    work(writer, 1);
  }
  EXPECT_TRUE(finish("g", 2) == whole());
}

TEST_F(JournalTest, RecordsOfAnotherJournalDoNotCount) {
  leave("f", 2);
  ContainerWriter(open("g", "2")).commit();
  {
    ContainerWriter other = open("g", "2");
    for (std::uint64_t part = 0; part < 4; ++part) work(other, part);
  }
  const std::string other = get("g.journal");
  put("f.journal", get("f.journal") + other.substr(other.size() - 2 * record_bytes));
  EXPECT_TRUE(finish("f", 2) == whole());
  // Nor do those of the same, moved or twice.
  leave("h", 2);
  const std::string journal = get("h.journal");
  put("h.journal", journal + journal.substr(journal.size() - record_bytes));
  EXPECT_TRUE(finish("h", 2) == whole());
}

TEST_F(JournalTest, AnotherJobsWorkIsRefusedAndStays) {
  leave("f", 3);
  const std::string partial = get("f.partial"), journal = get("f.journal");
  const auto expect_refused = [&](std::initializer_list<std::string> words, const auto& function) {
    expect_error(ErrorKind::bad_input, words, function);
    EXPECT_TRUE(get("f.partial") == partial && get("f.journal") == journal);
  };
  expect_refused({"f.partial", "'query' is '1'", "'2'", "--restart"}, [&] { open("f", "2"); });
  expect_refused({"f.partial", "tensors"}, [&] {
    ContainerWriter(path("f"), {{"x", Dtype::u32, {elements / 2}}}, {{"query", "1"}},
                    LongJob{elements / 2, 1, {}});
  });
  expect_error(ErrorKind::io, {"f.partial", "unfinished"}, [&] { PartialFile(path("f"), 3); });
  check_can_write(path("f"));
  EXPECT_TRUE(get("f.partial") == partial && get("f.journal") == journal);
  {
    ContainerWriter anew = open("f", "2", {true, 0});
    EXPECT_TRUE(anew.taken_up().empty());
    work(anew, 0);
  }
  expect_error(ErrorKind::bad_input, {"'query' is '2'"}, [&] { open("f"); });
}

TEST_F(JournalTest, AChangedPartialFileIsRefused) {
  leave("f", 3);
  const std::string partial = get("f.partial");
  for (std::string changed : {partial.substr(1), partial + " ", std::string("x")}) {
    put("f.partial", changed);
    expect_error(ErrorKind::bad_input, {"f.partial", "changed"}, [&] { open("f"); });
    EXPECT_TRUE(get("f.partial") == changed);
  }
  std::string other = partial;
  other[12] ^= 1;
  put("f.partial", other);
  expect_error(ErrorKind::bad_input, {"f.partial", "changed"}, [&] { open("f"); });
  put("f.partial", partial);
  EXPECT_TRUE(finish("f", 3) == whole());
}

// As a kill between the header's last bytes and the rename leaves it, and earlier programs did.
TEST_F(JournalTest, APartialFileWithoutItsMarkIsTakenUp) {
  leave("left", 3);
  std::string partial = get("left.partial");
  ASSERT_TRUE(partial.starts_with(unfinished_mark));
  // All of it or a part, as a kill half-way through a write leaves it.
  for (const std::size_t replaced : {unfinished_mark.size(), std::size_t{4}, std::size_t{1}}) {
    leave("f", 3);
    put("f.partial", partial.replace(0, replaced, whole().substr(0, replaced)));
    EXPECT_TRUE(finish("f", 3) == whole()) << replaced;
    partial.replace(0, unfinished_mark.size(), unfinished_mark);
  }
  leave("f", 3);
  put("f.partial", partial.replace(4, 4, whole().substr(4, 4)));
  EXPECT_THROW(finish("f", 3), Error) << "the mark is written from its begin";
}

// What a kill between the rename and the journal's removal leaves.
TEST_F(JournalTest, AJournalAloneVouchesForNothing) {
  leave("left", parts);
  const std::string journal = get("left.journal");
  put("f.journal", journal);
  {
    const ContainerWriter writer = open("f");
    EXPECT_TRUE(writer.taken_up().empty());
    EXPECT_EQ(read_journal(path("f"))->records, 0u);
  }
  EXPECT_FALSE(exists("f.journal"));
  put("f.journal", journal);
  put("f.partial", "");
  EXPECT_TRUE(finish("f", 0) == whole());
  // The output of a job without one: killed while it writes, it must not seem done.
  put("f.journal", journal);
  { const PartialFile plain(path("f"), get("left.partial").size()); }
  EXPECT_FALSE(exists("f.journal"));
}

TEST_F(JournalTest, TwoWritersAtOnce) {
  leave("f", 1);
  {
    const ContainerWriter writer = open("f");
    EXPECT_TRUE(is_being_written(path("f")));
    expect_error(ErrorKind::io, {"f.partial", "another writer"}, [&] { open("f"); });
    expect_error(ErrorKind::io, {"f.partial", "another writer"}, [&] {
      open("f", "1", {true, 0});
    });
  }
  EXPECT_FALSE(is_being_written(path("f")));
  EXPECT_FALSE(is_being_written(path("none")));
  EXPECT_TRUE(finish("f", 1) == whole());
}

TEST_F(JournalTest, AFullDiskKeepsWhatWasDone) {
  leave("f", 2);
  const std::uint64_t size = get("f.journal").size();
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {size + record_bytes + 20, size + record_bytes + 20};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
    try {
      ContainerWriter writer = open("f");
      work(writer, 2);
      work(writer, 3);  // a part of its record fits
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::io ? 42 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
  EXPECT_GT(get("f.journal").size(), size + record_bytes);
  EXPECT_TRUE(finish("f", 3) == whole());
}

TEST_F(JournalTest, PartsThatMeetAreOne) {
  std::vector<JournalEntry> entries;
  const auto add = [&](GridPart part, std::uint64_t step = 2) {
    add_entry(entries, {part, step, part.rows * part.columns, {}, 1});
  };
  add({0, 2, 0, 2});
  add({0, 2, 2, 2});
  EXPECT_EQ(entries.size(), 1u);
  add({2, 2, 0, 2});
  EXPECT_EQ(entries.size(), 2u);
  add({2, 2, 2, 2});  // the second row of tiles is whole, and so are both
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].part, (GridPart{0, 4, 0, 4}));
  EXPECT_EQ(entries[0].cells, 16u);
  EXPECT_EQ(entries[0].seconds, 4);
  add({4, 1, 0, 4}, 1);  // tiles of another size
  add({6, 1, 0, 4}, 1);  // a gap
  add({7, 1, 1, 4}, 1);  // shifted
  EXPECT_EQ(entries.size(), 4u);
  EXPECT_TRUE((GridPart{0, 4, 0, 4}).holds({1, 2, 3, 1}));
  for (const GridPart part : {GridPart{1, 4, 0, 4}, {1, 2, 3, 2}, {4, 1, 0, 1}}) {
    EXPECT_FALSE((GridPart{0, 4, 0, 4}).holds(part));
  }
}

}  // namespace
}  // namespace sightline::io
