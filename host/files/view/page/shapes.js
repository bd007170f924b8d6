// Scenes: every kind of shape as instances of one of five meshes. A new kind is one function of
// `shapeKinds`, in the order of ids.
import {chunked, upload} from './chunks.js';
import {floats, hashesOf, namesOf, refuse, words} from './container.js';
import {state} from './state.js';
import {tableOf} from './gl.js';
import {across, at3, diagonal, emptyBox, grow, isEmpty, middle, minus, plus} from './vectors.js';
import {times, turned} from './vectors.js';

const mostShapes = 4e6;

/** The id of no shape. */
export const noShape = 0xffffffff;

/** @typedef {{ mesh: Instances['mesh'], stride: number, put: (i: number, out: Float32Array) => void,
 *   center: (i: number) => Vector, size: (i: number) => number, count: number, color: Colour,
 *   tilted: boolean, bound: (i: number, box: Box) => void }} Kind */

/** @param {Container} c @param {string} key */
const countIn = (c, key) => c.tensors[key] ? c.tensors[key].shape[0] || 0 : 0;

/**
 * A column of a kind, all of it finite.
 * @param {Container} c @param {string} key @param {number} count @param {number[]} width
 */
function numbers(c, key, count, ...width) {
  const column = count ? floats(c, key, [count, ...width]) : new Float32Array(0);
  if (!column.every(Number.isFinite)) refuse(c.name, `${key} has numbers that are not finite`);
  return column;
}

/** @param {Container} c @returns {Kind} */
function aabb(c) {
  const count = countIn(c, 'aabb.min');
  const min = numbers(c, 'aabb.min', count, 3);
  const max = numbers(c, 'aabb.max', count, 3);
  /** @param {number} i @returns {Vector} */
  const center = (i) => [0, 1, 2].map((k) => (min[3 * i + k] + max[3 * i + k]) / 2);
  /** @param {number} i @returns {Vector} */
  const half = (i) => [0, 1, 2].map((k) => (max[3 * i + k] - min[3 * i + k]) / 2);
  return {mesh: 'box', stride: 10, count, color: [214, 210, 202], tilted: false, center,
    put: (i, out) => out.set([...center(i), ...half(i), 0, 0, 0, 1]),
    bound: (i, box) => {
      grow(box, at3(min, i));
      grow(box, at3(max, i));
    },
    size: (i) => Math.hypot(...half(i))};
}

/** @param {Container} c @returns {Kind} */
function obb(c) {
  const count = countIn(c, 'obb.center');
  const center = numbers(c, 'obb.center', count, 3);
  const half = numbers(c, 'obb.half_extents', count, 3);
  const turn = numbers(c, 'obb.rotation', count, 4);
  return {mesh: 'box', stride: 10, count, color: [208, 206, 208], tilted: true,
    center: (i) => at3(center, i),
    put: (i, out) => out.set([...at3(center, i), ...at3(half, i), ...turn.subarray(4 * i, 4 * i + 4)]),
    bound: (i, box) => {
      const c = at3(center, i);
      const sides = [0, 1, 2].map((k) => turned(turn.subarray(4 * i, 4 * i + 4),
        [0, 1, 2].map((j) => j === k ? half[3 * i + k] : 0)));
      const reach = [0, 1, 2].map((k) => sides.reduce((sum, side) => sum + Math.abs(side[k]), 0));
      grow(box, plus(c, reach));
      grow(box, minus(c, reach));
    },
    size: (i) => Math.hypot(...at3(half, i))};
}

/** @param {Container} c @returns {Kind} */
function sphere(c) {
  const count = countIn(c, 'sphere.center');
  const center = numbers(c, 'sphere.center', count, 3);
  const radius = numbers(c, 'sphere.radius', count);
  return {mesh: 'round', stride: 7, count, color: [196, 206, 216], tilted: false,
    center: (i) => at3(center, i),
    put: (i, out) => out.set([...at3(center, i), ...at3(center, i), radius[i]]),
    bound: (i, box) => grow(box, at3(center, i), radius[i]),
    size: (i) => radius[i]};
}

/**
 * Capsules, or cylinders.
 * @param {Container} c @param {string} kind @param {Instances['mesh']} mesh @param {Colour} color
 * @returns {Kind}
 */
function kindAboutSegments(c, kind, mesh, color) {
  const count = countIn(c, kind + '.a');
  const a = numbers(c, kind + '.a', count, 3);
  const b = numbers(c, kind + '.b', count, 3);
  const radius = numbers(c, kind + '.radius', count);
  return {mesh, stride: 7, count, color, tilted: false,
    center: (i) => [0, 1, 2].map((k) => (a[3 * i + k] + b[3 * i + k]) / 2),
    put: (i, out) => out.set([...at3(a, i), ...at3(b, i), radius[i]]),
    bound: (i, box) => {
      const e = minus(at3(b, i), at3(a, i));
      const squares = e.map((x) => x * x);
      const all = squares[0] + squares[1] + squares[2];
      const reach = squares.map((x) => radius[i] * (mesh === 'round' ? 1 : Math.sqrt(1 - x / all)));
      for (const end of [at3(a, i), at3(b, i)]) {
        grow(box, plus(end, reach));
        grow(box, minus(end, reach));
      }
    },
    size: (i) => radius[i] + Math.hypot(...minus(at3(b, i), at3(a, i))) / 2};
}
/** @param {Container} c */
const capsule = (c) => kindAboutSegments(c, 'capsule', 'round', [204, 212, 200]);
/** @param {Container} c */
const cylinder = (c) => kindAboutSegments(c, 'cylinder', 'cylinder', [202, 208, 212]);

/** @param {Container} c @returns {Kind} */
function triangle(c) {
  const count = countIn(c, 'triangle.a');
  const corners = ['a', 'b', 'c'].map((k) => numbers(c, 'triangle.' + k, count, 3));
  /** @param {number} i @returns {Vector} */
  const center = (i) => [0, 1, 2].map((k) =>
    corners.reduce((sum, corner) => sum + corner[3 * i + k], 0) / 3);
  return {mesh: 'triangle', stride: 9, count, color: [206, 210, 204], tilted: false, center,
    put: (i, out) => {
      const [a, b, c] = corners.map((corner) => at3(corner, i));
      out.set([...a, ...minus(b, a), ...minus(c, a)]);
    },
    bound: (i, box) => corners.forEach((corner) => grow(box, at3(corner, i))),
    size: (i) => {
      const m = center(i);
      return Math.max(...corners.map((corner) => Math.hypot(...minus(at3(corner, i), m))));
    }};
}

/**
 * A square around the middle of the other shapes.
 * @param {Container} c @param {Box} box @returns {Kind}
 */
function plane(c, box) {
  const count = countIn(c, 'plane.normal');
  const normal = numbers(c, 'plane.normal', count, 3);
  const offset = numbers(c, 'plane.offset', count);
  const alone = isEmpty(box);
  const m = alone ? [0, 0, 0] : middle(box);
  const side = alone ? 10 : Math.max(diagonal(box), 1e-6) * 1.5;
  /** @param {number} i @returns {Vector} */
  const center = (i) => {
    const n = at3(normal, i);
    const d = n[0] * m[0] + n[1] * m[1] + n[2] * m[2] - offset[i];
    return [0, 1, 2].map((k) => m[k] - d * n[k]);
  };
  return {mesh: 'plane', stride: 9, count, color: [150, 158, 170], tilted: false, center,
    size: () => side * 1.5,
    bound: (i, all) => {
      if (alone) grow(all, center(i), side);
    },
    put: (i, out) => {
      const [x, y] = across(at3(normal, i));
      out.set([...center(i), ...times(x, side), ...times(y, side)]);
    }};
}

/** @type {[string, (c: Container, box: Box) => Kind][]} */
const shapeKinds = [['aabb', aabb], ['obb', obb], ['sphere', sphere], ['capsule', capsule],
  ['cylinder', cylinder], ['triangle', triangle], ['plane', plane]];

/**
 * @param {Container} c @param {Box} around where planes are drawn in a scene of planes alone
 * @returns {Scene}
 */
export function sceneOf(c, around) {
  const box = emptyBox();
  /** @type {Scene['kinds']} */
  const kinds = [];
  /** @type {Map<Instances['mesh'], { kind: Kind, first: number }[]>} */
  const byMesh = new Map();
  let count = 0;
  for (const [name, read] of shapeKinds) {
    const kind = read(c, isEmpty(box) ? around : box);
    if (count + kind.count > mostShapes) {
      refuse(c.name, `more than ${mostShapes} shapes are not shown`);
    }
    if (kind.count) kinds.push({kind: name, first: count, count: kind.count});
    for (let i = 0; i < kind.count; i++) kind.bound(i, box);
    byMesh.set(kind.mesh, [...(byMesh.get(kind.mesh) || []), {kind, first: count}]);
    count += kind.count;
  }
  /** @type {Instances[]} */
  const instances = [];
  for (const [mesh, list] of byMesh) {
    const s = instancesOf(mesh, list);
    if (s) instances.push(s);
  }
  const group = new Uint32Array(count).fill(0xffffffff);
  for (const k of kinds) {
    const key = k.kind + '.group';
    if (c.tensors[key]) group.set(words(c, key, [k.count]), k.first);
  }
  const label = namesOf(c, kinds.map((k) => k.kind + '.label'), kinds.map((k) => k.count));
  return {name: c.name, hashes: hashesOf(c), meta: c.meta, count, kinds, instances, box, label, group,
    note: null, layer: 'shapes'};
}

/** @param {Instances['mesh']} mesh @param {{ kind: Kind, first: number }[]} list */
function instancesOf(mesh, list) {
  const total = list.reduce((n, l) => n + l.kind.count, 0);
  if (!total) return null;
  const stride = list[0].kind.stride;
  const data = new Float32Array(total * stride);
  const centers = new Float32Array(3 * total);
  const sizes = new Float32Array(total);
  const ids = new Uint32Array(total);
  /** @type {Colour[]} */
  const colours = [];
  let at = 0;
  for (const {kind, first} of list) {
    for (let i = 0; i < kind.count; i++, at++) {
      kind.put(i, data.subarray(at * stride, (at + 1) * stride));
      centers.set(kind.center(i), 3 * at);
      sizes[at] = kind.size(i);
      ids[at] = first + i;
    }
    colours.push(kind.color);
  }
  const tilted = list.some((l) => l.kind.tilted && l.kind.count > 0);
  const s = chunked(mesh, stride, data, ids, centers, sizes, tilted);
  const ends = list.map((l) => l.first + l.kind.count);
  const tints = new Uint8Array(4 * total).fill(255);
  for (let k = 0; k < total; k++) {
    tints.set(colours[ends.findIndex((e) => s.ids[k] < e)], 4 * k);
  }
  upload(s, tints);
  return s;
}

/** The scene that results are of. */
export const mainScene = () => state.scenes.find((s) => s.layer === 'shapes');

/**
 * Colours the shapes of a scene.
 * @param {Scene} scene @param {(id: number) => Colour} colour
 */
export function tintScene(scene, colour) {
  for (const s of scene.instances) {
    const tints = new Uint8Array(4 * s.count).fill(255);
    for (let k = 0; k < s.count; k++) tints.set(colour(s.ids[k]), 4 * k);
    tableOf(tints, s.tints);
  }
}

/**
 * "crate (aabb 7)".
 * @param {Scene} scene @param {number} id
 */
export function shapeName(scene, id) {
  const k = scene.kinds.find((x) => id < x.first + x.count);
  if (!k) return `shape ${id}`;
  const name = scene.label(id);
  const own = k.first ? `${k.kind} ${id - k.first}, shape ${id}` : `${k.kind} ${id}`;
  return name ? `${name} (${own})` : own;
}

/**
 * The same of the scene that results are of.
 * @param {number} id
 */
export function nameOf(id) {
  const scene = mainScene();
  return scene ? shapeName(scene, id) : `shape ${id}`;
}

/**
 * Checks that a result is of the scene.
 * @param {Container} c
 */
export function checkScene(c) {
  const scene = mainScene();
  const hash = c.meta['scene.hash'];
  if (scene && hash && scene.hashes.length && !scene.hashes.includes(hash)) {
    refuse(c.name, `a result of another scene than ${scene.name}`);
  }
  if (c.meta['query.dimensions'] === '2') refuse(c.name, 'results of 2D are not shown');
}
