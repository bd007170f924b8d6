"""Rays for comparisons with other casters."""

import numpy as np


def random_rays(rng, low, high, n):
    """n rays of float32 as float64: origins around a box, aimed at points in it or anywhere."""
    low, high = np.float64(low), np.float64(high)
    middle, half = (low + high) / 2, (high - low) / 2
    origins = middle + half * rng.uniform(-1.5, 1.5, (n, 3))
    directions = middle + half * rng.uniform(-1, 1, (n, 3)) - origins
    anywhere = rng.random(n) < 0.25
    directions[anywhere] = rng.normal(size=(anywhere.sum(), 3))
    directions *= 2.0 ** rng.integers(-3, 4, (n, 1))
    return [np.float64(np.float32(a)) for a in (origins, directions)]
