// Closest points of points, segments and every kind of shape. An Obb enters as its frame().
#pragma once

#include <sightline/closest/box_distance.hpp>
#include <sightline/closest/segment_boxes.hpp>
#include <sightline/closest/segment_shape.hpp>
