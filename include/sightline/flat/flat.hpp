// All of 2D.
#pragma once

#include <sightline/flat/column.hpp>
#include <sightline/flat/columns.hpp>
#include <sightline/flat/query.hpp>
