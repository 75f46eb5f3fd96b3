#include "solver/sequence.hpp"

namespace galerna::solver {

std::vector<int> degrees_of(const case_file::Settings& settings) {
  std::vector<int> degrees = settings.time.sequence;
  degrees.push_back(settings.discretization.order);
  return degrees;
}

case_file::Settings at_degree(const case_file::Settings& settings, int degree) {
  case_file::Settings result = settings;
  if (degree == settings.discretization.order) return result;
  result.discretization.order = degree;
  if (settings.time.sequence_steady) result.time.steady = settings.time.sequence_steady;
  if (result.shock && degree == 0) result.shock->limiter = "none";
  return result;
}

}  // namespace galerna::solver
