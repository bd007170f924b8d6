// What is under the pointer, by a ray through the very numbers that are drawn.
import {camera, currentView, rayAt} from './camera.js';
import {sliceHeights, tileSide} from './draw.js';
import {state} from './state.js';
import {at3, cross, dot, minus, plus, times, turned, unit} from './vectors.js';

/**
 * Where a ray enters a box of half extents h around 0, or leaves it where it begins inside.
 * @param {ArrayLike<number>} o @param {ArrayLike<number>} d @param {ArrayLike<number>} h
 */
function boxHit(o, d, h) {
  let near = -Infinity;
  let far = Infinity;
  for (let k = 0; k < 3; k++) {
    const inverse = 1 / (d[k] || 1e-30);
    const a = (-h[k] - o[k]) * inverse;
    const b = (h[k] - o[k]) * inverse;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  if (near > far || far <= 0) return Infinity;
  return near > 0 ? near : far;
}

/** @param {Vector} o @param {Vector} d @param {ArrayLike<number>} c @param {number} r */
function ballHit(o, d, c, r) {
  const w = [o[0] - c[0], o[1] - c[1], o[2] - c[2]];
  const b = dot(w, d);
  const q = b * b - dot(w, w) + r * r;
  if (q < 0) return Infinity;
  const s = Math.sqrt(q);
  return -b - s > 0 ? -b - s : -b + s > 0 ? -b + s : Infinity;
}

/** @param {Vector} o @param {Vector} d @param {Vector} a @param {Vector} b @param {number} r */
function roundHit(o, d, a, b, r) {
  let best = Math.min(ballHit(o, d, a, r), ballHit(o, d, b, r));
  const axis = minus(b, a);
  const l = dot(axis, axis);
  if (!(l > 0)) return best;
  const w = minus(o, a);
  const n = minus(d, times(axis, dot(d, axis) / l));
  const m = minus(w, times(axis, dot(w, axis) / l));
  const [qa, qb, qc] = [dot(n, n), dot(n, m), dot(m, m) - r * r];
  const root = qb * qb - qa * qc;
  if (root >= 0 && qa > 0) {
    const t = (-qb - Math.sqrt(root)) / qa;
    const along = (dot(w, axis) + t * dot(d, axis)) / l;
    if (t > 0 && along >= 0 && along <= 1) best = Math.min(best, t);
  }
  return best;
}

/** @param {Vector} o @param {Vector} d @param {Vector} a @param {Vector} b @param {number} r */
function cylinderHit(o, d, a, b, r) {
  const axis = minus(b, a);
  const l = dot(axis, axis);
  const w = minus(o, a);
  const [speed, height] = [dot(d, axis) || 1e-30, dot(w, axis)];
  const n = minus(d, times(axis, speed / l));
  const m = minus(w, times(axis, height / l));
  const [qa, qb, qc] = [dot(n, n) || 1e-30, dot(n, m), dot(m, m) - r * r];
  const root = Math.sqrt(qb * qb - qa * qc);
  const ends = [-height / speed, (l - height) / speed];
  const near = Math.max((-qb - root) / qa, Math.min(...ends));
  const far = Math.min((-qb + root) / qa, Math.max(...ends));
  if (!(near <= far && far > 0)) return Infinity;
  return near > 0 ? near : far;
}

/** @param {Vector} o @param {Vector} d @param {Vector} a @param {Vector} u @param {Vector} v edges */
export function triangleHit(o, d, a, u, v) {
  const n = cross(u, v);
  const w = minus(o, a);
  const speed = dot(d, n) || 1e-30;
  const across = cross(w, d);
  const x = -dot(across, v) / speed;
  const y = dot(across, u) / speed;
  const t = -dot(w, n) / speed;
  return t > 0 && x >= 0 && y >= 0 && x + y <= 1 ? t : Infinity;
}

/** @param {Instances} s @param {number} i @param {Vector} o @param {Vector} d @param {number[]} cut */
function instanceHit(s, i, o, d, cut) {
  const v = s.data.subarray(i * s.stride, (i + 1) * s.stride);
  if (s.mesh === 'round') return roundHit(o, d, at3(v, 0), at3(v, 1), v[6]);
  if (s.mesh === 'cylinder') return cylinderHit(o, d, at3(v, 0), at3(v, 1), v[6]);
  if (s.mesh === 'triangle') return triangleHit(o, d, at3(v, 0), at3(v, 1), at3(v, 2));
  if (s.mesh === 'plane') {
    const n = unit(cross(at3(v, 1), at3(v, 2)));
    const t = dot(minus(at3(v, 0), o), n) / (dot(d, n) || 1e-30);
    return t > 0 ? t : Infinity;
  }
  const c = at3(v, 0);
  const h = at3(v, 1);
  const q = v.subarray(6, 10);
  const up = state.up;
  if (Math.abs(q[0]) + Math.abs(q[3 - up]) < 1e-6) { // upright: cut as it is drawn
    const low = Math.max(c[up] - h[up], cut[0]);
    const high = Math.min(c[up] + h[up], cut[1]);
    if (low > high) return Infinity;
    c[up] = (low + high) / 2;
    h[up] = (high - low) / 2;
  }
  const back = [-q[0], -q[1], -q[2], q[3]];
  return boxHit(turned(back, minus(o, c)), turned(back, d), h);
}

/**
 * The nearest shape.
 * @param {Vector} o @param {Vector} d unit
 */
function shapeHit(o, d) {
  const cut = sliceHeights();
  /** @type {{ t: number, shape: number, scene: Scene | null }} */
  const best = {t: Infinity, shape: -1, scene: null};
  for (const scene of state.scenes) {
    if (!state.layers[scene.layer]) continue;
    for (const s of scene.instances) {
      if (s.mesh === 'plane' && !state.layers.planes) continue;
      for (const c of s.chunks) {
        const w = minus(c.center, o);
        const along = dot(w, d);
        if (dot(w, w) - along * along > c.radius * c.radius || along + c.radius < 0 ||
            along - c.radius > best.t) continue;
        for (let i = c.first; i < c.first + c.count; i++) {
          const t = instanceHit(s, i, o, d, cut);
          if (!(t < best.t)) continue;
          const h = o[state.up] + t * d[state.up];
          if (h < cut[0] - 1e-4 * state.size || h > cut[1] + 1e-4 * state.size) continue;
          Object.assign(best, {t, shape: s.ids[i], scene});
        }
      }
    }
  }
  return best;
}

/**
 * The nearest point whose tile is hit.
 * @param {PointSet} set @param {Vector} o @param {Vector} d @param {View} view
 */
function pointHit(set, o, d, view) {
  const cut = sliceHeights();
  const up = state.up;
  const [a, b] = [(up + 1) % 3, (up + 2) % 3];
  const half = tileSide(set) / 2;
  const pixel = 1.5 / (view.scale * innerHeight / 2);
  const p = set.position;
  let best = Infinity;
  let point = -1;
  for (let i = 0; i < set.count; i++) {
    const h = p[3 * i + up];
    if (!set.colours[4 * i + 3] || h < cut[0] || h > cut[1]) continue;
    const w = [p[3 * i] - o[0], p[3 * i + 1] - o[1], p[3 * i + 2] - o[2]];
    const along = dot(w, d);
    if (!(along > 0 && along < Infinity)) continue; // nor are bad points hit
    const reach = Math.max(half, 1.25 * pixel * along);
    let t = along;
    if (camera.walking || set.dots) {
      if (!(dot(w, w) - along * along <= reach * reach)) continue; // NaN hits nothing
    } else {
      t = w[up] / d[up];
      const beside = Math.max(Math.abs(d[a] * t - w[a]), Math.abs(d[b] * t - w[b]));
      if (!(t > 0 && beside <= reach)) continue;
    }
    if (t < best) {
      best = t;
      point = i;
    }
  }
  return {t: best, point};
}

/**
 * What else can be hit: areas. Set by the module that draws them.
 * @type {{ area: ((o: Vector, d: Vector) => { t: number, area: number }) | null }}
 */
export const others = {area: null};

/**
 * What is at a place of the page.
 * @param {number} x @param {number} y @returns {Picked}
 */
export function pick(x, y) {
  const view = currentView();
  const d = rayAt(view, x, y);
  const o = view.eye;
  const shape = shapeHit(o, d);
  /** @type {Picked} */
  const found = {point: -1, set: null, shape: shape.shape, scene: shape.scene, area: -1, place: null,
    t: shape.t};
  if (others.area) {
    const hit = others.area(o, d);
    // An area lies on the floor, which may be hit first by rounding.
    if (hit.area >= 0 && hit.t < found.t * 1.002) found.area = hit.area;
  }
  for (const set of state.sets) {
    if (!state.layers[set.layer]) continue;
    const hit = pointHit(set, o, d, view);
    const ghost = state.layers['through walls'];
    if (hit.point >= 0 && (hit.t < found.t * 1.002 || ghost && !found.set)) {
      Object.assign(found, {t: hit.t, point: hit.point, set});
    }
  }
  if (found.t < Infinity) found.place = plus(o, times(d, found.t));
  return found;
}
