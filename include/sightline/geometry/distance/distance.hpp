// Closest points of points, segments and every kind of shape. An Obb enters as its frame().
#pragma once

#include <sightline/geometry/distance/box_distance.hpp>
#include <sightline/geometry/distance/segment_boxes.hpp>
#include <sightline/geometry/distance/segment_shape.hpp>
