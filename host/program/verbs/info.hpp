// What info tells: lines for people on stdout, values for the report.
#pragma once

#include "host/program/jobs/job.hpp"

#include <sightline/vec.hpp>

namespace sightline::cli {

/// Lines of info go to stdout, unless the report goes there or the job is quiet.
class Facts {
 public:
  explicit Facts(Job& job) : job_(job) {}

  void add(const std::string& key, const std::string& name, const std::string& value) const;
  void add(const std::string& key, const std::string& name, std::uint64_t value) const;
  void add_bounds(const Vec3& low, const Vec3& high) const;
  /// A line for people alone.
  void line(const std::string& name, const std::string& value) const;
  Job& job() const { return job_; }

 private:
  Job& job_;
};

/// How far the job is that writes this partial file, which may have been renamed.
void describe_unfinished(const Facts& facts, const std::string& partial);
/// How far the shards are that lie beside an output, for each number of shards; false where there
/// are none.
bool describe_shards(const Facts& facts, const std::string& output);

}  // namespace sightline::cli
