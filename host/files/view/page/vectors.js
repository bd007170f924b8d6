// Vectors are plain arrays of three numbers, matrices 16 numbers column by column.

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** @param {ArrayLike<number>} a @param {number} s @returns {Vector} */
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @returns {Vector} */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** @param {ArrayLike<number>} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const distanceOf = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** @param {ArrayLike<number>} a @returns {Vector} */
export const unit = (a) => times(a, 1 / (length(a) || 1));

/**
 * The i-th vector of a column of vectors.
 * @param {ArrayLike<number>} a @param {number} i
 */
export const at3 = (a, i) => /** @type {Vector} */ ([a[3 * i], a[3 * i + 1], a[3 * i + 2]]);

/**
 * v turned by the unit quaternion x y z w.
 * @param {ArrayLike<number>} q @param {Vector} v
 */
export function turned(q, v) {
  const t = times(cross(q, v), 2);
  return plus(plus(v, times(t, q[3])), cross(q, t));
}

/**
 * Two unit vectors across z, which is a unit vector.
 * @param {Vector} z @returns {Vector[]}
 */
export function across(z) {
  const x = unit(cross(z, Math.abs(z[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]));
  return [x, cross(z, x)];
}

/**
 * The product of two matrices.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 */
export function product(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
      out[c * 4 + r] = sum;
    }
  }
  return out;
}

/**
 * A box that holds nothing.
 * @returns {Box}
 */
export const emptyBox = () => ({
  min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity]});

/** @param {Box} box @param {ArrayLike<number>} p @param {number} [by] */
export function grow(box, p, by = 0) {
  for (let k = 0; k < 3; k++) {
    if (p[k] - by < box.min[k]) box.min[k] = p[k] - by;
    if (p[k] + by > box.max[k]) box.max[k] = p[k] + by;
  }
}

/** @param {Box} box @returns {Vector} */
export const middle = (box) => times(plus(box.min, box.max), 0.5);

/** @param {Box} box */
export const diagonal = (box) => length(minus(box.max, box.min));

/** @param {Box} box */
export const isEmpty = (box) => !(box.min[0] <= box.max[0]);
