/// \file
/// Metric terms of curved elements in the order of tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "dg/geometry/metric.hpp"
#include "dg/operators.hpp"

namespace galerna::dg {

/// Metric terms of curved elements, eight after eight, in the order in which tile kernels read them
/// (kernels/tile/metric_rows.hpp).
/// \param metric with points of sides in the elements' own order \param viscous with gradients at sides
/// \param padded elements; the last one is repeated.
std::vector<double> tile_metric(const Operators& operators, const Metric& metric, bool viscous, std::int64_t padded);
/// Numbers of it in eight elements.
std::int64_t tile_metric_numbers(const Operators& operators, bool viscous);

}  // namespace galerna::dg
