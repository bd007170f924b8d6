// All of 2D.
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/flat_query.hpp>
#include <sightline/geometry/flat/upright_column.hpp>
