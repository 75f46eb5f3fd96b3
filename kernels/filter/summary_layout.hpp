/// \file
/// Where the numbers of an element's summary lie (summary.hpp): behind the mean come those of the sides.
#pragma once

namespace galerna::kernels {

constexpr int summary_of_trouble = 0, summary_of_entropy = 1, summary_of_least = 2, summary_of_largest = 3,
              summary_of_mean = 4;

}  // namespace galerna::kernels
