#include "host/files/core/journal.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace sightline::io {
namespace {

constexpr char journal_magic[8] = {'s', 'i', 'g', 'h', 't', 'j', 'n', 'l'};
constexpr std::uint64_t journal_version = 1;

/// As it lies in the file.
struct Head {
  char magic[8];
  std::uint64_t version, file_bytes, rows, columns, text_bytes;
};
struct Record {
  GridPart part;
  std::uint64_t step, cells, sum[8], first_bad, seconds;
  std::uint64_t checksum;  ///< seeded by the header and the record's number
};
static_assert(sizeof(Head) == 48 && sizeof(Record) == 136);

std::uint64_t checksum_of(const Record& record, std::uint64_t seed, std::uint64_t number) {
  return XXH3_64bits_withSeed(&record, offsetof(Record, checksum), seed + number);
}

std::string bytes_of(const JournalHeader& header) {
  Head head = {{},          journal_version, header.file_bytes,
               header.rows, header.columns,  header.file_header.size()};
  std::memcpy(head.magic, journal_magic, sizeof journal_magic);
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += header.file_header;
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes;
}

std::uint64_t seed_of(const std::string& header_bytes) {
  std::uint64_t seed = 0;
  std::memcpy(&seed, header_bytes.data() + header_bytes.size() - sizeof seed, sizeof seed);
  return seed;
}

std::optional<JournalHeader> read_journal_header(const File& file) {
  Head head = {};
  if (file.size() < sizeof head) return std::nullopt;
  file.read(0, &head, sizeof head);
  if (std::memcmp(head.magic, journal_magic, sizeof journal_magic) != 0) return std::nullopt;
  if (head.version != journal_version) {
    refuse(file.name(),
           "a journal of version {}, this program resumes version {}: finish the job with its "
           "own program, or begin anew with --restart",
           head.version, journal_version);
  }
  if (head.text_bytes > std::min(max_header_bytes, file.size() - sizeof head)) return std::nullopt;
  JournalHeader header = {std::string(head.text_bytes, '\0'), head.file_bytes, head.rows,
                          head.columns};
  file.read(sizeof head, header.file_header.data(), head.text_bytes);
  const std::string expected = bytes_of(header), found = file.start(expected.size());
  return found == expected ? std::optional(header) : std::nullopt;
}

bool lies_in(const GridPart& part, const JournalHeader& header) {
  return part.row <= header.rows && part.rows <= header.rows - part.row &&
         part.column <= header.columns && part.columns <= header.columns - part.column;
}

/// Whether b begins where a ends, so that the two are one part.
bool joins(const JournalEntry& a, const JournalEntry& b) {
  if (a.step != b.step) return false;
  const GridPart &p = a.part, &q = b.part;
  const bool beside = p.row == q.row && p.rows == q.rows && q.column == p.column + p.columns;
  const bool below = p.column == q.column && p.columns == q.columns && q.row == p.row + p.rows;
  return beside || below;
}

void join(JournalEntry& a, const JournalEntry& b) {
  if (a.part.row == b.part.row) {
    a.part.columns += b.part.columns;
  } else {
    a.part.rows += b.part.rows;
  }
  a.cells += b.cells;
  a.counts.add(b.counts);
  a.seconds += b.seconds;
}

std::string value_of(const Metadata& metadata, const std::string& key) {
  const auto at = metadata.find(key);
  return at == metadata.end() ? "absent" : in_quotes(at->second);
}

bool begins_with_header(const PartialFile& file, const JournalHeader& job) {
  std::uint64_t length = job.file_header.size();
  std::string begin(sizeof length, '\0');
  std::memcpy(begin.data(), &length, sizeof length);
  std::string found(begin.size() + length, '\0');
  file.read(0, found.data(), found.size());
  // The length, or its first bytes, is there instead of the mark after a kill in commit(), and in
  // what an earlier program left.
  const auto replaced = std::ranges::mismatch(begin, found).in1 - begin.begin();
  const auto from = static_cast<std::size_t>(replaced), n = begin.size();
  const bool begins = found.substr(from, n - from) == unfinished_mark.substr(from);
  return begins && found.substr(n) == job.file_header;
}

}  // namespace

bool GridPart::holds(const GridPart& other) const {
  return row <= other.row && other.row + other.rows <= row + rows && column <= other.column &&
         other.column + other.columns <= column + columns;
}

void JobCounts::add(const JobCounts& other) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other.sum[i];
  first_bad = std::min(first_bad, other.first_bad);
}

void add_entry(std::vector<JournalEntry>& entries, const JournalEntry& entry) {
  entries.push_back(entry);
  // A row of tiles that is whole may then join the rows above.
  while (entries.size() > 1 && joins(entries[entries.size() - 2], entries.back())) {
    join(entries[entries.size() - 2], entries.back());
    entries.pop_back();
  }
}

std::optional<JournalContent> read_journal(const std::string& name) {
  if (!exists(journal_name(name))) return std::nullopt;
  const File file(journal_name(name));
  const std::optional<JournalHeader> header = read_journal_header(file);
  if (!header) return std::nullopt;
  JournalContent content = {*header, {}, 0};
  const std::string head = bytes_of(*header);
  const std::uint64_t seed = seed_of(head), most = (file.size() - head.size()) / sizeof(Record);
  for (std::uint64_t i = 0; i < most; ++i) {
    Record record = {};
    file.read(head.size() + i * sizeof record, &record, sizeof record);
    if (record.checksum != checksum_of(record, seed, i) || !lies_in(record.part, *header)) break;
    JournalEntry entry = {
        record.part, record.step, record.cells, {}, std::bit_cast<double>(record.seconds)};
    std::copy(std::begin(record.sum), std::end(record.sum), entry.counts.sum.begin());
    entry.counts.first_bad = record.first_bad;
    add_entry(content.entries, entry);
    ++content.records;
  }
  return content;
}

Metadata metadata_of(const std::string& file, const JournalHeader& header) {
  const std::uint64_t before = sizeof(std::uint64_t) + header.file_header.size();
  return parse_header(file, header.file_header, header.file_bytes - before).metadata;
}

std::uint64_t cells_in(const std::string& file, const JournalHeader& header) {
  const Metadata metadata = metadata_of(file, header);
  const auto at = metadata.find(cells_key);
  const auto said = at == metadata.end() ? std::nullopt : number_from<std::uint64_t>(at->second);
  return said.value_or(header.rows * header.columns);
}

std::string first_difference(const Metadata& its, const Metadata& others, std::string_view other) {
  const auto same = [&](const std::string& key) {
    const auto a = its.find(key), b = others.find(key);
    return a != its.end() && b != others.end() ? a->second == b->second
                                               : a == its.end() && b == others.end();
  };
  const auto tell = [&](const std::string& key) {
    return fmt::format("its {} is {}, {} is {}", in_quotes(key), value_of(its, key), other,
                       value_of(others, key));
  };
  // Jobs of unlike kinds have unlike parameters, too.
  if (!same(kind_key)) return tell(kind_key);
  for (const auto& [key, value] : others) {
    if (!same(key)) return tell(key);
  }
  for (const auto& [key, value] : its) {
    if (!same(key)) return tell(key);
  }
  return "";
}

void refuse_other_work(const PartialFile& file, const JournalHeader& left,
                       const JournalHeader& job) {
  const std::string partial = partial_name(file.name());
  if (left != job) {
    const std::string difference = first_difference(metadata_of(journal_name(file.name()), left),
                                                    metadata_of(file.name(), job), "this job's");
    fail(ErrorKind::bad_input,
         "{} holds unfinished work of another job: {}; finish that job, name another output, or "
         "throw the work away with --restart",
         partial, difference.empty() ? "its tensors are others" : difference);
  }
  if (file.size() != job.file_bytes || !begins_with_header(file, job)) {
    throw Error(ErrorKind::bad_input,
                partial + " was changed since its journal was written: begin anew with --restart");
  }
}

void remove_journal(const std::string& name) {
  const std::string journal = journal_name(name);
  if (::unlink(journal.c_str()) == 0) {
    sync_folder_of(name);
  } else if (errno != ENOENT) {
    fail_with(errno, journal, "cannot be removed");
  }
}

std::uint64_t cells_of(const JournalContent& content) {
  std::uint64_t cells = 0;
  for (const JournalEntry& entry : content.entries) cells += entry.cells;
  return cells;
}

Journal::Journal(const std::string& name, const JournalHeader& header, std::uint64_t records)
    : name_(name), journal_(journal_name(name)), records_(records) {
  const std::string head = bytes_of(header);
  header_bytes_ = head.size();
  seed_ = seed_of(head);
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (records == 0 ? O_TRUNC : 0);
  descriptor_ = Descriptor(::open(journal_.c_str(), flags, 0666));
  if (descriptor_ < 0) fail_with(errno, journal_, "cannot be written");
  // A record that was torn must not stay between those that follow it.
  const std::uint64_t end = header_bytes_ + records * sizeof(Record);
  try {
    if (records == 0) write_exactly(descriptor_, journal_, 0, head.data(), head.size());
    if (::ftruncate(descriptor_, static_cast<off_t>(end)) != 0) {
      fail_with(errno, journal_, "cannot be written");
    }
  } catch (...) {
    if (records == 0) remove();
    throw;
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0 && records_ == 0) remove();
}

void Journal::append(std::span<const JournalEntry> entries) {
  std::string bytes;
  std::uint64_t number = records_;
  for (const JournalEntry& entry : entries) {
    Record record = {entry.part,
                     entry.step,
                     entry.cells,
                     {},
                     entry.counts.first_bad,
                     std::bit_cast<std::uint64_t>(entry.seconds),
                     0};
    std::copy(entry.counts.sum.begin(), entry.counts.sum.end(), record.sum);
    record.checksum = checksum_of(record, seed_, number++);
    bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
  }
  write_exactly(descriptor_, journal_, header_bytes_ + records_ * sizeof(Record), bytes.data(),
                bytes.size());
  if (::fdatasync(descriptor_) != 0) fail_with(errno, journal_, "cannot be written");
  // The names of the journal and of the partial file.
  if (records_ == 0) sync_folder_of(name_);
  records_ = number;
}

void Journal::remove() noexcept {
  // Once the output has its name, another run may have begun a journal of its own.
  if (is_named(descriptor_, journal_)) ::unlink(journal_.c_str());
  descriptor_ = Descriptor();
}

}  // namespace sightline::io
