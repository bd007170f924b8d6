// The programs of the graphics card. All cut away what is outside the slice of heights.

const head = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 matrix;
uniform vec3 eye;
uniform vec2 slice;
uniform int up;
uniform float outline;
`;

const shade = `
in vec3 normal, place, local, extent;
flat in vec4 tint;
out vec4 colour;
void main() {
  float h = place[up];
  if (h < slice.x || h > slice.y) discard;
  vec3 n = normalize(normal), v = normalize(eye - place);
  float facing = dot(n, v);
  if (facing < 0.0) n = -n;
  vec3 c = tint.rgb * (0.60 + 0.26 * n[up] + 0.10 * abs(facing) + 0.05 * n[(up + 1) % 3]);
  if (facing < 0.0) c *= 0.8;
  if (outline > 0.0 && extent.x > 0.0) { // pixels from the nearest edge of the face
    vec3 step = max(fwidth(local), vec3(1e-6));
    vec3 d = (extent - abs(local)) / step, s = extent / step;
    float edge = min(max(d.x, d.y), min(max(d.y, d.z), max(d.x, d.z)));
    float room = min(s.x, min(s.y, s.z));
    c *= mix(1.0, 0.42 + 0.58 * clamp(edge - 0.2, 0.0, 1.0), clamp((room - 1.0) / 5.0, 0.0, 1.0));
  }
  colour = vec4(c, 1);
}`;

/** Boxes: three faces towards the eye, then the others. A box that stands upright is cut to the
 * slice and closed. */
export const boxShaders = [head + `
layout(location = 0) in vec4 face; // axis, side, and the corner
layout(location = 1) in vec3 center;
layout(location = 2) in vec3 halves;
layout(location = 3) in vec4 q;
layout(location = 4) in vec4 colour;
out vec3 normal, place, local, extent;
flat out vec4 tint;
vec3 turn(vec4 q, vec3 x) { return x + 2.0 * cross(q.xyz, cross(q.xyz, x) + q.w * x); }
void main() {
  vec3 c = center, h = halves;
  float lean = up == 2 ? abs(q.x) + abs(q.y) : abs(q.x) + abs(q.z);
  if (lean < 1e-6) {
    float low = max(c[up] - h[up], slice.x), high = min(c[up] + h[up], slice.y);
    if (low > high) { gl_Position = vec4(2, 2, 2, 1); return; }
    c[up] = 0.5 * (low + high);
    h[up] = 0.5 * (high - low);
  }
  int k = int(face.x);
  vec3 e = turn(vec4(-q.xyz, q.w), eye - c), v;
  v[k] = e[k] < 0.0 ? -face.y : face.y;
  v[(k + 1) % 3] = face.z;
  v[(k + 2) % 3] = face.w;
  vec3 n = vec3(0);
  n[k] = v[k];
  local = v * h;
  extent = max(h, vec3(1e-20));
  place = c + turn(q, local);
  if (lean < 1e-6) place[up] = clamp(place[up], slice.x, slice.y);
  normal = turn(q, n);
  tint = colour;
  gl_Position = matrix * vec4(place, 1);
}`, head + shade];

/** Spheres and capsules: a ball that is pulled apart. */
export const roundShaders = [head + `
layout(location = 0) in vec4 ball; // a place of the unit ball, and its end
layout(location = 1) in vec3 a;
layout(location = 2) in vec3 b;
layout(location = 3) in float radius;
layout(location = 4) in vec4 colour;
out vec3 normal, place, local, extent;
flat out vec4 tint;
void main() {
  vec3 w = b - a;
  float l = length(w);
  vec3 z = l > 0.0 ? w / l : vec3(0, 0, 1);
  vec3 x = normalize(cross(z, abs(z.x) < 0.8 ? vec3(1, 0, 0) : vec3(0, 1, 0))), y = cross(z, x);
  normal = x * ball.x + y * ball.y + z * ball.z;
  place = mix(a, b, ball.w) + radius * normal;
  local = vec3(0);
  extent = vec3(-1);
  tint = colour;
  gl_Position = matrix * vec4(place, 1);
}`, head + shade];

/** Planes: a large square with a grid, which fades towards its border. */
export const planeShaders = [head + `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 center;
layout(location = 2) in vec3 x;
layout(location = 3) in vec3 y;
layout(location = 4) in vec4 colour;
out vec2 at;
out vec3 place;
flat out vec4 tint;
void main() {
  at = corner;
  place = center + x * corner.x + y * corner.y;
  tint = colour;
  gl_Position = matrix * vec4(place, 1);
}`, head + `
in vec2 at;
in vec3 place;
flat in vec4 tint;
out vec4 colour;
void main() {
  float h = place[up];
  if (h < slice.x || h > slice.y) discard;
  vec2 g = at * 20.0, d = abs(fract(g + 0.5) - 0.5) / max(fwidth(g), vec2(1e-6));
  float line = 1.0 - clamp(min(d.x, d.y), 0.0, 1.0);
  float fade = 1.0 - smoothstep(0.6, 1.0, length(at));
  colour = vec4(tint.rgb * (1.0 - 0.4 * line), (0.28 + 0.3 * line) * fade);
}`];

/** Points: flat tiles, or discs that face the eye where `right` is not 0. */
export const tileShaders = [head + `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 center;
layout(location = 2) in vec4 colour;
uniform float size, lift, least;
uniform vec3 right, above;
out vec2 at;
out vec3 place;
flat out vec4 tint;
void main() {
  at = corner * 2.0;
  place = center;
  place[up] += lift;
  vec4 middle = matrix * vec4(place, 1);
  float s = max(size, least * middle.w); // never less than about two pixels
  vec2 d = corner * s;
  float h = place[up];
  vec3 flatwise = up == 2 ? vec3(d, 0) : vec3(d.x, 0, d.y);
  place += dot(right, right) > 0.0 ? right * d.x + above * d.y : flatwise;
  tint = colour;
  bool cut = h < slice.x || h > slice.y || colour.a == 0.0;
  gl_Position = cut ? vec4(2, 2, 2, 1) : matrix * vec4(place, 1);
}`, head + `
in vec2 at;
in vec3 place;
flat in vec4 tint;
uniform float disc, strength;
out vec4 colour;
void main() {
  float e = disc > 0.0 ? length(at) : max(abs(at.x), abs(at.y));
  if (e > 1.0) discard;
  float rim = outline > 0.0 ? 1.0 - 0.22 * step(0.86, e) : 1.0;
  colour = vec4(tint.rgb * rim, strength);
}`];

/** Lines and triangles with a colour at each end. */
export const lineShaders = [head + `
layout(location = 0) in vec3 at;
layout(location = 1) in vec4 shade;
out vec4 tint;
out vec3 place;
void main() {
  place = at;
  tint = shade;
  gl_Position = matrix * vec4(at, 1);
}`, head + `
in vec4 tint;
in vec3 place;
out vec4 colour;
void main() {
  float h = place[up];
  if (h < slice.x || h > slice.y) discard;
  colour = tint;
}`];
