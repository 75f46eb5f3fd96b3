/// \file
/// Products of normalized Legendre polynomials P_n = √(2n + 1) L_n as sums of L_m.
#pragma once

#include <vector>

namespace galerna::basis {

/// c_0 … c_{2·highest} with P_a P_b = Σ c_m L_m; \param derivatives of P_b if 1, of both if 2, of none if 0
std::vector<double> legendre_product(int derivatives, int a, int b, int highest);

}  // namespace galerna::basis
