// Areas, which see each other not, partly or fully, and potentially visible sets.
import {palette} from './colours.js';
import {bitsOf, bytesOf, countOf, floats, hashesOf, namesOf, offsetsOf, refuse, words} from './container.js';
import {Strokes, gl} from './gl.js';
import {hoverTexts} from './input.js';
import {painters, setLines} from './paint.js';
import {keyEntries, tellers} from './panel.js';
import {others, triangleHit} from './pick.js';
import {checkScene} from './shapes.js';
import {many, state} from './state.js';
import {takers} from './take.js';
import {at3, grow, minus} from './vectors.js';

/**
 * @type {{ offsets: Float64Array, corner: Float32Array, height: Float32Array, count: number,
 *   hashes: string[], label: (i: number) => string } | null}
 */
let polygons = null;

/** @type {{ count: number, classes: Uint8Array, visible: Uint32Array | null,
 *   samples: Uint32Array } | null} */
let classesOf = null;

/** @type {{ count: number, bits: Uint8Array, row: number } | null} */
let sets = null;

/** @param {number} i */
function areaName(i) {
  const name = polygons && i < polygons.count ? polygons.label(i) : '';
  return name ? `${name} (area ${i})` : `area ${i}`;
}

/** @param {Container} c */
function takeAreas(c) {
  const corner = floats(c, 'area.corner', [null, 3]);
  const offsets = offsetsOf(c, 'area.offsets', corner.length / 3);
  const count = offsets.length - 1;
  if (count > 2 ** 22) refuse(c.name, 'too many areas');
  const height = floats(c, 'area.height', [count]);
  polygons = {offsets, corner, height, count, hashes: hashesOf(c), label: namesOf(c, ['area.label'], [count])};
  state.layers.areas = true;
  for (let i = 0; i < corner.length / 3; i++) grow(state.more, at3(corner, i));
}

/**
 * How area b is seen from area a: 2 fully, 1 partly or in its set, 0 not, -1 unknown.
 * @param {number} a @param {number} b
 */
function classOf(a, b) {
  if (classesOf && a < classesOf.count && b < classesOf.count) {
    return classesOf.classes[a * classesOf.count + b];
  }
  if (sets && a < sets.count && b < sets.count) return sets.bits[a * sets.row + (b >> 3)] >> (b & 7) & 1;
  return -1;
}

/** @param {number} k @returns {Colour} */
const classColourOf = (k) => k === 2 ? palette.seen : k === 1 ? palette.first : k === 0 ?
  palette.unseen : palette.missing;

/** @param {Container} c */
function takeClasses(c) {
  const count = countFor(c);
  classesOf = {count, classes: bytesOf(c, 'class', [count, count]),
    samples: words(c, 'samples', [count]),
    visible: c.tensors.visible ? words(c, 'visible', [count, count]) : null};
  state.layers['area classes'] = !state.visibilities.length;
}

/** @param {Container} c */
function takeSets(c) {
  const count = countFor(c);
  const row = 8 * Math.ceil(count / 64);
  sets = {count, bits: bitsOf(c, 'bits', [count, row / 8]), row};
  state.layers['area classes'] = !state.visibilities.length;
}

/**
 * Of how many areas a result is, which must be the areas that are here.
 * @param {Container} c
 */
function countFor(c) {
  checkScene(c);
  const count = countOf(c, 'areas.count');
  const known = polygons ? polygons.count : 0;
  if (known && known !== count) refuse(c.name, `a result of ${count} areas; there are ${known}`);
  const hashes = polygons ? polygons.hashes : state.sets.filter((s) => s.area).flatMap((s) => s.hashes);
  if (hashes.length && c.meta['areas.hash'] && !hashes.includes(c.meta['areas.hash'])) {
    refuse(c.name, 'a result of other areas than there are here');
  }
  if (!known && !state.sets.some((s) => s.area)) {
    refuse(c.name, 'a result of areas: give the areas, or points that say which area each is in');
  }
  return count;
}

/** The area that is chosen: by itself, or by the point that is. */
function chosenArea() {
  const c = state.chosen;
  if (c && c.set.area) return c.set.area[c.index];
  return state.area;
}

function paintAreas() {
  const chosen = chosenArea();
  paintPolygons(chosen);
  if (!state.layers['area classes'] || chosen < 0 || !(classesOf || sets)) return;
  for (const set of state.sets) {
    if (!set.area) continue;
    for (let i = 0; i < set.count; i++) {
      const c = set.area[i] === chosen ? palette.chosen : classColourOf(classOf(chosen, set.area[i]));
      set.colours.set([c[0], c[1], c[2], 255], 4 * i);
    }
  }
}

/** @param {number} chosen */
function paintPolygons(chosen) {
  if (!polygons) return;
  const {offsets, corner, height, count} = polygons;
  const fills = new Strokes();
  const edges = new Strokes();
  const lift = state.size * 4e-4;
  for (let a = 0; a < count; a++) {
    const k = chosen >= 0 ? classOf(chosen, a) : -2;
    const c = a === chosen ? palette.chosen : k === -2 ? palette.first : classColourOf(k);
    const ink = a === chosen ? palette.chosen : palette.plain;
    const n = offsets[a + 1] - offsets[a];
    /** @param {number} i @param {number} h */
    const at = (i, h) => {
      const p = at3(corner, offsets[a] + i % n);
      p[state.up] += h;
      return p;
    };
    for (let i = 0; i < n; i++) {
      if (i > 1) fills.add([at(0, lift), at(i - 1, lift), at(i, lift)], c, k === -2 ? 60 : 120);
      edges.add([at(i, lift), at(i + 1, lift)], ink, 150);
      const top = at(i, height[a]);
      if (height[a] > 0) edges.add([top, at(i + 1, height[a]), at(i, 0), top], ink, 150);
    }
  }
  setLines('area fills', fills, 'areas', gl.TRIANGLES);
  setLines('area edges', edges, 'areas', gl.LINES);
}

/**
 * The nearest polygon that a ray meets.
 * @param {Vector} o @param {Vector} d
 */
function areaHit(o, d) {
  const best = {t: Infinity, area: -1};
  if (!polygons || !state.layers.areas) return best;
  const {offsets, corner, count} = polygons;
  for (let a = 0; a < count; a++) {
    const n = offsets[a + 1] - offsets[a];
    const p = at3(corner, offsets[a]);
    for (let i = 2; i < n; i++) {
      const [u, v] = [i - 1, i].map((k) => minus(at3(corner, offsets[a] + k), p));
      const t = triangleHit(o, d, p, u, v);
      if (t < best.t) Object.assign(best, {t, area: a});
    }
  }
  return best;
}

function areaKey() {
  const chosen = chosenArea();
  if (chosen < 0 || !(classesOf || sets)) return [];
  const n = [0, 0, 0];
  const count = classesOf ? classesOf.count : sets ? sets.count : 0;
  for (let b = 0; b < count; b++) if (b !== chosen) n[Math.max(0, classOf(chosen, b))]++;
  /** @type {KeyLine[]} */
  const out = [[palette.chosen, areaName(chosen), '']];
  if (classesOf) out.push([palette.seen, 'areas fully visible', many(n[2])]);
  out.push([palette.first, classesOf ? 'partly visible' : 'in its visible set', many(n[1])],
    [palette.unseen, classesOf ? 'not visible' : 'not in its set', many(n[0])]);
  return out;
}

painters.push(paintAreas);
others.area = areaHit;
keyEntries.push(areaKey);
tellers.push((at, say) => {
  if (at.set.area) say(`in ${areaName(at.set.area[at.index])}`);
});
hoverTexts.push((at) => {
  const area = at.area >= 0 ? at.area : at.set && at.set.area ? at.set.area[at.point] : -1;
  if (area < 0) return '';
  const chosen = chosenArea();
  const k = chosen >= 0 && chosen !== area ? classOf(chosen, area) : -1;
  const said = [areaName(area)];
  if (k >= 0) said.push(classesOf ? ['not visible', 'partly visible', 'fully visible'][k] :
    ['not in the set', 'in the visible set'][k]);
  if (k >= 0 && classesOf && classesOf.visible) {
    const pairs = classesOf.samples[chosen] * classesOf.samples[area];
    said.push(`${many(classesOf.visible[chosen * classesOf.count + area])} of ${many(pairs)} pairs`);
  }
  return said.join(', ');
});
takers.set('areas', takeAreas);
takers.set('area visibility', takeClasses);
takers.set('visible sets', takeSets);
