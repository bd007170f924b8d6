#include "host/program/results/parameters.hpp"

#include "host/files/core/text_file.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sightline::cli {
namespace {

constexpr std::array<std::string_view, 3> inside_names = {"solid", "surface", "ignore"};
constexpr std::array<std::string_view, 3> side_names = {"both", "front", "back"};
constexpr std::array<std::string_view, 3> field_shape_names = {"cone", "sector", "sector y up"};
constexpr std::array<std::string_view, 2> zero_one = {"0", "1"}, axis_names = {"z", "y"};

/// The key in a report; "" for what reports have elsewhere.
std::string report_key(std::string_view key) {
  constexpr std::string_view query = "query.";
  return key.starts_with(query) ? "/query/" + std::string(key.substr(query.size())) : "";
}

}  // namespace

std::string_view field_shape_name(FieldShape shape) {
  return field_shape_names[static_cast<std::size_t>(shape)];
}

void Parameters::hash(const char* key, std::string& value) {
  if (!reads()) return put(key, value);
  value = text(key);
  if (value.size() != 32 || value.find_first_not_of("0123456789abcdef") != std::string::npos) {
    fail(key);
  }
}

template <class T>
void Parameters::number(const char* key, T& value, std::type_identity_t<T> least,
                        std::type_identity_t<T> most) {
  if (reads()) {
    const auto read = io::number_from<T>(text(key));
    if (!read || !(least <= *read && *read <= most)) fail(key);  // NaN is in no range
    value = *read;
  } else if (to_ != nullptr) {
    put(key, fmt::format("{}", value));
  } else if (const std::string at = report_key(key); !at.empty()) {
    using Reported = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    job_->set(at, Reported{value});
  }
}
template void Parameters::number(const char*, std::uint32_t&, std::uint32_t, std::uint32_t);
template void Parameters::number(const char*, std::uint64_t&, std::uint64_t, std::uint64_t);
template void Parameters::number(const char*, float&, float, float);

void Parameters::pair(const char* key, TwoIds<std::uint32_t>& value) {
  if (!reads()) return put(key, fmt::format("{} {}", value[0], value[1]));
  const std::string_view both = text(key);
  const std::size_t space = both.find(' ');
  if (space == std::string_view::npos) fail(key);
  const auto first = io::number_from<std::uint32_t>(both.substr(0, space));
  const auto second = io::number_from<std::uint32_t>(both.substr(space + 1));
  if (!first || !second) fail(key);
  value[0] = *first, value[1] = *second;
}

void Parameters::input(const std::string& name, Input& input, std::uint64_t most) {
  hash((name + ".hash").c_str(), input.hash);
  number((name + ".count").c_str(), input.count, 0, most);
}
void Parameters::eyes(const std::string& name, Input& input) {
  const std::string at = name + ".at";
  if (!has(at.c_str(), input.at != 0)) return;
  number(at.c_str(), input.at, -domain_limit, domain_limit);
  choice((name + ".up").c_str(), input.y_up, axis_names);
}
void Parameters::flag(const char* key, bool& value) { choice(key, value, zero_one); }
void Parameters::inside(Inside& value) { choice("query.inside", value, inside_names); }
void Parameters::side(Side& value) {
  constexpr const char* key = "query.side";
  if (has(key, value != Side::both)) choice(key, value, side_names);
}
void Parameters::margins(float& share, float& length) {
  number("query.margin", share, 0.0f, std::nextafter(0.5f, 0.0f));
  constexpr const char* key = "query.margin_length";
  if (has(key, length > 0)) {
    number(key, length, std::numeric_limits<float>::denorm_min(), domain_limit);
  }
}
void Parameters::field_shape(const char* key, FieldShape& value) {
  choice(key, value, field_shape_names);
}

void Parameters::fixed(const char* key, std::string_view value) {
  if (!reads()) return put(key, std::string(value));
  if (text(key) != value) fail(key);
}

bool Parameters::has(const char* key, bool when_written) const {
  return reads() ? from_->contains(key) : when_written;
}

void Parameters::fail(const char* key) const {
  io::fail(ErrorKind::bad_input, "{}: bad metadata: '{}' is {}", file_, key,
           io::in_quotes(text(key)));
}

std::size_t Parameters::chosen(const char* key, std::size_t value,
                               std::span<const std::string_view> names) {
  if (!reads()) {
    put(key, std::string(names[value]));
    return value;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text(key)) return i;
  }
  fail(key);
}

const std::string& Parameters::text(const char* key) const {
  const auto at = from_->find(key);
  if (at != from_->end()) return at->second;
  io::fail(ErrorKind::bad_input, "{}: lacks the metadata '{}'", file_, key);
}

void Parameters::put(const char* key, const std::string& value) {
  if (to_ != nullptr) {
    (*to_)[key] = value;
  } else if (const std::string at = report_key(key); !at.empty()) {
    job_->set(at, value);
  }
}

}  // namespace sightline::cli
