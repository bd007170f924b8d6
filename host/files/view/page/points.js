// Sets of points: tiles that lie flat, as large as the points' spacing.
import {floats, hashesOf, namesOf, refuse, words} from './container.js';
import {placeTable, tableOf} from './gl.js';
import {state} from './state.js';
import {at3, emptyBox, grow} from './vectors.js';

const mostPoints = 8e6;

/**
 * The usual distance from a point to the nearest other one, from a sample.
 * @param {Float32Array} p
 */
function spacingOf(p) {
  const n = p.length / 3;
  const samples = Math.min(n, 120);
  /** @type {number[]} */
  const near = [];
  for (let s = 0; s < samples; s++) {
    const i = Math.floor(s * n / samples);
    const x = p[3 * i];
    const y = p[3 * i + 1];
    const z = p[3 * i + 2];
    let best = Infinity;
    for (let j = 0; j < p.length; j += 3) {
      const d = (p[j] - x) ** 2 + (p[j + 1] - y) ** 2 + (p[j + 2] - z) ** 2;
      if (d > 0 && d < best) best = d;
    }
    if (best < Infinity) near.push(Math.sqrt(best));
  }
  near.sort((a, b) => a - b);
  return near.length ? near[near.length >> 1] : 0;
}

/**
 * @param {string} name @param {Float32Array} position @param {string[]} hashes
 * @param {(i: number) => string} label @returns {PointSet}
 */
export function pointsFrom(name, position, hashes, label) {
  const count = position.length / 3;
  const box = emptyBox();
  for (let i = 0; i < count; i++) {
    // Others see nothing and are not shown.
    const p = position.subarray(3 * i, 3 * i + 3);
    if (p.every((x) => Math.abs(x) <= 2 ** 40)) grow(box, p);
  }
  return {name, hashes, count, position, raised: 0, area: null, label, spacing: spacingOf(position),
    box, layer: 'points', dots: false, colours: new Uint8Array(4 * count), places: null, shades: null};
}

/** @param {Container} c @returns {PointSet} */
export function pointsOf(c) {
  const held = floats(c, 'point.position', [null, 3]);
  const count = held.length / 3;
  if (count > mostPoints) refuse(c.name, `more than ${mostPoints} points are not shown`);
  const set = pointsFrom(c.name, held, hashesOf(c), namesOf(c, ['point.label'], [count]));
  set.raised = Number(c.meta['view.at']) || 0;
  if (c.tensors['point.area']) set.area = words(c, 'point.area', [count]);
  return set;
}

/**
 * Brings a set's colours to the graphics card.
 * @param {PointSet} set
 */
export function showColours(set) {
  if (!set.places) set.places = placeTable(set.position);
  set.shades = tableOf(set.colours, set.shades);
}

/**
 * The eye at a point, which may stand on a floor.
 * @param {Place} p
 */
export function eyeOf({set, index}) {
  const eye = at3(set.position, index);
  eye[state.up] += set.raised;
  return eye;
}

/**
 * "door camera (point 7)".
 * @param {PointSet} set @param {number} i
 */
export function pointName(set, i) {
  const name = set.label(i);
  return name ? `${name} (point ${i})` : `point ${i}`;
}
