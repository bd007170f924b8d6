// The traits of a kind of shape, and lists of kinds.
#pragma once

#include <sightline/detail/macros.hpp>

#include <type_traits>
#include <utility>

namespace sightline {

/// Specialised beside the struct of every shape that a scene holds:
///
///   using Given = ...;                  what a caller adds: the shape, or what frame() makes it of
///   static constexpr const char* name;  in files and messages
///   static constexpr bool is_bounded;   whether there is a bounds(shape)
///   template <template <class> class C>
///   struct Columns;                     a C<T> for every field of the shape, and of Given
///   fields(f, s...)                     calls f(name, s.field...) for every field of the shape
///
/// The shape and Given are structs of floats alone. Where Given is another struct, it has a
/// ShapeTraits with its own fields().
template <class Shape>
struct ShapeTraits;

template <class Shape>
using Given = typename ShapeTraits<Shape>::Given;
template <class Shape>
inline constexpr bool is_bounded = ShapeTraits<Shape>::is_bounded;

/// Calls f(name, column...) with every column of a kind in each of Columns; where the shape is not
/// the caller's struct, with their common fields twice.
template <class Shape, class F, class... Columns>
SIGHTLINE_HD void for_each_column(F&& f, Columns&&... columns) {
  ShapeTraits<Shape>::fields(f, columns...);
  if constexpr (!std::is_same_v<Given<Shape>, Shape>) {
    ShapeTraits<Given<Shape>>::fields(f, columns...);
  }
}

template <class T>
using ColumnPointer = const T*;

/// The columns of several kinds: columns_of<Shape>(all) are those of one.
template <template <class> class C, class First, class... Rest>
struct KindColumns {
  using Shape = First;
  typename ShapeTraits<First>::template Columns<C> own = {};
  KindColumns<C, Rest...> rest = {};
};
template <template <class> class C, class Last>
struct KindColumns<C, Last> {
  using Shape = Last;
  typename ShapeTraits<Last>::template Columns<C> own = {};
};
template <class Shape, class All>
SIGHTLINE_HD auto& columns_of(All& all) {
  if constexpr (std::is_same_v<Shape, typename All::Shape>) {
    return all.own;
  } else {
    return columns_of<Shape>(all.rest);
  }
}

/// Passed to functions that are called for a kind.
template <class S>
struct ShapeTag {
  using Shape = S;
};

/// Kinds of shapes in the order of their ids, those with bounds first.
template <class... Shapes>
struct KindList {
  static constexpr int count = sizeof...(Shapes);
  static constexpr int bounded = (... + static_cast<int>(is_bounded<Shapes>));

  template <template <class> class C>
  using Columns = KindColumns<C, Shapes...>;
  /// A List of a T<Shape> for each kind, such as a std::tuple.
  template <template <class...> class List, template <class> class T>
  using Each = List<T<Shapes>...>;

  /// The index of a shape, or of its Given.
  template <class Shape>
  static constexpr int index() {
    int at = 0;
    bool found = false;
    ((found = found || std::is_same_v<Shape, Shapes> || std::is_same_v<Shape, Given<Shapes>>,
      at += found ? 0 : 1),
     ...);
    return at;
  }
  /// Whether it is the Given of one.
  template <class Shape>
  static constexpr bool takes = (... || std::is_same_v<Shape, Given<Shapes>>);
  /// Calls f(ShapeTag) for each kind.
  SIGHTLINE_CALLS_ANY
  template <class F>
  SIGHTLINE_HD static void for_each(F&& f) {
    (f(ShapeTag<Shapes>()), ...);
  }
  /// Returns f(ShapeTag) of kind `at`, one of the first `among`.
  SIGHTLINE_CALLS_ANY
  template <int among = count, class F>
  SIGHTLINE_HD static decltype(auto) with(int at, F&& f) {
    return with_one_of<0, among, F, Shapes...>(at, f);
  }

 private:
  SIGHTLINE_CALLS_ANY
  template <int k, int among, class F, class First, class... Rest>
  SIGHTLINE_HD static decltype(auto) with_one_of(int at, F& f) {
    if constexpr (k + 1 < among) {
      if (at != k) return with_one_of<k + 1, among, F, Rest...>(at, f);
    }
    return f(ShapeTag<First>());
  }
};

}  // namespace sightline
