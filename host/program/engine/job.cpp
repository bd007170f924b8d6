#include "host/program/engine/job.hpp"

#include "host/files/core/file.hpp"
#include "host/program/engine/memory.hpp"

#include <sightline/error.hpp>
#include <sightline/queries/ray.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace sightline::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

struct Job::Report {
  nlohmann::ordered_json json;
  nlohmann::ordered_json& at(const std::string& key) {
    return json[nlohmann::ordered_json::json_pointer(key)];
  }
};

Job::Job(const std::string& verb, CommonArguments common)
    : common_(std::move(common)), report_(std::make_unique<Report>()) {
  set("/program", "sightline");
  set("/version", SIGHTLINE_VERSION);
  set("/answers", std::uint64_t{answers_version});
  set("/verb", verb);
  if (common_.dry_run) set("/dry_run", true);
}

Job::~Job() = default;

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

void Job::set(const std::string& key, std::uint64_t value) { report_->at(key) = value; }
void Job::set(const std::string& key, double value) {
  // JSON has no infinity.
  if (std::isfinite(value)) {
    report_->at(key) = value;
  } else {
    report_->at(key) = fmt::format("{}", value);
  }
}
void Job::set(const std::string& key, bool value) { report_->at(key) = value; }
void Job::set(const std::string& key, const std::string& value) { report_->at(key) = value; }
void Job::set(const std::string& key, const std::map<std::string, std::string>& values) {
  report_->at(key) = values;
}
void Job::append(const std::string& key, const std::string& value) {
  report_->at(key).push_back(value);
}

Job::Timer::~Timer() { job_.set("/seconds/" + name_, seconds_since(begin_)); }

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
  set("/seconds/total", seconds_since(begin_));
  set("/peak_memory_bytes", peak_memory_bytes());
  report_->at("/exit_code") = exit_code;
  if (!error.empty()) set("/error", error);
  // File names need not be UTF-8.
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  write_report(report_->json.dump(2, ' ', false, replace) + "\n");
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
