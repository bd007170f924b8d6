"""Writes what the lines of commands.txt start from: small, and the same bytes on every machine, so
that no number comes from a sine or a logarithm."""
import json
import math
import random
import struct

DTYPES = {"F32": "f", "U32": "I", "U64": "Q"}


def npy_bytes(path, shape, body):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body)


def npy(path, shape, values):
    npy_bytes(path, shape, struct.pack(f"<{len(values)}f", *values))


def rows(path, table):
    npy(path, (len(table), len(table[0])), [x for row in table for x in row])


def container(path, metadata=None, **tensors):
    """Tensors by name, two underscores for a dot: dtype, shape, values."""
    header, body = {"__metadata__": metadata} if metadata else {}, b""
    for name, (dtype, shape, values) in tensors.items():
        data = struct.pack(f"<{len(values)}{DTYPES[dtype]}", *values)
        places = [len(body), len(body) + len(data)]
        header[name.replace("__", ".")] = {"dtype": dtype, "shape": shape, "data_offsets": places}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def flat_list(table):
    return [x for row in table for x in row]


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.random = random.Random(20)

    def path(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def text(self, name, text):
        self.path(name).write_text(text)

    def json(self, name, value):
        self.text(name, json.dumps(value, indent=1))

    def places(self, count, low, high):
        return [[self.random.uniform(a, b) for a, b in zip(low, high)] for _ in range(count)]

    def below(self, n):
        return int(self.random.random() * n)

    def turns(self, count):
        """Directions of any length."""
        return self.places(count, (-1, -1, -1), (1, 1, 1))

    def points(self):
        eyes = self.places(70, (0, 0, 1), (200, 200, 3))
        spots = self.places(300, (0, 0, 0.5), (200, 200, 40))
        rows(self.path("eyes.npy"), eyes)
        rows(self.path("spots.npy"), spots)
        rows(self.path("goals.npy"), self.places(300, (0, 0, 0.5), (200, 200, 40)))
        npy(self.path("one_dimension.npy"), (6,), [1, 2, 3, 4, 5, 6])
        npy(self.path("no_points.npy"), (0, 3), [])
        rows(self.path("nan_points.npy"), [*spots[:9], [math.nan, 0, 0]])
        (self.path("cut.npy")).write_bytes(self.path("spots.npy").read_bytes()[:-5])
        # Where viewpoints look, how wide and how far.
        looks = self.turns(70)
        angles = [self.random.uniform(0, 180) for _ in eyes]
        ranges = [self.random.uniform(5, 150) for _ in eyes]
        halves = [i / 20 for i in range(70)]  # the tangents of half the angles
        rows(self.path("looks.npy"), looks)
        rows(self.path("east.npy"), [[1, 0, 0]])
        rows(self.path("few_looks.npy"), looks[:9])
        npy(self.path("angles.npy"), (70,), angles)
        npy(self.path("ranges.npy"), (70,), ranges)
        position = ("F32", [70, 3], flat_list(eyes))
        ids = [self.below(150) for _ in eyes]
        container(self.path("choosy_points.st"), point__position=position,
                  point__mask=("U32", [70], [1 << i % 5 for i in range(70)]),
                  point__exclude=("U32", [70], ids), point__group=("U32", [70], ids[::-1]))
        container(self.path("looking_points.st"), point__position=position,
                  point__direction=("F32", [70, 3], flat_list(looks)),
                  point__cosine=("F32", [70], [1 - t * t for t in halves]),
                  point__sine=("F32", [70], [2 * t for t in halves]),
                  point__range=("F32", [70], ranges))
        container(self.path("area_points.st"), {"areas": "12"}, point__position=position,
                  point__area=("U32", [70], [i // 7 for i in range(70)]))
        container(self.path("misspelt_points.st"), point__positon=position)

    def rays(self):
        origins = self.places(500, (-20, -20, -1), (220, 220, 60))
        directions = self.turns(500)
        rows(self.path("origins.npy"), origins)
        rows(self.path("directions.npy"), directions)
        npy(self.path("radii.npy"), (500,), [self.random.uniform(0, 2) for _ in origins])
        origin = ("F32", [500, 3], flat_list(origins))
        direction = ("F32", [500, 3], flat_list(directions))
        ids = [self.below(150) for _ in range(1000)]
        container(self.path("choosy_rays.st"), origin=origin, direction=direction,
                  t_min=("F32", [500], [self.random.uniform(0, 5) for _ in origins]),
                  t_max=("F32", [500], [self.random.uniform(5, 99) for _ in origins]),
                  mask=("U32", [500], [1 << i % 4 for i in range(500)]),
                  exclude=("U32", [500, 2], ids), exclude_group=("U32", [500, 2], ids[::-1]))
        container(self.path("thick_rays.st"), origin=origin, direction=direction,
                  radius=("F32", [500], [i % 7 / 8 for i in range(500)]))
        bad = [[0, 0, 0] if i == 40 else d for i, d in enumerate(directions)]
        bad[444] = [math.nan, 1, 0]
        container(self.path("bad_rays.st"), origin=origin,
                  direction=("F32", [500, 3], flat_list(bad)))
        # More than one chunk, with a bad one at the end.
        count = 1100000
        few = struct.pack("<3000f", *flat_list(self.turns(1000)))
        many = few * (count // 1000 - 1) + few[:-12] + struct.pack("<3f", math.inf, 0, 0)
        npy_bytes(self.path("many_origins.npy"), (count, 3), struct.pack("<3f", -30, 90, 8) * count)
        npy_bytes(self.path("many_directions.npy"), (count, 3), many)
        spheres = self.places(1000, (0, 0, 0), (60, 60, 30))
        container(self.path("many_spheres.st"),
                  sphere__center=("F32", [270000, 3], flat_list(spheres) * 270),
                  sphere__radius=("F32", [270000], [i % 11 / 4 for i in range(270000)]))
        npy_bytes(self.path("many_steps.npy"), (270000, 3), few * 270)
        rows(self.path("many_eyes.npy"), self.places(2100, (0, 0, 1), (200, 200, 30)))

    def scenes(self):
        capsules = [{"a": a, "b": b, "radius": r, "group": i % 9} for i, (a, b, r) in enumerate(
            zip(self.places(20, (0, 0, 0), (50, 50, 20)), self.places(20, (0, 0, 0), (50, 50, 20)),
                [0.1, 2, 0, 0.5] * 5))]
        self.json("by_hand.json", {
            "unit": "m", "up": "z",
            "aabb": [{"min": [i * 8, 2, 0], "max": [i * 8 + 4, 9, 3 + i], "mask": 1 << i % 3,
                      "group": i, "label": 2**40 + i} for i in range(6)],
            "obb": [{"center": [i * 7, 25, 2], "half_extents": [2, 1, 2],
                     "rotation": [0, 0, 0.6, 0.8], "mask": 2} for i in range(6)],
            "sphere": [{"center": [i * 5, 40, 2], "radius": i / 2, "label": i} for i in range(9)],
            "capsule": capsules, "plane": [{"normal": [0, 0, 1], "offset": -1, "mask": 4}]})
        self.json("y_up.json", {"up": "y", "aabb": [
            {"min": [-20, -1, -20], "max": [20, 0, 20]}, {"min": [-3, 0, -9], "max": [3, 4, -5]},
            {"min": [5, 0, -9], "max": [12, 0.6, 9]}, {"min": [-9, 1, 4], "max": [-4, 1.2, 9]}]})
        self.json("steps.json", {"up": "z", "aabb": [
            {"min": [0, 0, -1], "max": [24, 24, 0]}, {"min": [8, 0, 0], "max": [16, 9, 3]},
            {"min": [8, 12, 0], "max": [9, 24, 1.5]}, {"min": [16, 0, 0], "max": [18, 9, 2]},
            {"min": [26, 4, -1], "max": [40, 20, 0.4]}, {"min": [28, 8, 0], "max": [30, 14, 1.3]}],
            "capsule": [{"a": [4, 4, 0], "b": [4, 4, 3], "radius": 0.4}],
            "sphere": [{"center": [4, 18, 0], "radius": 1.5}]})
        self.json("nothing.json", {})
        self.json("planes.json", {"plane": [{"normal": [0, 0, 1], "offset": 0},
                                            {"normal": [0, 0.6, 0.8], "offset": -4}]})
        agents = [{"center": c, "radius": i % 8 / 4} for i, c in enumerate(
            self.places(60, (0, 0, 0), (200, 200, 20)))]
        upright = [{"a": c, "b": [c[0], c[1], c[2] + 1.2], "radius": 0.4} for c in
                   self.places(40, (0, 0, 0), (200, 200, 6))]
        self.json("agents.json", {"sphere": agents, "capsule": upright})
        rows(self.path("steps.npy"), self.turns(100))
        rows(self.path("bad_steps.npy"), [*self.turns(99), [math.nan, 0, 0]])
        self.json("boxes.json", {"aabb": [
            {"min": p, "max": [p[0] + 9, p[1] + 9, p[2] + 9], "mask": 1 + i % 2}
            for i, p in enumerate(self.places(30, (0, 0, 0), (190, 190, 20)))],
            "obb": [{"center": p, "half_extents": [4, 2, 1], "rotation": [0, 0, 0.6, 0.8]}
                    for p in self.places(10, (0, 0, 0), (190, 190, 20))]})
        self.json("inverted.json", {"sphere": [{"center": [0, 0, 0], "radius": 1}],
                                    "aabb": [{"min": [0, 0, 0], "max": [1, -1, 1]}]})
        self.json("misspelt.json", {"sphere": [{"centre": [0, 0, 0], "radius": 1}]})
        self.text("junk.st", "no container at all")

    def areas(self):
        boxes = [{"min": [x, y, 1], "max": [x + 20, y + 20, 3]}
                 for x in range(0, 180, 45) for y in range(0, 180, 45)]
        corners = [[100, 100, 1], [120, 100, 1], [120, 120, 2]]
        self.json("areas.json", {"up": "z", "areas": [
            *boxes, {"corners": corners, "height": 2, "samples": 9}]})
        self.json("crooked_areas.json", {"areas": [{"corners": [
            [0, 0, 0], [4, 0, 0], [1, 1, 0], [0, 4, 0]]}]})

    def flat(self):
        places = self.places(40, (-20, -20), (20, 20))
        self.json("flat.json", {
            "dimensions": 2,
            "circle": [{"center": p, "radius": i / 4, "mask": 1 + i % 3}
                       for i, p in enumerate(places[:8])],
            "capsule": [{"a": p, "b": q, "radius": 0.5} for p, q in zip(places[8:14], places[14:])],
            "sector": [{"center": p, "direction": [3, 4], "half_angle": [0.8, 0.6], "radius": 6}
                       for p in places[20:26]],
            "polygon": [{"corners": [[0, 0], [4, 0], [4, 3]]},
                        {"corners": [[-9, 3], [-5, 3], [-5, 8], [-9, 8]]}],
            "aabb": [{"min": p, "max": [p[0] + 2, p[1] + 3]} for p in places[26:32]],
            "obb": [{"center": p, "half_extents": [2, 1], "turn": [3, 4]} for p in places[32:]]})
        self.json("bad_flat.json", {"dimensions": 2, "circle": [{"center": [0, 0], "radius": -1}]})
        circles = [[*p, i % 5 / 3] for i, p in enumerate(self.places(400, (-25, -25), (25, 25)))]
        ends = self.places(400, (-25, -25), (25, 25))
        segments = [[*a, *b] for a, b in zip(ends, self.places(400, (-25, -25), (25, 25)))]
        rows(self.path("circles.npy"), circles)
        rows(self.path("segments.npy"), segments)
        rows(self.path("bad_circles.npy"), [*circles[:5], [0, 0, -1], [math.nan, 0, 1]])

    def godot(self):
        self.text("game/project.godot", "config_version=5\n")
        self.text("game/pillar.tscn", """[gd_scene load_steps=3 format=3]
[sub_resource type="BoxShape3D" id="box"]
size = Vector3(1, 4, 2)
[sub_resource type="SphereShape3D" id="ball"]
radius = 0.5
[node name="Pillar" type="StaticBody3D"]
collision_layer = 5
[node name="Box" type="CollisionShape3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0)
shape = SubResource("box")
[node name="Ball" type="CollisionShape3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 4.5, 0)
shape = SubResource("ball")
""")
        self.text("game/level.tscn", """[gd_scene load_steps=6 format=3]
[ext_resource type="PackedScene" path="res://pillar.tscn" id="1"]
[sub_resource type="CapsuleShape3D" id="bar"]
radius = 0.25
height = 2.5
[sub_resource type="BoxShape3D" id="slope"]
size = Vector3(4, 0.5, 2)
[sub_resource type="WorldBoundaryShape3D" id="ground"]
[sub_resource type="CylinderShape3D" id="drum"]
height = 2.0
radius = 0.5
[node name="Level" type="Node3D"]
[node name="Near" parent="." instance=ExtResource("1")]
[node name="Far" parent="." instance=ExtResource("1")]
transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 10, 0, -6)
[node name="Body" type="StaticBody3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 3)
[node name="Slope" type="CollisionShape3D" parent="Body"]
transform = Transform3D(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 0, 1, 0)
shape = SubResource("slope")
[node name="Bar" type="CollisionShape3D" parent="Body"]
shape = SubResource("bar")
[node name="Ground" type="CollisionShape3D" parent="Body"]
shape = SubResource("ground")
[node name="Drum" type="CollisionShape3D" parent="Body"]
shape = SubResource("drum")
""")
        self.text("old.tscn", """[gd_scene load_steps=4 format=2]
[sub_resource type="BoxShape" id=1]
extents = Vector3( 0.5, 2, 1 )
[sub_resource type="CapsuleShape" id=2]
radius = 0.25
height = 2.0
[sub_resource type="PlaneShape" id=3]
[node name="Level" type="Spatial"]
[node name="Body" type="StaticBody" parent="."]
translation = Vector3( 0, 4.5, 0 )
[node name="Box" type="CollisionShape" parent="Body"]
transform = Transform( 0, 0, 2, 0, 2, 0, -2, 0, 0, 10, 0, -6 )
shape = SubResource( 1 )
[node name="Bar" type="CollisionShape" parent="Body"]
shape = SubResource( 2 )
[node name="Ground" type="CollisionShape" parent="Body"]
shape = SubResource( 3 )
""")
        self.text("broken.tscn", '[gd_scene format=3]\n[node name="A" type="Node3D"\n')

    def wad(self):
        """Two rooms, a step between them, and a closed closet, in a row."""
        corners = [(0, 0), (0, 256), (256, 256), (256, 0), (512, 256), (512, 64), (448, 0),
                   (-64, 0), (-64, 256), (64, 64), (64, 128)]
        lines = [(0, 1, 0, 2), (1, 2, 0, -1), (2, 3, 0, 1), (3, 0, 0, -1), (2, 4, 1, -1),
                 (4, 5, 1, -1), (5, 6, 1, -1), (6, 3, 1, -1), (7, 8, 2, -1), (8, 1, 2, -1),
                 (0, 7, 2, -1), (0, 0, 0, -1), (9, 10, 0, 0)]

        def shorts(*numbers):
            return struct.pack(f"<{len(numbers)}H", *(n & 0xFFFF for n in numbers))

        def node(x, right, left):
            return shorts(x, 0, 0, 256, *[0] * 8, right, left)
        linedefs = sides = b""
        for i, (start, end, front, back) in enumerate(lines):
            linedefs += shorts(start, end, 1, 0, 0, 2 * i, -1 if back < 0 else 2 * i + 1)
            sides += bytes(28) + shorts(front) + bytes(28) + shorts(max(back, 0))
        lumps = {
            "E1M1": b"", "THINGS": shorts(32, 32, 0, 1, 7), "LINEDEFS": linedefs,
            "SIDEDEFS": sides, "VERTEXES": b"".join(shorts(*v) for v in corners),
            "SEGS": shorts(0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 0),
            "SSECTORS": shorts(1, 0, 1, 1, 1, 2), "NODES": node(256, 0x8001, 0x8000)
            + node(0, 0, 0x8002), "SECTORS": b"".join(
                shorts(*s) + bytes(22) for s in [(0, 128), (16, 112), (0, 0)]),
            "REJECT": bytes([0b11100100, 0])}

        def file(lumps):
            body = b"".join(lumps.values())
            directory, at = b"", 12
            for name, data in lumps.items():
                directory += struct.pack("<II8s", at, len(data), name.encode())
                at += len(data)
            return b"PWAD" + struct.pack("<II", len(lumps), 12 + len(body)) + body + directory
        self.path("small.wad").write_bytes(file(lumps))
        self.path("broken.wad").write_bytes(file({**lumps, "VERTEXES": lumps["VERTEXES"][:-1]}))


def write_inputs(folder):
    writer = Writer(folder)
    for write in (writer.points, writer.rays, writer.scenes, writer.areas, writer.flat,
                  writer.godot, writer.wad):
        write()
