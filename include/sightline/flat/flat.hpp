// All of 2D.
#pragma once

#include <sightline/flat/column.hpp>
