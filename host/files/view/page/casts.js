// Casts: where rays hit, and what blocks a pair; overlaps and sweeps of query shapes.
import {classColour, palette} from './colours.js';
import {addColumn} from './columns.js';
import {bitsOf, bytesOf, countOf, floats, hashesOf, offsetsOf, refuse, words} from './container.js';
import {Strokes, gl} from './gl.js';
import {ownKey, setLines} from './paint.js';
import {layerKeys, pairTellers} from './panel.js';
import {eyeOf, pointsFrom} from './points.js';
import {checkScene, mainScene, nameOf, noShape, tintScene} from './shapes.js';
import {many, short, state} from './state.js';
import {takers} from './take.js';
import {at3, distanceOf, plus, times} from './vectors.js';

const mostRays = 20000;

/** @typedef {{ hashes: string[], count: number, origin: Float32Array, direction: Float32Array,
 *   tMax: Float32Array | null, byOrigin: Map<string, number[]> }} Rays */

/** @type {Rays[]} */
const allRays = [];

/** @param {Container} c */
function takeRays(c) {
  const origin = floats(c, 'origin', [null, 3]);
  const count = origin.length / 3;
  const direction = floats(c, 'direction', [count, 3]);
  const tMax = c.tensors.t_max ? floats(c, 't_max', [count]) : null;
  /** @type {Rays['byOrigin']} */
  const byOrigin = new Map();
  for (let i = 0; i < Math.min(count, 2e6); i++) {
    const key = at3(origin, i).join();
    const list = byOrigin.get(key);
    if (list) list.push(i);
    else byOrigin.set(key, [i]);
  }
  allRays.push({hashes: hashesOf(c), count, origin, direction, tMax, byOrigin});
}

/** @param {Container} c */
function raysFor(c) {
  checkScene(c);
  const count = countOf(c, 'rays.count');
  const rays = allRays.find((r) => r.hashes.includes(c.meta['rays.hash']) && r.count === count) ||
    allRays.find((r) => !r.hashes.length && r.count === count);
  return rays || refuse(c.name, `a cast of ${count} rays that are not here: give its rays too`);
}

/** @param {Rays} rays @param {number} i @param {number} t */
const along = (rays, i, t) => plus(at3(rays.origin, i), times(at3(rays.direction, i), t));

/** @param {Container} c */
function takeHits(c) {
  const rays = raysFor(c);
  const n = rays.count;
  let t = new Float32Array(n).fill(Infinity);
  let id = new Uint32Array(n).fill(noShape);
  if (c.kind === 'all hits') {
    const kept = floats(c, 't', [null]);
    const ids = words(c, 'id', [kept.length]);
    const offsets = offsetsOf(c, 'offsets', kept.length);
    if (offsets.length !== n + 1) refuse(c.name, 'offsets are not one for each ray');
    for (let i = 0; i < n; i++) {
      if (offsets[i] === offsets[i + 1]) continue;
      t[i] = kept[offsets[i]];
      id[i] = ids[offsets[i]];
    }
  } else {
    t = floats(c, 't', [n]);
    id = words(c, 'id', [n]);
  }
  showHits(c.name, rays, t, id);
  pairTellers.push((a, b, say) => {
    const i = rayBetween(rays, a, b);
    if (i < 0) return;
    if (id[i] === noShape) say('the cast hits nothing between them');
    else say(`blocked first by ${nameOf(id[i])}, ${short(distanceOf(at3(rays.origin, i),
      along(rays, i, t[i])))} ${state.unit} from the start`);
  });
}

/**
 * The ray from one point to another, or -1.
 * @param {Rays} rays @param {Place} a @param {Place} b
 */
function rayBetween(rays, a, b) {
  const [from, to] = [a, b].map(eyeOf);
  const far = distanceOf(from, to);
  for (const i of rays.byOrigin.get(from.map(Math.fround).join()) || []) {
    const t = rays.tMax ? rays.tMax[i] : 1;
    const end = along(rays, i, Number.isFinite(t) ? t : 1);
    if (distanceOf(end, to) <= 1e-4 * far) return i;
  }
  return -1;
}

/** @param {string} name @param {Rays} rays @param {Float32Array} t @param {Uint32Array} id */
function showHits(name, rays, t, id) {
  const hit = Uint32Array.from(id.keys()).filter((i) => id[i] !== noShape && Number.isFinite(t[i]));
  const places = new Float32Array(3 * hit.length);
  hit.forEach((i, k) => places.set(along(rays, i, t[i]), 3 * k));
  const set = pointsFrom(name, places, [], (k) => `hit of ray ${hit[k]}: ${nameOf(id[hit[k]])}`);
  set.layer = 'hits';
  set.dots = true;
  state.layers.hits = true;
  state.sets.push(set);
  addColumn({key: 'hit-t', name: 't of the hit', set, data: Float32Array.from(hit, (i) => t[i])});
  const scene = mainScene();
  const kinds = scene ? scene.kinds : [];
  addColumn({key: 'hit-kind', name: 'kind of shape hit', set, colours: classColour,
    data: Uint8Array.from(hit, (i) => kinds.findIndex((k) => id[i] < k.first + k.count)),
    classes: (v) => kinds[v] ? kinds[v].kind : 'other'});
  const every = Math.max(1, Math.ceil(rays.count / mostRays));
  const strokes = new Strokes();
  for (let i = 0; i < rays.count; i += every) {
    const end = id[i] !== noShape ? t[i] : rays.tMax ? rays.tMax[i] : Infinity;
    if (!Number.isFinite(end)) continue;
    strokes.add([at3(rays.origin, i), along(rays, i, end)],
      id[i] !== noShape ? palette.drop : palette.seen, 70, 130);
  }
  state.layers.rays = rays.count <= 2000 && !state.visibilities.length;
  setLines(ownKey(), strokes, 'rays', gl.LINES);
  layerKeys.push([palette.drop, 'rays that hit', many(hit.length)],
    [palette.seen, 'rays that hit nothing', many(rays.count - hit.length)]);
}

/** @param {Container} c */
function takeBlocked(c) {
  const rays = raysFor(c);
  const bits = c.kind === 'blocked' ? bitsOf(c, 'blocked', [Math.ceil(rays.count / 64)]) : null;
  const count = bits ? null : words(c, 'count', [rays.count]);
  pairTellers.push((a, b, say) => {
    const i = rayBetween(rays, a, b);
    if (i < 0) return;
    if (bits) say(bits[i >> 3] >> (i & 7) & 1 ? 'the cast is blocked' : 'the cast is not blocked');
    if (count) say(`the cast hits ${many(count[i])} shapes`);
  });
}

/**
 * The scene of query shapes.
 * @param {Container} c @param {string} which
 */
function askedScene(c, which) {
  checkScene(c);
  const count = countOf(c, `${which}.count`);
  const hash = c.meta[`${which}.hash`];
  const scene = state.scenes.find((s) => s.hashes.includes(hash)) ||
    state.scenes.slice(1).find((s) => !s.hashes.length && s.count === count);
  if (!scene || scene.count !== count) {
    return refuse(c.name, `a result of ${count} query shapes that are not here: give their scene too`);
  }
  if (scene !== mainScene()) { // a scene may be asked of itself
    scene.layer = 'query shapes';
    state.layers['query shapes'] = true;
  }
  return scene;
}

/** @param {Scene} scene @param {(id: number) => boolean} hit @param {(id: number) => string} note */
function tintAsked(scene, hit, note) {
  let hits = 0;
  for (let i = 0; i < scene.count; i++) hits += hit(i) ? 1 : 0;
  tintScene(scene, (i) => hit(i) ? palette.drop : palette.first);
  scene.note = note;
  layerKeys.push([palette.drop, 'query shapes that hit', many(hits)],
    [palette.first, 'query shapes that are free', many(scene.count - hits)]);
}

/** @param {Container} c */
function takeOverlap(c) {
  const scene = askedScene(c, 'asking');
  const n = scene.count;
  if (c.kind === 'overlap any') {
    const body = Math.max(1, 'query.body' in c.meta ? countOf(c, 'query.body') : 1);
    const bits = bitsOf(c, 'bits', [Math.ceil(Math.ceil(n / body) / 64)]);
    /** @param {number} i */
    const hit = (i) => {
      const k = Math.floor(i / body);
      return (bits[k >> 3] >> (k & 7) & 1) === 1;
    };
    tintAsked(scene, hit, (i) => (hit(i) ? 'overlaps something' : 'overlaps nothing') +
      (body > 1 ? ` (body ${Math.floor(i / body)})` : ''));
  } else if (c.kind === 'overlap count') {
    const count = words(c, 'count', [n]);
    tintAsked(scene, (i) => count[i] > 0, (i) => `overlaps ${many(count[i])} shapes`);
  } else {
    const id = words(c, 'id', [null]);
    const offsets = offsetsOf(c, 'offsets', id.length);
    if (offsets.length !== n + 1) refuse(c.name, 'offsets are not one for each query shape');
    tintAsked(scene, (i) => offsets[i + 1] > offsets[i], (i) => {
      const list = [...id.subarray(offsets[i], Math.min(offsets[i + 1], offsets[i] + 5))].map(nameOf);
      return list.length ? `overlaps ${list.join(', ')}` : 'overlaps nothing';
    });
  }
}

/** @param {Container} c */
function takeSweep(c) {
  const scene = askedScene(c, 'moving');
  const t = floats(c, 't', [scene.count]);
  const id = words(c, 'id', [scene.count]);
  bytesOf(c, 'flags', [scene.count]);
  tintAsked(scene, (i) => id[i] !== noShape, (i) => id[i] === noShape ? 'moves freely' :
    `hits ${nameOf(id[i])} at t ${short(t[i])}`);
}

takers.set('rays', takeRays);
for (const k of ['hits', 'all hits']) takers.set(k, takeHits);
for (const k of ['blocked', 'hit counts']) takers.set(k, takeBlocked);
for (const k of ['overlap any', 'overlap count', 'overlap all']) takers.set(k, takeOverlap);
takers.set('sweep', takeSweep);
