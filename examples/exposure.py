#!/usr/bin/env python3
"""How exposed each place of a yard is: the share of cameras that see it, all around and in fields.

    python3 exposure.py
"""
import numpy as np

import sightline as sl

yard = sl.Scene()
yard.add_aabbs([[8, 2, 0], [2, 10, 0]], [[9, 14, 3], [7, 11, 3]])    # two walls
yard.add_capsules([13, 13, 0], [13, 13, 3], 1)                        # a tank
caster = sl.Caster(yard)

x, y = np.meshgrid(np.arange(0.5, 16), np.arange(0.5, 16))
places = np.stack([x, y, np.full_like(x, 1.5)], axis=-1)              # [16, 16, 3]
cameras = np.array([[0, 0, 2.5], [16, 0, 2.5], [0, 16, 2.5], [16, 16, 2.5]])
to_the_middle = np.array([8, 8, 2.5]) - cameras

all_around = caster.exposure(cameras, places)                         # [16, 16]
ahead = sl.Fields(to_the_middle, 40, range=14)                        # 40 degrees of view each
in_view = caster.exposure(cameras, places, fields=ahead)

for row in all_around[::-1]:
    print("".join(".1234"[n] for n in row))
print(f"places that no camera sees: {np.count_nonzero(all_around == 0)} of {all_around.size}, "
      f"within the fields of view {np.count_nonzero(in_view == 0)}")
assert (in_view <= all_around).all()
