#include "host/program/jobs/job.hpp"

#include "host/files/core/file.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/error.hpp>
#include <sightline/ray.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <new>

namespace sightline::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Job::Job(const std::string& verb, CommonArguments common) : common_(std::move(common)) {
  set("/program", "sightline");
  set("/version", SIGHTLINE_VERSION);
  set("/answers", std::uint64_t{answers_version});
  set("/verb", verb);
  if (common_.dry_run) set("/dry_run", true);
}

void Job::say(const std::string& line) const {
  if (!common_.quiet) std::fputs(fmt::format("{}\n", line).c_str(), stderr);
}

void Job::wrote(const std::string& file, const std::string& details) {
  finished_files_ += (finished_files_.empty() ? "" : ", ") + file;
  say(fmt::format("wrote   {}{}{}", file, details.empty() ? "" : ": ", details));
}

void Job::warn(const std::string& line) {
  std::fputs(fmt::format("warning: {}\n", line).c_str(), stderr);
  append("/warnings", line);
}

void Job::set(const std::string& key, const std::map<std::string, std::string>& values) {
  report_.make_object(key);
  for (const auto& [name, value] : values) report_.set_member(key, name, value);
}
void Job::append(const std::string& key, const std::string& value) { report_.append(key, value); }

Job::Timer::~Timer() {
  try {
    job_.set("/seconds/" + name_, seconds_since(begin_));
  } catch (const std::bad_alloc&) {
    job_.report_lacks_memory_ = true;
  }
}

void Job::check_report() {
  if (common_.json.empty() || common_.json == "-") return;
  try {
    io::check_can_write(common_.json);
  } catch (...) {
    drop_report();
    throw;
  }
}

void Job::finish(int exit_code, const std::string& error) {
  if (common_.json.empty()) return;
  if (report_lacks_memory_) throw std::bad_alloc();
  set("/seconds/total", seconds_since(begin_));
  set("/peak_memory_bytes", peak_memory_bytes());
  report_.set("/exit_code", exit_code);
  if (!error.empty()) set("/error", error);
  write_report(report_.text());
}

void Job::write_report(const std::string& text) const {
  if (common_.json != "-") {
    io::PartialFile file(common_.json, text.size());
    file.write(0, text.data(), text.size());
    file.commit();
    return;
  }
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw Error(ErrorKind::io, "the report cannot be written to stdout");
}

}  // namespace sightline::cli
