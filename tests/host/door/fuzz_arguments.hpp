// Random arguments for the calls of the door: numbers, arrays, views and options, most of them
// good.
#pragma once

#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <typeinfo>

namespace sightline::testing {

class FuzzArguments {
 protected:
  explicit FuzzArguments(std::uint64_t seed) : r_(seed) {}

  void begin_call() {
    floats_.clear(), vectors_.clear(), words_.clear(), bits_.clear(), bytes_.clear();
    classes_.clear();
  }

  float number() {
    constexpr float odd[] = {0.0f,      -0.0f,    infinity, -infinity, 0x1p40f, 0x1p41f,
                             0x1p-149f, 0x1p127f, -1.0f,    1.0f,      1e-30f};
    if (r_.one_in(12)) return r_.one_in(4) ? __builtin_nanf("") : odd[r_.below(11)];
    return r_.one_in(2) ? static_cast<float>(r_.between(-8, 8)) : r_.uniform(-8, 8);
  }
  float size() { return r_.one_in(9) ? number() : r_.uniform(0, 3); }
  Vec3 vec() { return {number(), number(), number()}; }
  std::uint64_t count() { return static_cast<std::uint64_t>(r_.below(r_.one_in(4) ? 200 : 20)); }
  /// n, or another number.
  std::uint64_t about(std::uint64_t n) {
    if (!r_.one_in(16)) return n;
    return r_.one_in(2) ? count() : n + 1 - 2 * static_cast<std::uint64_t>(n > 0 && r_.one_in(2));
  }
  std::uint32_t index() {
    if (r_.one_in(20)) return static_cast<std::uint32_t>(r_.bits());
    return static_cast<std::uint32_t>(r_.below(12));
  }
  template <class Enum>
  Enum choice(int there_are) {
    return static_cast<Enum>(r_.one_in(25) ? r_.between(-2, there_are + 2) : r_.below(there_are));
  }
  Inside inside() { return choice<Inside>(3); }

  // Arrays live until the next call.
  template <class T>
  std::vector<T>& kept(std::uint64_t n, std::deque<std::vector<T>>& all) {
    return all.emplace_back(n);
  }
  std::vector<float>& floats(std::uint64_t n) {
    std::vector<float>& v = kept(n, floats_);
    for (float& x : v) x = number();
    return v;
  }
  std::vector<Vec3>& vectors(std::uint64_t n) {
    std::vector<Vec3>& v = kept(n, vectors_);
    for (Vec3& x : v) x = vec();
    return v;
  }
  std::vector<std::uint32_t>& words(std::uint64_t n) {
    std::vector<std::uint32_t>& v = kept(n, words_);
    for (std::uint32_t& x : v) x = r_.one_in(3) ? none : index();
    return v;
  }
  std::vector<std::uint64_t>& bits(std::uint64_t n) { return kept(about(n), bits_); }

  Column<float> column(std::uint64_t n) {
    if (r_.one_in(2)) return number();
    const std::uint64_t m = about(n);
    if (r_.one_in(2)) return floats(m);
    return {floats(3 * m + 1).data(), m, 3 * sizeof(float)};
  }
  Column<std::uint32_t> column_of_words(std::uint64_t n, std::uint32_t common) {
    return r_.one_in(4) ? Column<std::uint32_t>(words(about(n))) : common;
  }
  Vec3Column column_of_vectors(std::uint64_t n) {
    if (r_.one_in(8)) return vec();
    if (r_.one_in(4)) return {column(n), column(n), column(n)};
    if (r_.one_in(4)) return Vec3Column::rows(floats(3 * about(n)));
    return vectors(about(n));
  }
  RaysView rays() {
    RaysView v;
    const std::uint64_t n = count();
    v.origin = column_of_vectors(n);
    v.direction = column_of_vectors(n);
    if (r_.one_in(3)) v.t_min = column(n);
    if (r_.one_in(3)) v.t_max = column(n);
    if (r_.one_in(4)) v.radius = column(n);
    v.mask = column_of_words(n, 0xFFFFFFFFu);
    for (int k = 0; k < 2; ++k) {
      v.exclude[k] = column_of_words(n, none);
      v.exclude_group[k] = column_of_words(n, none);
    }
    return r_.one_in(5) ? v.slice(count(), count()) : v;
  }
  PointsView points() {
    const std::uint64_t n = count();
    const PointsView v = {column_of_vectors(n), column_of_words(n, 0xFFFFFFFFu),
                          column_of_words(n, none), column_of_words(n, none)};
    return r_.one_in(5) ? v.slice(count(), count()) : v;
  }
  FieldsView fields(std::uint64_t n) {
    return {choice<FieldShape>(3), column_of_vectors(n), column(n), column(n), column(n)};
  }
  template <class T>
  std::span<T> out(std::vector<T>& v) {
    return v;
  }
  HitArrays hits(std::uint64_t n) {
    HitArrays h;
    if (!r_.one_in(4)) h.t = floats(about(n));
    if (!r_.one_in(4)) h.id = words(about(n));
    if (!r_.one_in(4)) h.flags = kept(about(n), bytes_);
    if (r_.one_in(2)) h.normal = vectors(about(n));
    return h;
  }
  NearestOptions nearest_options() {
    return {static_cast<std::uint32_t>(r_.below(6)), r_.one_in(2) ? infinity : number()};
  }
  VisibilityOptions sight_options() {
    return {r_.one_in(2) ? infinity : number(), r_.one_in(3) ? r_.uniform(-0.1f, 0.6f) : 0,
            inside()};
  }
  IdRange range() { return r_.one_in(2) ? IdRange{} : IdRange{index(), index()}; }
  CasterOptions options() {
    constexpr int threads[] = {-1, 0, 1, 2, 3, 100000, 2147483647};
    const CpuOptions cpu = {r_.one_in(8) ? threads[r_.below(7)] : 1,
                            r_.one_in(2) ? Lanes::automatic : choice<Lanes>(4), choice<Search>(3)};
    const CudaOptions cuda = {r_.one_in(20) ? r_.between(-3, 3) : 0, choice<Search>(3),
                              choice<TreeBuild>(2), r_.bits() >> r_.below(64)};
    if (r_.one_in(2)) return cpu;
    if (r_.one_in(3)) return ReferenceOptions{};
    return r_.one_in(2) ? CasterOptions(cuda) : AutomaticOptions{cpu, cuda};
  }
  Ray ray() {
    Ray ray;
    ray.origin = vec(), ray.direction = vec();
    if (r_.one_in(4)) ray.t_min = number(), ray.t_max = number();
    return ray;
  }

  Random r_;

  std::deque<std::vector<std::uint8_t>> bytes_;
  std::deque<std::vector<AreaClass>> classes_;

 private:
  std::deque<std::vector<float>> floats_;
  std::deque<std::vector<Vec3>> vectors_;
  std::deque<std::vector<std::uint32_t>> words_;
  std::deque<std::vector<std::uint64_t>> bits_;
};

/// Makes a thousand calls for each of the seeds; each answers, or throws an Error.
template <class Fuzz>
void expect_answers_or_errors(std::uint64_t seeds) {
  std::uint64_t answered = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= scaled(seeds); ++seed) {
    Fuzz fuzz(seed);
    for (int i = 0; i < 1000; ++i) {
      try {
        fuzz.call();
        ++answered;
      } catch (const Error&) {
        ++refused;
      } catch (const std::exception& other) {
        FAIL() << "seed " << seed << ", call " << i << ": " << typeid(other).name() << ": "
               << other.what();
      }
    }
  }
  std::printf("%llu calls were answered, %llu refused\n", static_cast<unsigned long long>(answered),
              static_cast<unsigned long long>(refused));
  EXPECT_GT(answered, refused / 4);
  EXPECT_GT(refused, answered / 20);
}

}  // namespace sightline::testing
