#include "bench/rate_table.hpp"

#include <algorithm>

namespace sightline::bench {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Table::Table(std::FILE* json) : json_(json) {
  std::printf("%-16s %-38s %-7s %9s %12s %11s %12s %s\n", "what", "how", "scene", "shapes",
              "amount", "median ms", "million/s", "of; GB/s");
}

void Table::add(const Row& row) {
  const double seconds = median(row.seconds);
  std::printf("%-16s %-38s %-7s %9llu %12.0f %11.3f %12.2f %s", row.what.c_str(), row.how.c_str(),
              row.scene.c_str(), static_cast<unsigned long long>(row.shapes), row.amount,
              seconds * 1e3, row.amount / seconds / 1e6, row.work.c_str());
  if (row.bytes > 0) std::printf("; %.1f", row.bytes / seconds / 1e9);
  std::printf("\n");
  std::fflush(stdout);
  if (json_ == nullptr) return;
  std::fprintf(json_,
               "{\"what\": \"%s\", \"how\": \"%s\", \"scene\": \"%s\", \"shapes\": %llu, "
               "\"work\": \"%s\", \"amount\": %.0f, \"bytes\": %.0f, \"median_seconds\": %.9f, "
               "\"per_second\": %.6g, \"seconds\": [",
               row.what.c_str(), row.how.c_str(), row.scene.c_str(),
               static_cast<unsigned long long>(row.shapes), row.work.c_str(), row.amount, row.bytes,
               seconds, row.amount / seconds);
  for (std::size_t k = 0; k < row.seconds.size(); ++k) {
    std::fprintf(json_, "%s%.9f", k == 0 ? "" : ", ", row.seconds[k]);
  }
  std::fprintf(json_, "]}\n");
  std::fflush(json_);
}

void Table::note(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

}  // namespace sightline::bench
