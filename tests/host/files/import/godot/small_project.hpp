// A Godot project built by hand, in the spelling of Godot 3 and of Godot 4, for the tests of
// importers.
#pragma once

#include "host/files/import/godot/import_godot.hpp"

#include <map>
#include <string>

namespace sightline::io {

using Project = std::map<std::string, std::string>;

/// Imports `path` of a project in memory, which errors call `name`.
inline GodotImport import_project(const Project& files, const std::string& path = "level.tscn",
                                  bool strict = false, const std::string& name = "level") {
  const GodotReader read = [&files](const std::string& wanted) {
    const auto at = files.find(wanted);
    return at == files.end() ? std::optional<std::string>() : std::optional(at->second);
  };
  return import_godot(name, path, read, strict);
}

/// A pillar (a box with a ball on top) that stands twice in a level, once twice as large and turned
/// by a quarter of a turn; a slope, a bar, a floor without end.
inline Project small_project_4() {
  return {{"parts/pillar.tscn", R"([gd_scene load_steps=3 format=3 uid="uid://x"]

[sub_resource type="BoxShape3D" id="BoxShape3D_a"]
size = Vector3(1, 4, 2)

[sub_resource type="SphereShape3D" id="2"]
radius = 0.5

[node name="Pillar" type="StaticBody3D" groups=["a", "b]"]]
collision_layer = 5

[node name="Box" type="CollisionShape3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0)
shape = SubResource("BoxShape3D_a")

[node name="Ball" type="CollisionShape3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 4.5, 0)
shape = SubResource("2")
)"},
          {"level.tscn", R"([gd_scene load_steps=4 format=3]

[ext_resource type="PackedScene" path="res://parts/pillar.tscn" id="1_pillar"]
[sub_resource type="CapsuleShape3D" id="bar"]
radius = 0.25
height = 2.5
[sub_resource type="BoxShape3D" id="slope"]
size = Vector3(4, 0.5, 2)
[sub_resource type="WorldBoundaryShape3D" id="ground"]

[node name="Level" type="Node3D"]
text = "two
lines; with \"quotes\" and ]" ; and a comment
[node name="Near" parent="." instance=ExtResource("1_pillar")]
[node name="Far" parent="." instance=ExtResource("1_pillar")]
transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 10, 0, -6)
[node name="Ball" parent="Far" index="1"]
disabled = true
[node name="Body" type="StaticBody3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 3)
[node name="Slope" type="CollisionShape3D" parent="Body"]
transform = Transform3D(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 0, 1, 0)
shape = SubResource("slope")
[node name="Bar" type="CollisionShape3D" parent="Body"]
shape = SubResource("bar")
[node name="Ground" type="CollisionShape3D" parent="Body"]
shape = SubResource("ground")
)"}};
}

/// The same in Godot 3.
inline Project small_project_3() {
  return {{"parts/pillar.tscn", R"([gd_scene load_steps=3 format=2]

[sub_resource type="BoxShape" id=1]
extents = Vector3( 0.5, 2, 1 )

[sub_resource type="SphereShape" id=2]
radius = 0.5

[node name="Pillar" type="StaticBody" groups=[
"a",
"b]",
]]
collision_layer = 5
__meta__ = {
"_edit_group_": true
}

[node name="Box" type="CollisionShape" parent="."]
transform = Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0 )
shape = SubResource( 1 )

[node name="Ball" type="CollisionShape" parent="."]
translation = Vector3( 0, 4.5, 0 )
shape = SubResource( 2 )
)"},
          {"level.tscn", R"([gd_scene load_steps=4 format=2]

[ext_resource path="res://parts/pillar.tscn" type="PackedScene" id=1]
[sub_resource type="CapsuleShape" id=1]
radius = 0.25
height = 2.0
[sub_resource type="BoxShape" id=2]
extents = Vector3( 2, 0.25, 1 )
[sub_resource type="PlaneShape" id=3]

[node name="Level" type="Spatial"]
[node name="Near" parent="." instance=ExtResource( 1 )]
[node name="Far" parent="." instance=ExtResource( 1 )]
transform = Transform( 0, 0, 2, 0, 2, 0, -2, 0, 0, 10, 0, -6 )
[node name="Ball" parent="Far" index="1"]
disabled = true
[node name="Body" type="StaticBody" parent="."]
translation = Vector3( 0, 0, 3 )
[node name="Slope" type="CollisionShape" parent="Body"]
transform = Transform( 0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 0, 1, 0 )
shape = SubResource( 2 )
[node name="Bar" type="CollisionShape" parent="Body"]
transform = Transform( 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0 )
shape = SubResource( 1 )
[node name="Ground" type="CollisionShape" parent="Body"]
shape = SubResource( 3 )
)"}};
}

}  // namespace sightline::io
