// Every device-safe header: enough for kernels and header-only use.
#pragma once

#include <sightline/closest/closest.hpp>
#include <sightline/closest/pillar.hpp>
#include <sightline/math/degrees.hpp>
#include <sightline/math/low_discrepancy.hpp>
#include <sightline/math/octahedral.hpp>
#include <sightline/math/up_axis.hpp>
#include <sightline/queries/all_hits.hpp>
#include <sightline/queries/field_of_view.hpp>
#include <sightline/queries/line_of_sight.hpp>
#include <sightline/queries/nearest.hpp>
#include <sightline/queries/overlap.hpp>
#include <sightline/queries/sweep.hpp>
#include <sightline/queries/traverse.hpp>
