// A table of text, written row by row: CSV, or JSON as a list of objects.
#pragma once

#include "host/files/core/file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

class TextTable {
 public:
  /// Comments stand above the header of CSV. Throws Error{io}.
  TextTable(const std::string& file, bool json, const std::vector<std::string>& columns,
            const std::vector<std::string>& comments = {});

  // A row's values in order.
  /// In JSON as text beyond 2^53, where numbers of JavaScript are no longer exact.
  void put(std::uint64_t value);
  /// Numbers that JSON does not know are null there.
  void put(float value);
  void put_text(std::string_view text);
  void put_nothing();
  void end_row();
  std::uint64_t rows() const { return rows_; }
  void commit();

 private:
  void begin_value();

  PartialFile file_;
  bool json_;
  std::vector<std::string> columns_;  ///< of JSON with what comes before a value
  std::size_t column_ = 0;
  std::uint64_t rows_ = 0;
  std::string text_;
};

}  // namespace sightline::io
