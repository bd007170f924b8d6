// The camera: it turns around a place, or walks and looks around from where it is.
import {canvas} from './gl.js';
import {changed, state} from './state.js';
import {cross, dot, middle, minus, plus, product, times, unit} from './vectors.js';

export const camera = {
  /** @type {Vector} */ at: [0, 0, 0],
  yaw: -1.15,
  pitch: 0.8,
  distance: 10,
  /** The angle of view from top to bottom. */
  field: 0.8,
  walking: false,
  /**
   * Where it was before it walked.
   * @type {{ at: Vector, yaw: number, pitch: number, distance: number } | null}
   */
  before: null,
  /** The panel's share of the width. */
  covered: 0,
};

/** Its axes; `back` leads from what it looks at to the eye. */
export function axes() {
  const u = state.up;
  const c = Math.cos(camera.pitch);
  const back = [0, 0, 0];
  back[(u + 1) % 3] = c * Math.cos(camera.yaw);
  back[(u + 2) % 3] = c * Math.sin(camera.yaw);
  back[u] = Math.sin(camera.pitch);
  const vertical = [0, 0, 0];
  vertical[u] = 1;
  const right = unit(cross(vertical, back));
  return {back, right, above: cross(back, right)};
}

const aspect = () => canvas.clientWidth / Math.max(1, canvas.clientHeight);

/** @returns {View} */
export function currentView() {
  const {back, right, above} = axes();
  const eye = camera.walking ? camera.at : plus(camera.at, times(back, camera.distance));
  const near = camera.walking ? state.size * 2e-4 : Math.max(camera.distance * 0.02, state.size * 1e-5);
  const far = (camera.walking ? 0 : camera.distance) * 2 + state.size * 4;
  const scale = 1 / Math.tan(camera.field / 2);
  const a = (far + near) / (near - far);
  const turn = [right[0], above[0], back[0], 0, right[1], above[1], back[1], 0,
    right[2], above[2], back[2], 0, -dot(right, eye), -dot(above, eye), -dot(back, eye), 1];
  const lens = [scale / aspect(), 0, 0, 0, 0, scale, 0, 0, -camera.covered, 0, a, -1,
    0, 0, 2 * far * near / (near - far), 0];
  const matrix = product(lens, turn);
  /** @type {number[][]} */
  const planes = [];
  for (const [row, sign] of [[0, 1], [0, -1], [1, 1], [1, -1], [2, 1]]) {
    const p = [0, 1, 2, 3].map((c) => matrix[4 * c + 3] + sign * matrix[4 * c + row]);
    const l = Math.hypot(p[0], p[1], p[2]);
    planes.push(p.map((x) => x / l));
  }
  return {matrix, eye, right, above, back, scale, planes};
}

/**
 * Where a place is on the page, in its pixels; null behind the eye.
 * @param {View} view @param {ArrayLike<number>} p
 */
export function projected(view, p) {
  const m = view.matrix;
  const [x, y, w] = [0, 1, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
  if (w <= 0) return null;
  return [(x / w + 1) / 2 * canvas.clientWidth, (1 - y / w) / 2 * canvas.clientHeight];
}

/**
 * The direction of what is seen at a place of the page.
 * @param {View} view @param {number} x @param {number} y @returns {Vector}
 */
export function rayAt(view, x, y) {
  const sx = (2 * x / canvas.clientWidth - 1 - camera.covered) * aspect() / view.scale;
  const sy = (1 - 2 * y / canvas.clientHeight) / view.scale;
  return unit(minus(plus(times(view.right, sx), times(view.above, sy)), view.back));
}

/**
 * Moves the eye away until all of a box is in the picture.
 * @param {Box} box
 */
export function fit(box) {
  const {back, right, above} = axes();
  camera.at = middle(box);
  const y = Math.tan(camera.field / 2) * 0.94;
  const x = y * aspect() * (1 - camera.covered);
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map((k) => corner >> k & 1 ? box.max[k] : box.min[k]);
    const d = minus(p, camera.at);
    distance = Math.max(distance, Math.abs(dot(d, right)) / x + dot(d, back),
      Math.abs(dot(d, above)) / y + dot(d, back));
  }
  camera.distance = distance || 1;
}

/** @param {number} yaw @param {number} pitch */
function showAll(yaw, pitch) {
  Object.assign(camera, {walking: false, field: 0.8, yaw, pitch});
  fit(state.focus);
  moved();
}

/** The first view: from the south and above, all in the picture. */
export const home = () => showAll(-1.15, state.sets.length ? 0.95 : 0.8);

/** From above, north up. */
export const fromAbove = () => showAll(state.up === 1 ? 0 : -Math.PI / 2, Math.PI / 2 - 1e-3);

/** The camera has moved: until it rests, less may be drawn. */
export function moved() {
  state.moved = performance.now();
  changed();
}

/** @param {number} dx @param {number} dy in pixels */
export function turn(dx, dy) {
  const s = camera.walking ? -0.004 : 0.006;
  camera.yaw -= dx * s;
  camera.pitch = Math.max(-1.57, Math.min(1.57, camera.pitch + dy * s));
  moved();
}

/** @param {number} dx @param {number} dy in pixels */
export function slide(dx, dy) {
  const {right, above} = axes();
  const far = camera.walking ? state.size * 0.05 : camera.distance;
  const s = 2 * far * Math.tan(camera.field / 2) / canvas.clientHeight;
  camera.at = plus(camera.at, plus(times(right, -dx * s), times(above, dy * s)));
  moved();
}

/**
 * Nearer, towards the place under the pointer.
 * @param {number} factor @param {Vector} [ray]
 */
export function zoom(factor, ray) {
  if (camera.walking) {
    camera.at = plus(camera.at, times(axes().back, (factor - 1) * state.size * 0.05));
  } else {
    if (ray) {
      // Keeps what is under the pointer, at the distance of the middle, where it is.
      const {back} = axes();
      const along = -camera.distance / Math.min(-0.05, dot(ray, back));
      const p = plus(plus(camera.at, times(back, camera.distance)), times(ray, along));
      camera.at = plus(p, times(minus(camera.at, p), factor));
    }
    camera.distance = Math.max(state.size * 1e-5, camera.distance * factor);
  }
  moved();
}

/**
 * Walks: ahead and to the right, in lengths of a step.
 * @param {number} ahead @param {number} aside @param {number} rise
 */
export function walk(ahead, aside, rise) {
  const {back, right} = axes();
  const level = [...back];
  level[state.up] = 0;
  const forward = Math.hypot(...level) > 1e-3 ? times(unit(level), -1) : axes().above;
  const step = camera.walking ? state.size * 0.004 : camera.distance * 0.012;
  camera.at = plus(camera.at, times(plus(times(forward, ahead), times(right, aside)), step));
  camera.at[state.up] += rise * step;
  moved();
}

/**
 * Stands at a place and looks at another.
 * @param {ArrayLike<number>} place @param {Vector | null} towards
 */
export function standAt(place, towards) {
  if (!camera.walking) {
    camera.before = {at: camera.at, yaw: camera.yaw, pitch: camera.pitch, distance: camera.distance};
  }
  camera.walking = true;
  camera.field = 1.25;
  camera.at = [place[0], place[1], place[2]];
  if (towards) {
    const d = minus(camera.at, towards);
    const u = state.up;
    camera.yaw = Math.atan2(d[(u + 2) % 3], d[(u + 1) % 3]);
    const flat = Math.hypot(d[(u + 1) % 3], d[(u + 2) % 3]);
    camera.pitch = Math.max(-0.7, Math.min(0.7, Math.atan2(d[u], flat)));
  } else {
    camera.pitch = 0;
  }
  moved();
}

/** Back to where the camera was before it walked. */
export function leave() {
  if (!camera.walking) return;
  camera.walking = false;
  camera.field = 0.8;
  if (camera.before) Object.assign(camera, camera.before);
  else fit(state.focus);
  moved();
}
