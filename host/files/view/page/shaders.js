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

/** Reads item and corner of a vertex by its number. */
const tables = head + `
uniform highp sampler2D data;
uniform lowp sampler2D tints;
uniform int corners;
const vec2 square[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1),
  vec2(-1, 1));
vec4 texel(int i) { return texelFetch(data, ivec2(i & 2047, i >> 11), 0); }
vec4 tintOf(int i) { return texelFetch(tints, ivec2(i & 2047, i >> 11), 0); }
// Of boxes: axis, side, and the corner of the face.
vec4 faceOf(int v) { return vec4((v % 18) / 6, v < 18 ? 1 : -1, square[v % 6]); }
// Whether the other faces of a closed box hide both faces across axis k from an eye at e.
bool hidden(vec3 e, vec3 h, int k) { return abs(e[k]) < h[k] && any(greaterThan(abs(e), h)); }
`;

/** Boxes: three faces towards the eye, then the others, each face of one colour. A box that stands
 * upright is cut to the slice and closed. */
export const boxShaders = [tables + `
out float height;
out vec2 at;
flat out vec3 shade;
vec3 turn(vec4 q, vec3 x) { return x + 2.0 * cross(q.xyz, cross(q.xyz, x) + q.w * x); }
void main() {
  int item = gl_VertexID / corners;
  vec4 face = faceOf(gl_VertexID % corners), t0 = texel(3 * item), t1 = texel(3 * item + 1);
  vec4 q = vec4(t1.zw, texel(3 * item + 2).xy);
  vec3 c = t0.xyz, h = vec3(t0.w, t1.xy);
  float lean = up == 2 ? abs(q.x) + abs(q.y) : abs(q.x) + abs(q.z);
  if (lean < 1e-6) {
    float low = max(c[up] - h[up], slice.x), high = min(c[up] + h[up], slice.y);
    if (low > high) { gl_Position = vec4(2, 2, 2, 1); return; }
    c[up] = 0.5 * (low + high);
    h[up] = 0.5 * (high - low);
  }
  int k = int(face.x);
  vec3 e = turn(vec4(-q.xyz, q.w), eye - c), v, n = vec3(0);
  n[k] = v[k] = e[k] < 0.0 ? -face.y : face.y;
  v[(k + 1) % 3] = face.z;
  v[(k + 2) % 3] = face.w;
  vec3 place = c + turn(q, v * h);
  if (lean < 1e-6) place[up] = clamp(place[up], slice.x, slice.y);
  height = place[up];
  at = face.zw;
  n = turn(q, n);
  if (corners == 18 && hidden(e, h, k)) { gl_Position = vec4(2, 2, 2, 1); return; }
  float facing = abs(e[k]) > h[k] ? face.y : -1.0; // inside the box all faces are seen from behind
  n *= facing;
  shade = tintOf(item).rgb * (0.73 + 0.29 * n[up] + 0.07 * n[(up + 1) % 3]) *
    (facing < 0.0 ? 0.8 : 1.0);
  gl_Position = matrix * vec4(place, 1);
}`, head + `
in float height;
in vec2 at;
flat in vec3 shade;
out vec4 colour;
void main() {
  // A cut face lies in the slice's end, give or take what interpolation rounds.
  float slack = 2e-5 / gl_FragCoord.w, dark = 0.0;
  if (height < slice.x - slack || height > slice.y + slack) discard;
  if (outline > 0.0) { // pixels from the nearest edge of the face
    vec2 pixels = 1.0 / max(fwidth(at), vec2(1e-9)), edge = (1.0 - abs(at)) * pixels;
    dark = 0.55 * (1.0 - clamp(min(edge.x, edge.y) - 0.2, 0.0, 1.0)) *
      clamp((min(pixels.x, pixels.y) - 2.0) / 8.0, 0.0, 1.0); // narrow faces have fainter edges
  }
  colour = vec4(shade * (1.0 - dark), 1);
}`];

/**
 * Shapes about a segment: the box around each, in which every pixel's ray is intersected.
 * @param {string} reach of the shape beyond the segment's ends
 * @param {string} functions hit() of a ray, normalAt() and isOutside() of a place
 */
const aboutSegments = (reach, functions) => [tables + `
out vec3 place;
flat out vec3 from, to;
flat out float around;
flat out vec4 tint;
void main() {
  int item = gl_VertexID / corners;
  vec4 face = faceOf(gl_VertexID % corners), t0 = texel(2 * item), t1 = texel(2 * item + 1);
  vec3 a = t0.xyz, b = vec3(t0.w, t1.xy);
  float radius = t1.z;
  vec3 w = b - a, c = 0.5 * (a + b);
  float l = length(w);
  // Turned towards the eye: two of its faces are seen, or one.
  vec3 z = l > 0.0 ? w / l : normalize(eye - c), x = cross(z, eye - c);
  if (dot(x, x) <= 1e-6 * dot(eye - c, eye - c)) x = cross(z, abs(z.x) < 0.8 ? vec3(1, 0, 0) : vec3(0, 1, 0));
  x = normalize(x);
  mat3 axes = mat3(x, cross(z, x), z);
  vec3 e = (eye - c) * axes, h = vec3(radius, radius, 0.5 * l + ${reach}), v;
  int k = int(face.x);
  v[k] = e[k] < 0.0 ? -face.y : face.y;
  v[(k + 1) % 3] = face.z;
  v[(k + 2) % 3] = face.w;
  place = c + axes * (v * h);
  from = a;
  to = b;
  around = radius;
  tint = tintOf(item);
  bool cut = min(a[up], b[up]) - radius > slice.y || max(a[up], b[up]) + radius < slice.x;
  gl_Position = cut || hidden(e, h, k) ? vec4(2, 2, 2, 1) : matrix * vec4(place, 1);
}`, head + `
in vec3 place;
flat in vec3 from, to;
flat in float around;
flat in vec4 tint;
out vec4 colour;
${functions}void main() {
  vec3 d = normalize(place - eye);
  float t = hit(place, d);
  if (t < -4.0 * around - length(place - eye) || t == -1.0) discard;
  vec3 p = place + t * d, n = normalAt(p);
  float shown = 1.0;
  if (p[up] < slice.x || p[up] > slice.y) { // the cut through it
    float h = p[up] > slice.y ? slice.y : slice.x;
    p = place + d * ((h - place[up]) / d[up]);
    if (isOutside(p) || dot(p - eye, d) < 0.0) discard;
    n = vec3(0);
    n[up] = h == slice.y ? 1.0 : -1.0;
  }
  float facing = abs(dot(n, d));
  vec3 c = tint.rgb * (0.62 + 0.26 * n[up] + 0.12 * facing);
  if (outline > 0.0) c *= 0.55 + 0.45 * smoothstep(0.0, 0.3, facing);
  colour = vec4(c, 1);
  vec4 clip = matrix * vec4(p, 1);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
}`];

/** Spheres and capsules. */
export const roundShaders = aboutSegments('radius', `
float ball(vec3 o, vec3 d) {
  float b = dot(o, d), q = b * b - dot(o, o) + around * around;
  return q < 0.0 ? -1.0 : -b - sqrt(q);
}
vec3 axisAt(vec3 p) {
  vec3 w = to - from;
  return from + w * clamp(dot(p - from, w) / max(dot(w, w), 1e-30), 0.0, 1.0);
}
float hit(vec3 o, vec3 d) {
  vec3 w = to - from, u = o - from;
  float ww = dot(w, w), wd = dot(w, d), wu = dot(w, u);
  float a = ww - wd * wd, b = ww * dot(d, u) - wu * wd;
  float q = b * b - a * (ww * dot(u, u) - wu * wu - around * around * ww);
  if (a > 1e-6 * ww) {
    if (q < 0.0) return -1.0;
    float t = (-b - sqrt(q)) / a, y = wu + t * wd;
    if (y > 0.0 && y < ww) return t;
    return ball(y <= 0.0 ? u : o - to, d);
  }
  return ball(wd > 0.0 || ww == 0.0 ? u : o - to, d);
}
vec3 normalAt(vec3 p) { return normalize(p - axisAt(p)); }
bool isOutside(vec3 p) { return length(p - axisAt(p)) > around; }
`);

/** Cylinders with flat ends: within the radius of the line, and between the planes of the ends. */
export const cylinderShaders = aboutSegments('0.0', `
vec3 outwards;
float hit(vec3 o, vec3 d) {
  vec3 w = to - from, u = o - from;
  float ww = dot(w, w), wd = dot(w, d), wu = dot(w, u);
  float a = ww - wd * wd, b = ww * dot(d, u) - wu * wd;
  float c = ww * dot(u, u) - wu * wu - around * around * ww, q = b * b - a * c;
  vec2 side = vec2(-1e30, 1e30), ends = vec2(-1e30, 1e30);
  if (a > 1e-6 * ww) {
    if (q < 0.0) return -1.0;
    side = vec2(-b - sqrt(q), -b + sqrt(q)) / a;
  } else if (c > 0.0) return -1.0;
  if (abs(wd) > 1e-6 * sqrt(ww)) {
    ends = wd > 0.0 ? vec2(-wu, ww - wu) / wd : vec2(ww - wu, -wu) / wd;
  } else if (wu < 0.0 || wu > ww) return -1.0;
  float t = max(side.x, ends.x);
  if (t > min(side.y, ends.y)) return -1.0;
  outwards = ends.x > side.x ? -sign(wd) * w : u + t * d - w * ((wu + t * wd) / ww);
  return t;
}
vec3 normalAt(vec3 p) { return normalize(outwards); }
bool isOutside(vec3 p) {
  vec3 w = to - from, u = p - from;
  float along = dot(u, w) / dot(w, w);
  return along < 0.0 || along > 1.0 || length(u - w * along) > around;
}
`);

/** Triangles: a corner and two edges from it. */
export const triangleShaders = [tables + `
out float height;
out vec3 weights;
flat out vec3 shade;
void main() {
  int item = gl_VertexID / corners, k = gl_VertexID % corners;
  vec4 t0 = texel(3 * item), t1 = texel(3 * item + 1);
  vec3 u = vec3(t0.w, t1.xy), v = vec3(t1.zw, texel(3 * item + 2).x), n = cross(u, v);
  vec3 place = t0.xyz + (k == 1 ? u : k == 2 ? v : vec3(0));
  weights = vec3(k == 0, k == 1, k == 2);
  height = place[up];
  n = dot(n, n) > 0.0 ? normalize(n) : vec3(0);
  if (dot(n, eye - t0.xyz) < 0.0) n = -n;
  shade = tintOf(item).rgb * (0.73 + 0.29 * n[up] + 0.07 * n[(up + 1) % 3]);
  gl_Position = matrix * vec4(place, 1);
}`, head + `
in float height;
in vec3 weights;
flat in vec3 shade;
out vec4 colour;
void main() {
  if (height < slice.x || height > slice.y) discard;
  float dark = 0.0;
  if (outline > 0.0) { // pixels from the nearest edge
    vec3 pixels = 1.0 / max(fwidth(weights), vec3(1e-9)), edge = weights * pixels;
    dark = 0.4 * (1.0 - clamp(min(edge.x, min(edge.y, edge.z)) - 0.2, 0.0, 1.0)) *
      clamp((min(pixels.x, min(pixels.y, pixels.z)) - 4.0) / 12.0, 0.0, 1.0);
  }
  colour = vec4(shade * (1.0 - dark), 1);
}`];

/** Planes: a large square with a grid, which fades towards its border. */
export const planeShaders = [tables + `
out vec2 at;
out vec3 place;
flat out vec4 tint;
void main() {
  int item = gl_VertexID / corners;
  vec4 t0 = texel(3 * item), t1 = texel(3 * item + 1);
  vec3 x = vec3(t0.w, t1.xy), y = vec3(t1.zw, texel(3 * item + 2).x);
  at = square[gl_VertexID % corners];
  place = t0.xyz + x * at.x + y * at.y;
  tint = tintOf(item);
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
  colour = vec4(tint.rgb * (1.0 - 0.4 * line), (0.22 + 0.24 * line) * fade);
}`];

/** Points: flat tiles, or discs that face the eye where `right` is not 0. */
export const tileShaders = [tables + `
uniform float size, least;
uniform vec3 right, above;
out vec2 at;
out vec3 place;
flat out vec4 tint;
void main() {
  int item = gl_VertexID / corners;
  at = square[gl_VertexID % corners];
  place = texel(item).xyz;
  vec4 colour = tintOf(item);
  vec4 middle = matrix * vec4(place, 1);
  float s = max(size, least * middle.w); // never less than about two pixels
  vec2 d = at * 0.5 * s;
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
