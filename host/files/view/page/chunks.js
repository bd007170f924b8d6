// Instances are sorted into chunks near each other, the largest first, so that what is out of sight
// or too small to matter is left out by chunks.
import {gl, tableOf} from './gl.js';
import {distanceOf, emptyBox, grow, middle} from './vectors.js';

const chunkSize = 512;

/**
 * Numbers that are near for places that are near.
 * @param {number} x
 */
function spread(x) {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/**
 * The order of the instances: along a curve through space.
 * @param {Float32Array} centers @param {number} count
 */
function alongCurve(centers, count) {
  const box = emptyBox();
  for (let i = 0; i < count; i++) grow(box, centers.subarray(3 * i, 3 * i + 3));
  const scale = box.max.map((m, k) => m > box.min[k] ? 1023 / (m - box.min[k]) : 0);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let key = 0;
    for (let k = 0; k < 3; k++) key |= spread((centers[3 * i + k] - box.min[k]) * scale[k]) << k;
    keys[i] = key * 2 ** 23 + i;
  }
  keys.sort();
  return Uint32Array.from(keys, (x) => x % 2 ** 23);
}

/**
 * @param {Instances['mesh']} mesh @param {number} stride floats of an instance
 * @param {Float32Array} data @param {Uint32Array} ids @param {Float32Array} centers
 * @param {Float32Array} sizes radii around the centers @param {boolean} tilted
 * @returns {Instances}
 */
export function chunked(mesh, stride, data, ids, centers, sizes, tilted) {
  const count = ids.length;
  const order = alongCurve(centers, count);
  /** @type {Chunk[]} */
  const chunks = [];
  const sorted = new Float32Array(count);
  for (let first = 0; first < count; first += chunkSize) {
    const part = order.subarray(first, Math.min(count, first + chunkSize));
    part.sort((a, b) => sizes[b] - sizes[a]);
    const box = emptyBox();
    part.forEach((i, k) => {
      sorted[first + k] = sizes[i];
      grow(box, centers.subarray(3 * i, 3 * i + 3));
    });
    const center = middle(box);
    let radius = 0;
    for (const i of part) {
      const d = Math.hypot(centers[3 * i] - center[0], centers[3 * i + 1] - center[1],
        centers[3 * i + 2] - center[2]);
      radius = Math.max(radius, d + sizes[i]);
    }
    chunks.push({first, count: part.length, center, radius,
      sizes: sorted.subarray(first, first + part.length)});
  }
  const moved = new Float32Array(data.length);
  const movedIds = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    const i = order[k];
    for (let c = 0; c < stride; c++) moved[k * stride + c] = data[i * stride + c];
    movedIds[k] = ids[i];
  }
  return {mesh, count, stride, data: moved, ids: movedIds, chunks, tilted, table: null, tints: null};
}

/** Texels of an instance in its table. */
const texels = {box: 3, round: 2, cylinder: 2, triangle: 3, plane: 3};

/** @param {Instances} s @param {Uint8Array} tints */
export function upload(s, tints) {
  const wide = 4 * texels[s.mesh];
  const values = new Float32Array(wide * s.count);
  for (let i = 0; i < s.count; i++) {
    values.set(s.data.subarray(i * s.stride, (i + 1) * s.stride), i * wide);
  }
  s.table = tableOf(values);
  s.tints = tableOf(tints);
}

/**
 * How many of a chunk's instances are at least so large.
 * @param {Float32Array} sizes @param {number} least
 */
function larger(sizes, least) {
  let low = 0;
  let high = sizes.length;
  while (low < high) {
    const m = (low + high) >> 1;
    if (sizes[m] >= least) low = m + 1;
    else high = m;
  }
  return low;
}

/** @param {Chunk} c @param {number[][]} planes */
const inside = (c, planes) => planes.every((p) =>
  p[0] * c.center[0] + p[1] * c.center[1] + p[2] * c.center[2] + p[3] > -c.radius);

/**
 * How many instances of a chunk are in sight and at least so many pixels large.
 * @param {Chunk} c @param {View} view @param {number} pixels of one unit at distance 1 @param
 * {number} least
 */
function shownOf(c, view, pixels, least) {
  if (!inside(c, view.planes)) return 0;
  if (least <= 0) return c.count;
  const near = distanceOf(c.center, view.eye) - c.radius;
  return near > 0 ? larger(c.sizes, least * near / (2 * pixels)) : c.count;
}

/** @param {Instances} s @param {View} view @param {number} pixels @param {number} least */
export const shownIn = (s, view, pixels, least) =>
  s.chunks.reduce((n, c) => n + shownOf(c, view, pixels, least), 0);

/**
 * Draws what is in sight and at least `least` pixels large, the nearest chunks first, as they hide
 * the others; returns how many instances that were.
 * @param {Instances} s @param {number} vertices @param {View} view @param {number} pixels @param
 * {number} least
 */
export function drawChunks(s, vertices, view, pixels, least) {
  const shown = s.chunks.map((c) => ({first: c.first, count: shownOf(c, view, pixels, least),
    far: distanceOf(c.center, view.eye) - c.radius})).filter((c) => c.count);
  shown.sort((a, b) => a.far - b.far);
  for (const c of shown) gl.drawArrays(gl.TRIANGLES, c.first * vertices, c.count * vertices);
  return shown.reduce((n, c) => n + c.count, 0);
}
