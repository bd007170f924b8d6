// Every device-safe header: enough for kernels and header-only use.
#pragma once

#include <sightline/all_hits_query.hpp>
#include <sightline/closest/closest.hpp>
#include <sightline/closest/pillar.hpp>
#include <sightline/degrees.hpp>
#include <sightline/field_of_view.hpp>
#include <sightline/line_of_sight.hpp>
#include <sightline/low_discrepancy.hpp>
#include <sightline/nearest_query.hpp>
#include <sightline/octahedral.hpp>
#include <sightline/overlap_query.hpp>
#include <sightline/sweep_query.hpp>
#include <sightline/traverse.hpp>
#include <sightline/up_axis.hpp>
