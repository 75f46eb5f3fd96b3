/// \file
/// What the kernels of balances leave for the host.
#pragma once

namespace galerna::kernels::polytopic {

/// Numbers that `facet_fluxes` leaves for each facet, along its normal: the numerical fluxes of diffusion and of the
/// flow, ∫ b·n u of the first and of the second side.
constexpr int flux_sums = 4;

/// Numbers that `contents` leaves for each polytope: ∫ f, ∫ c u, ∫ b·∇u, and with slabs what ∫ u has gained.
constexpr int content_sums = 4;

}  // namespace galerna::kernels::polytopic
