#include "host/files/core/container.hpp"

#include "host/files/core/file_format.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sightline::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read and written as they lie");

constexpr std::uint64_t length_bytes = 8, elements_between_polls = 1 << 22;

[[noreturn]] void refuse_container(const File& file, const std::string& reason) {
  if (const std::string words = who_reads(file.name()); !words.empty()) {
    refuse(file.name(), "{}", words);
  }
  const std::string found = looks_like(file.name());
  if (found == "a WAD file" || found == "a Godot scene") {
    refuse(file.name(), "looks like {}: sightline import makes a scene of it", found);
  }
  if (!found.empty()) {
    refuse(file.name(), "looks like {}, where a container is wanted", found);
  }
  char begin = 0;  // of a header
  if (file.size() > length_bytes) file.read(length_bytes, &begin, 1);
  if (begin == '{') refuse(file.name(), "not a container: {}", reason);
  refuse(file.name(),
         "not a container (safetensors), .npy, JSON or CSV; sightline import reads .wad, .tscn and "
         ".escn");
}

std::string read_container_header(const File& file) {
  if (file.size() < length_bytes) {
    refuse_container(file, fmt::format("{} bytes are too few for a container", file.size()));
  }
  std::uint64_t length = 0;
  file.read(0, &length, length_bytes);
  if (length > file.size() - length_bytes || length > max_header_bytes) {
    refuse_container(file,
                     fmt::format("a header of {} bytes in a file of {}", length, file.size()));
  }
  std::string header(length, '\0');
  file.read(length_bytes, header.data(), length);
  return header;
}

void check_range(const std::string& file, std::string_view tensor, const TensorInfo* info,
                 std::uint64_t first, std::uint64_t count) {
  const std::uint64_t elements = info == nullptr ? 0 : info->elements();
  if (info != nullptr && first <= elements && count <= elements - first) return;
  fail(ErrorKind::internal, "{}: elements {} + {} of tensor {} with {}", file, first, count,
       in_quotes(tensor), elements);
}

/// Of a header; throws Error{usage} where it is too long to be read back.
std::uint64_t checked_length(const std::string& file, const std::string& header) {
  if (header.size() <= max_header_bytes) return header.size();
  fail(ErrorKind::usage,
       "{}: a header of {} bytes, metadata and all, is longer than the {} that are read back", file,
       header.size(), max_header_bytes);
}

const TensorInfo* find_in(const std::vector<TensorInfo>& tensors, std::string_view name) {
  const auto at = std::ranges::lower_bound(tensors, name, {}, &TensorInfo::name);
  return at != tensors.end() && at->name == name ? &*at : nullptr;
}

}  // namespace

ContainerReader::ContainerReader(const std::string& name, Numbers numbers) : file_(name) {
  const std::string header = read_container_header(file_);
  data_begin_ = length_bytes + header.size();
  header_ = parse_header(name, header, file_.size() - data_begin_);
  for (TensorInfo& tensor : header_.tensors) {
    // Unsigned integers are masks and ids.
    const bool is_signed = is_integer(tensor.dtype) && dtype_name(tensor.dtype).starts_with('I');
    if (numbers == Numbers::kept || !(is_signed || tensor.dtype == Dtype::f64)) continue;
    tensor.rounded = tensor.dtype;
    tensor.dtype = Dtype::f32;
  }
}

std::string ContainerReader::metadata(const std::string& key) const {
  const auto at = header_.metadata.find(key);
  return at == header_.metadata.end() ? "" : at->second;
}

const TensorInfo* ContainerReader::find(std::string_view tensor) const {
  return find_in(header_.tensors, tensor);
}

const TensorInfo* ContainerReader::find(std::string_view tensor, Dtype dtype,
                                        const Shape& expected) const {
  const TensorInfo* info = find(tensor);
  if (info != nullptr && (info->dtype != dtype || !matches(info->shape, expected))) {
    refuse(name(), "tensor {} is {} {}, not {} {}", in_quotes(tensor),
           dtype_name(info->dtype_in_file()), to_string(info->shape), dtype_name(dtype),
           to_string(expected));
  }
  return info;
}

const TensorInfo& ContainerReader::expect(std::string_view tensor, Dtype dtype,
                                          const Shape& expected) const {
  const TensorInfo* info = find(tensor, dtype, expected);
  if (info == nullptr) {
    refuse(name(), "lacks tensor {} {} {}", in_quotes(tensor), dtype_name(dtype),
           to_string(expected));
  }
  return *info;
}

void ContainerReader::refuse_unknown(std::span<const std::string_view> known) const {
  for (const TensorInfo& tensor : header_.tensors) {
    if (std::find(known.begin(), known.end(), tensor.name) == known.end()) {
      refuse(name(), "unknown tensor {}", in_quotes(tensor.name));
    }
  }
}

void ContainerReader::expect_kind(std::string_view kind, bool required) const {
  const std::string found = metadata(kind_key);
  if (found != kind && (required || !found.empty())) {
    refuse(name(), "is {}, not a file of kind '{}'",
           found.empty() ? "of no stated kind" : "of kind " + in_quotes(found), kind);
  }
  const std::string format = metadata(format_key);
  if (format != format_version && (required || !format.empty())) {
    refuse(name(), "has format {}, this program reads format {}", in_quotes(format),
           format_version);
  }
}

void ContainerReader::read(const TensorInfo& tensor, std::uint64_t first, std::uint64_t count,
                           void* to) const {
  check_range(name(), tensor.name, &tensor, first, count);
  const std::uint64_t size = dtype_bytes(tensor.dtype);
  if (tensor.rounded) {
    return read_numbers(file_, *tensor.rounded, data_begin_ + tensor.begin, first, count,
                        static_cast<float*>(to));
  }
  file_.read(data_begin_ + tensor.begin + first * size, to, count * size);
}

void ContainerReader::read_whole(const TensorInfo& tensor, void* to) const {
  const std::uint64_t elements = tensor.elements();
  for (std::uint64_t first = 0; first < elements; first += elements_between_polls) {
    poll();
    read(tensor, first, std::min(elements_between_polls, elements - first),
         static_cast<char*>(to) + first * dtype_bytes(tensor.dtype));
  }
}

void ContainerReader::read_doubles(const TensorInfo& tensor, std::uint64_t first,
                                   std::uint64_t count, double* to) const {
  check_range(name(), tensor.name, &tensor, first, count);
  read_numbers(file_, tensor.dtype_in_file(), data_begin_ + tensor.begin, first, count, to);
}

struct ContainerWriter::Plan {
  ContainerHeader header;
  std::string text;
  std::uint64_t data_begin = 0;
  std::uint64_t file_bytes = 0;
};

ContainerWriter::Plan ContainerWriter::plan(const std::vector<TensorSpec>& tensors,
                                            const Metadata& metadata) {
  Plan plan;
  plan.header.metadata = metadata;
  for (const TensorSpec& spec : tensors) {
    plan.header.tensors.push_back({spec.name, spec.dtype, spec.shape});
  }
  place_tensors(plan.header.tensors);
  plan.text = format_header(plan.header);
  plan.data_begin = length_bytes + plan.text.size();
  plan.file_bytes = plan.data_begin;
  for (const TensorInfo& tensor : plan.header.tensors) {
    plan.file_bytes = std::max(plan.file_bytes, plan.data_begin + tensor.end);
  }
  return plan;
}

std::uint64_t container_bytes(const std::vector<TensorSpec>& tensors, const Metadata& metadata) {
  return ContainerWriter::plan(tensors, metadata).file_bytes;
}

ContainerWriter::ContainerWriter(const std::string& name, const std::vector<TensorSpec>& tensors,
                                 const Metadata& metadata)
    : ContainerWriter(name, plan(tensors, metadata), nullptr) {}

ContainerWriter::ContainerWriter(const std::string& name, const std::vector<TensorSpec>& tensors,
                                 const Metadata& metadata, const LongJob& job)
    : ContainerWriter(name, plan(tensors, metadata), &job) {}

ContainerWriter::ContainerWriter(const std::string& name, const Plan& plan, const LongJob* job)
    : header_(plan.header),
      data_begin_(length_bytes + checked_length(name, plan.text)),
      file_(job == nullptr ? PartialFile(name, plan.file_bytes) : PartialFile(name)) {
  if (job == nullptr) {
    begin_file(plan);
  } else {
    begin_job(plan, *job);
  }
}

void ContainerWriter::begin_job(const Plan& plan, const LongJob& job) {
  cells_ = job.cells.value_or(job.rows * job.columns);
  const JournalHeader header = {plan.text, plan.file_bytes, job.rows, job.columns};
  std::uint64_t records = 0;
  if (!job.resume.restart && file_.size() > 0) {
    const std::optional<JournalContent> left = read_journal(name());
    if (left && left->records > 0) {
      refuse_other_work(file_, left->header, header);
      records = left->records;
      taken_up_ = left->entries;
    }
  }
  if (records == 0) {
    // First the old journal: it must not vouch for a file that is begun anew.
    remove_journal(name());
    file_.reserve(plan.file_bytes);
  }
  begin_file(plan);
  journal_.emplace(name(), header, records);
  least_pause_ = pause_ = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(job.resume.every_seconds));
}

void ContainerWriter::begin_file(const Plan& plan) {
  const std::uint64_t length = plan.text.size();
  file_.write(0, &length, length_bytes);
  file_.write(length_bytes, plan.text.data(), length);
}

ContainerWriter::Place ContainerWriter::place_of(std::string_view tensor, std::uint64_t first,
                                                 std::uint64_t count) const {
  const TensorInfo* info = find_in(header_.tensors, tensor);
  check_range(name(), tensor, info, first, count);
  const std::uint64_t size = dtype_bytes(info->dtype);
  return {data_begin_ + info->begin + first * size, count * size};
}

void ContainerWriter::write(std::string_view tensor, std::uint64_t first, std::uint64_t count,
                            const void* from) {
  const Place place = place_of(tensor, first, count);
  file_.write(place.offset, from, place.bytes);
}

void ContainerWriter::read(std::string_view tensor, std::uint64_t first, std::uint64_t count,
                           void* to) const {
  const Place place = place_of(tensor, first, count);
  file_.read(place.offset, to, place.bytes);
}

void ContainerWriter::mark_done(JournalEntry entry) {
  const Clock::time_point now = Clock::now();
  entry.seconds = std::chrono::duration<double>(now - marked_).count();
  add_entry(pending_, entry);
  marked_ = now;
  if (now - kept_ >= pause_) keep_done();
}

void ContainerWriter::keep_done() {
  if (pending_.empty()) return;
  const Clock::time_point begin = Clock::now();
  file_.sync();
  journal_->append(pending_);
  file_.keep();
  pending_.clear();
  kept_ = Clock::now();
  // At most a fiftieth of the time is spent on it, unless every chunk is asked for.
  if (least_pause_ > Clock::duration::zero()) pause_ = std::max(least_pause_, 50 * (kept_ - begin));
}

void ContainerWriter::commit() {
  file_.commit();
  if (journal_) journal_->remove();
}

}  // namespace sightline::io
