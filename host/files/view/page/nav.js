// Navigation maps: floors by region, their borders, jumps and drops.
import {palette, regionColour} from './colours.js';
import {bytesOf, floats, offsetsOf, refuse, words} from './container.js';
import {countOf} from './container.js';
import {extras} from './draw.js';
import {gl, linesOf} from './gl.js';
import {hoverTexts} from './input.js';
import {setLines} from './paint.js';
import {layerKeys} from './panel.js';
import {tilesOf} from './points.js';
import {checkScene} from './shapes.js';
import {state} from './state.js';
import {takers} from './take.js';
import {at3} from './vectors.js';

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
  checkScene(c, state.scenes[0]);
  const f = floorsOf(c);
  const n = f.column.length;
  if (n > mostFloors) refuse(c.name, `more than ${mostFloors} floors are not shown`);
  const cell = numberOf(c, 'grid.cell');
  const width = countOf(c, 'grid.width');
  const upward = (c.meta.up || 'z') === 'y';
  const minX = numberOf(c, 'grid.min_x');
  const minY = numberOf(c, upward ? 'grid.min_z' : 'grid.min_y');
  const places = new Float32Array(3 * n);
  const colours = new Uint8Array(4 * n);
  for (let i = 0; i < n; i++) {
    const x = minX + (f.column[i] % width + 0.5) * cell;
    const y = minY + (Math.floor(f.column[i] / width) + 0.5) * cell;
    places.set(upward ? [x, f.top[i], y] : [x, y, f.top[i]], 3 * i);
    const dark = f.border[i] <= cell * 1.5 ? 0.78 : 1;
    const colour = regionColour(f.region[i]);
    colours.set([colour[0] * dark, colour[1] * dark, colour[2] * dark, 255], 4 * i);
  }
  const tiles = tilesOf(places, colours);
  extras.tiles.set('floors', {layer: 'floors', vao: tiles.vao, count: n, size: cell * 1.002,
    lift: cell * 0.05});
  state.layers.floors = true;
  for (let i = 0; i < n; i += Math.max(1, Math.floor(n / 5000))) state.floorBox(at3(places, i));
  takeJumps(c);
  hoverFloors(f, {cell, width, minX, minY, upward});
}

/**
 * Arcs from place to place.
 * @param {Container} c
 */
function takeJumps(c) {
  const both = bytesOf(c, 'jump.both_ways', [null]);
  const from = floats(c, 'jump.from', [both.length, 3]);
  const to = floats(c, 'jump.to', [both.length, 3]);
  /** @type {number[]} */
  const places = [];
  /** @type {number[]} */
  const colours = [];
  for (let i = 0; i < both.length; i++) {
    const a = at3(from, i);
    const b = at3(to, i);
    const wide = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    const colour = both[i] ? palette.both_ways : palette.drop;
    /** @param {number} s */
    const at = (s) => {
      const p = [0, 1, 2].map((k) => a[k] * (1 - s) + b[k] * s);
      p[state.up] += s * (1 - s) * wide + 0.02 * wide;
      return p;
    };
    for (let s = 0; s < 6; s++) {
      places.push(...at(s / 6), ...at((s + 1) / 6));
      colours.push(...colour, 255, ...colour, 255);
    }
  }
  if (!both.length) return;
  setLines('jumps', linesOf(places, colours), 'jumps', gl.LINES);
  state.layers.jumps = true;
  const two = both.reduce((n, x) => n + (x ? 1 : 0), 0);
  layerKeys.push([palette.both_ways, 'jumps both ways', two.toLocaleString('en')],
    [palette.drop, 'drops: one way', (both.length - two).toLocaleString('en')]);
}

/**
 * Says on which region the pointer is.
 * @param {{ column: Uint32Array, top: Float32Array, region: Uint32Array, border: Float32Array }} f
 * @param {{ cell: number, width: number, minX: number, minY: number, upward: boolean }} grid
 */
function hoverFloors(f, grid) {
  /** @type {Map<number, number>} */
  const first = new Map();
  f.column.forEach((c, i) => {
    if (!first.has(c)) first.set(c, i);
  });
  hoverTexts.push((at) => {
    if (!at.place || !state.layers.floors) return '';
    const i = Math.floor((at.place[0] - grid.minX) / grid.cell);
    const j = Math.floor((at.place[grid.upward ? 2 : 1] - grid.minY) / grid.cell);
    let k = first.get(j * grid.width + i);
    if (i < 0 || i >= grid.width || k === undefined) return '';
    for (const column = f.column[k]; f.column[k] === column; k++) {
      if (Math.abs(f.top[k] - at.place[state.up]) < 2 * grid.cell) {
        return `region ${f.region[k]}, ${Number(f.border[k].toPrecision(3))} ${state.unit} to its border`;
      }
    }
    return '';
  });
}

takers.set('nav', takeNav);
