// Navigation maps: floors by region, their borders, jumps and drops.
import {chunked, upload} from './chunks.js';
import {palette, regionColour} from './colours.js';
import {bytesOf, countOf, floats, offsetsOf, refuse, words} from './container.js';
import {Strokes, gl} from './gl.js';
import {ownKey, setLines} from './paint.js';
import {layerKeys} from './panel.js';
import {checkScene} from './shapes.js';
import {many, state} from './state.js';
import {takers} from './take.js';
import {at3, distanceOf, emptyBox, grow} from './vectors.js';

const mostFloors = 4e6;

/**
 * The walkable floors, of the program's short form or of a whole map.
 * @param {Container} c
 */
function floorsOf(c) {
  if (c.tensors['floor.column']) {
    const column = words(c, 'floor.column', [null]);
    const n = column.length;
    return {column, top: floats(c, 'floor.top', [n]), region: words(c, 'floor.region', [n]),
      border: floats(c, 'floor.border', [n])};
  }
  const flags = bytesOf(c, 'flags', [null]);
  const n = flags.length;
  const offsets = offsetsOf(c, 'offsets', n);
  const held = {top: floats(c, 'top', [n]), region: words(c, 'region', [n]),
    border: floats(c, 'border', [n])};
  const walkable = flags.reduce((sum, f) => sum + (f >> 3 & 1), 0);
  const out = {column: new Uint32Array(walkable), top: new Float32Array(walkable),
    region: new Uint32Array(walkable), border: new Float32Array(walkable)};
  let k = 0;
  for (let j = 0; j + 1 < offsets.length; j++) {
    for (let i = offsets[j]; i < offsets[j + 1]; i++) {
      if (!(flags[i] & 8)) continue;
      out.column[k] = j;
      out.top[k] = held.top[i];
      out.region[k] = held.region[i];
      out.border[k++] = held.border[i];
    }
  }
  return out;
}

/** @param {Container} c @param {string} key */
function numberOf(c, key) {
  const x = Number(c.meta[key]);
  if (!(key in c.meta) || !Number.isFinite(x)) refuse(c.name, `${key} is no number`);
  return x;
}

/** @param {Container} c */
function takeNav(c) {
  checkScene(c);
  const f = floorsOf(c);
  const n = f.column.length;
  if (n > mostFloors) refuse(c.name, `more than ${mostFloors} floors are not shown`);
  const cell = numberOf(c, 'grid.cell');
  const width = countOf(c, 'grid.width');
  const upward = (c.meta.up || 'z') === 'y';
  const minX = numberOf(c, 'grid.min_x');
  const minY = numberOf(c, upward ? 'grid.min_z' : 'grid.min_y');
  state.scenes.push(floorScene(c, mergedFloors(f, width, cell), {cell, minX, minY, upward}));
  state.layers.floors = true;
  takeJumps(c);
}

/** @typedef {{ i: number, j: number, toI: number, toJ: number, top: number, region: number,
 *   edge: boolean }} Patch */

/**
 * Floors of one height, region and nearness to the border as rectangles of columns.
 * @param {ReturnType<typeof floorsOf>} f @param {number} width @param {number} cell
 */
function mergedFloors(f, width, cell) {
  /** @type {Patch[]} */
  const done = [];
  /** @type {Map<string, Patch>} */
  let before = new Map();
  /** @type {Map<string, Patch>} */
  let open = new Map();
  let row = -1;
  /** @type {Patch[]} */
  let runs = [];
  const endRow = () => {
    /** @type {Map<string, Patch>} */
    const now = new Map();
    for (const r of runs) {
      const key = [r.i, r.toI, r.region, r.edge, r.top].join();
      const above = before.get(key);
      if (above && above.toJ === r.j - 1) above.toJ = r.j;
      else done.push(r);
      now.set(key, above && above.toJ === r.j ? above : r);
    }
    before = now;
    runs = [];
    open = new Map();
  };
  for (let k = 0; k < f.column.length; k++) {
    const i = f.column[k] % width;
    const j = Math.floor(f.column[k] / width);
    if (j !== row) endRow();
    row = j;
    const edge = f.border[k] <= 1.5 * cell;
    const key = `${f.region[k]},${edge},${f.top[k]}`;
    const run = open.get(key);
    if (run && run.toI === i - 1) {
      run.toI = i;
    } else {
      const made = {i, j, toI: i, toJ: j, top: f.top[k], region: f.region[k], edge};
      open.set(key, made);
      runs.push(made);
    }
  }
  endRow();
  return done;
}

/**
 * The floors as flat boxes, each with its region for an id.
 * @param {Container} c @param {Patch[]} patches @param
 * {{ cell: number, minX: number, minY: number, upward: boolean }} grid @returns {Scene}
 */
function floorScene(c, patches, grid) {
  const n = patches.length;
  const data = new Float32Array(10 * n);
  const centers = new Float32Array(3 * n);
  const sizes = new Float32Array(n);
  const ids = new Uint32Array(n);
  const box = emptyBox();
  const lift = grid.cell * 0.05;
  patches.forEach((p, k) => {
    const x = grid.minX + (p.i + p.toI + 1) / 2 * grid.cell;
    const y = grid.minY + (p.j + p.toJ + 1) / 2 * grid.cell;
    const dx = (p.toI - p.i + 1) / 2 * grid.cell;
    const dy = (p.toJ - p.j + 1) / 2 * grid.cell;
    const center = grid.upward ? [x, p.top + lift, y] : [x, y, p.top + lift];
    data.set([...center, ...(grid.upward ? [dx, 0, dy] : [dx, dy, 0]), 0, 0, 0, 1], 10 * k);
    centers.set(center, 3 * k);
    sizes[k] = Math.hypot(dx, dy);
    ids[k] = k;
    grow(box, center, Math.max(dx, dy));
  });
  const s = chunked('box', 10, data, ids, centers, sizes, false);
  const tints = new Uint8Array(4 * n).fill(255);
  s.ids.forEach((k, at) => {
    const dark = patches[k].edge ? 0.8 : 1;
    tints.set(regionColour(patches[k].region).map((v) => v * dark), 4 * at);
    s.ids[at] = patches[k].region;
  });
  upload(s, tints);
  const regions = patches.reduce((m, p) => Math.max(m, p.region + 1), 0);
  return {name: c.name, hashes: [], meta: c.meta, count: regions, instances: n ? [s] : [], box,
    kinds: [{kind: 'region', first: 0, count: regions}], label: () => '', group: new Uint32Array(0),
    note: null, layer: 'floors'};
}

/**
 * Arcs from place to place.
 * @param {Container} c
 */
function takeJumps(c) {
  const both = bytesOf(c, 'jump.both_ways', [null]);
  const from = floats(c, 'jump.from', [both.length, 3]);
  const to = floats(c, 'jump.to', [both.length, 3]);
  const strokes = new Strokes();
  for (let i = 0; i < both.length; i++) {
    const a = at3(from, i);
    const b = at3(to, i);
    const wide = distanceOf(a, b);
    const colour = both[i] ? palette.both_ways : palette.drop;
    /** @param {number} s */
    const at = (s) => {
      const p = [0, 1, 2].map((k) => a[k] * (1 - s) + b[k] * s);
      p[state.up] += s * (1 - s) * wide + 0.02 * wide;
      return p;
    };
    for (let s = 0; s < 6; s++) {
      strokes.add([at(s / 6), at((s + 1) / 6)], colour, 255);
    }
  }
  if (!both.length) return;
  setLines(ownKey(), strokes, 'jumps', gl.LINES);
  state.layers.jumps = true;
  const two = both.reduce((n, x) => n + (x ? 1 : 0), 0);
  layerKeys.push([palette.both_ways, 'jumps both ways', many(two)],
    [palette.drop, 'drops: one way', many(both.length - two)]);
}

takers.set('nav', takeNav);
