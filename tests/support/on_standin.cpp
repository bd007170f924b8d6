#include "tests/support/scale.hpp"

void sightline::on_standin_is_linked() {}
