// Every device-safe header: enough for kernels and header-only use.
#pragma once

#include <sightline/geometry/base/degrees.hpp>
#include <sightline/geometry/distance/distance.hpp>
#include <sightline/geometry/distance/horizontal_distance.hpp>
#include <sightline/geometry/exact/octahedral.hpp>
#include <sightline/geometry/queries/all_hits.hpp>
#include <sightline/geometry/queries/field_of_view.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>
#include <sightline/geometry/queries/traverse.hpp>
#include <sightline/geometry/queries/winding.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>
#include <sightline/geometry/sweep/sweep_query.hpp>
