// In place of pattern-defeating quicksort, by which VAMP sorts points; nothing here has any.
#pragma once

#include <algorithm>

template <class Iterator, class... Compare>
void pdqsort(Iterator first, Iterator last, Compare... compare) {
  std::sort(first, last, compare...);
}
template <class Iterator, class... Compare>
void pdqsort_branchless(Iterator first, Iterator last, Compare... compare) {
  std::sort(first, last, compare...);
}
