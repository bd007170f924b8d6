// One run of a verb: its words on stderr and its machine report.
#pragma once

#include "host/program/jobs/arguments.hpp"
#include "host/program/jobs/report.hpp"

#include <chrono>
#include <map>
#include <string>

namespace sightline::cli {

/// Words and report of a run. Keys of the report are JSON pointers such as "/counts/rays".
class Job {
 public:
  Job(const std::string& verb, CommonArguments common);

  const CommonArguments& common() const { return common_; }
  /// A line on stderr, unless quiet.
  void say(const std::string& line) const;
  template <class First, class... More>
  void say(fmt::format_string<First, More...> words, First&& first, More&&... more) const {
    say(fmt::format(words, std::forward<First>(first), std::forward<More>(more)...));
  }
  /// Says that a file is finished: an interrupted run tells it once more.
  void wrote(const std::string& file, const std::string& details = "");
  /// The files finished so far, as "a, b".
  const std::string& finished_files() const { return finished_files_; }
  /// A line on stderr, always.
  void warn(const std::string& line);
  template <class First, class... More>
  void warn(fmt::format_string<First, More...> words, First&& first, More&&... more) {
    warn(fmt::format(words, std::forward<First>(first), std::forward<More>(more)...));
  }

  /// A number of 64 bits, a truth value or text.
  template <class T>
  void set(const std::string& key, const T& value) {
    report_.set(key, value);
  }
  /// Texts by names that need not be parts of a JSON pointer.
  void set(const std::string& key, const std::map<std::string, std::string>& values);
  void append(const std::string& key, const std::string& value);

  /// Runs f and reports its seconds as "/seconds/<name>".
  template <class F>
  auto timed(const std::string& name, F&& f) {
    const Timer timer(*this, name);
    return f();
  }

  /// Throws Error{io} where the report could not be written, which is better known before the work.
  void check_report();
  /// Nothing is said but warnings and errors, and no report is written.
  void be_quiet() { common_.quiet = true, drop_report(); }
  /// No report is written, not even of a failure.
  void drop_report() { common_.json.clear(); }
  /// Writes the report, if one was asked for. Throws Error{io}, and std::bad_alloc where a part of
  /// it was lost for want of memory.
  void finish(int exit_code, const std::string& error);

 private:
  class Timer {
   public:
    Timer(Job& job, const std::string& name) : job_(job), name_(name) {}
    ~Timer();

   private:
    Job& job_;
    std::string name_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };
  void write_report(const std::string& text) const;

  CommonArguments common_;
  std::string finished_files_;
  bool report_lacks_memory_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Report report_;
};

}  // namespace sightline::cli
