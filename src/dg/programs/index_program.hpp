/// \file
/// A program that calls what a user's equations define, once each, on arrays that look at every index, and looks at
/// what they give.
#pragma once

#include <string>
#include <vector>

#include "dg/spec.hpp"

namespace galerna::dg {

/// What an entry of IndexArguments::faults is filled with.
struct IndexFault {
  int index = 0;  ///< of an element that an array does not have
  int size = 0;   ///< of the array; 0: no fault; or one of those below
  int place = 0;  ///< where the state is given that the function was called with
};
constexpr int not_finite_fault = -1;      ///< the function gives a number that is none
constexpr int negative_speed_fault = -2;  ///< a wave speed is negative
constexpr int inadmissible_fault = -3;    ///< the state is not admissible

/// Of the entry "call_equations", for one item on Host.
struct IndexArguments {
  int places;
  const double* positions;  ///< [place][3]
  const double* values;     ///< [place][variable] of states, primitive ones where spec.equations.from_primitive
  IndexFault* faults;       ///< [called_functions()] the first of each function
  volatile int* now;        ///< the function that is being called
};

/// Functions of the header as messages name them, in the order in which the program calls them.
std::vector<std::string> called_functions(const Spec& spec);
device::ProgramSource index_program(const Spec& spec);

}  // namespace galerna::dg
