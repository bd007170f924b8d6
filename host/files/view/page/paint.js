// Colours of points, sight lines and marks: what follows from what is chosen.
import {palette, rampTable} from './colours.js';
import {extras} from './draw.js';
import {Strokes, freeLines, gl, placeTable, tableOf} from './gl.js';
import {eyeOf, showColours} from './points.js';
import {changed, state} from './state.js';
import {bit, rowOf, visibilityFrom} from './visibility.js';

const mostLines = 6000;

/**
 * What modules add when something is painted.
 * @type {(() => void)[]}
 */
export const painters = [];

/** What was counted when it was painted last. */
export const counts = {seen: 0, of: 0, both: 0, first: 0, second: 0, lines: 0, waiting: false,
  /** Whether those of two viewpoints were counted. */ pair: false,
  seenBy: 0, byOf: 0};

/**
 * The colour of a value, put at o.
 * @param {Column} column @param {number} value @param {Uint8Array} out @param {number} o
 */
function columnColour(column, value, out, o) {
  if (column.colours) {
    const c = column.colours(value);
    out[o] = c[0];
    out[o + 1] = c[1];
    out[o + 2] = c[2];
    return;
  }
  if (!Number.isFinite(value)) {
    out.set(palette.missing, o);
    return;
  }
  const f = Math.max(0, Math.min(1, (value - column.min) / (column.max - column.min)));
  const k = 3 * Math.round(f * 1023);
  out[o] = rampTable[k];
  out[o + 1] = rampTable[k + 1];
  out[o + 2] = rampTable[k + 2];
}

/** @param {PointSet} set */
function paintPlain(set) {
  const c = state.column;
  const out = set.colours;
  if (!c || c.set !== set || state.chosen && state.chosen.set !== set && state.visibilities.length) {
    const colour = palette.plain;
    for (let i = 0; i < set.count; i++) out.set([colour[0], colour[1], colour[2], 255], 4 * i);
    return;
  }
  const least = c.min + state.threshold * (c.max - c.min);
  for (let i = 0; i < set.count; i++) {
    columnColour(c, c.data[i], out, 4 * i);
    const low = state.threshold > 0 && !(c.data[i] >= least);
    out[4 * i + 3] = low ? 0 : 255;
  }
}

/**
 * Colours of seen and unseen targets.
 * @param {Visibility} v @param {Uint8Array} row @param {Uint8Array | null} other the row of a
 * second viewpoint
 */
function paintRow(v, row, other) {
  const out = v.to.colours;
  const {seen, unseen, both, first, second, neither} = palette;
  Object.assign(counts, {seen: 0, of: v.to.count, both: 0, first: 0, second: 0});
  for (let j = 0; j < v.to.count; j++) {
    const a = bit(row, j);
    const b = other ? bit(other, j) : 0;
    counts.seen += a;
    counts.both += a & b;
    counts.first += a & ~b;
    counts.second += b & ~a;
    const c = other ? (a & b ? both : a ? first : b ? second : neither) : a ? seen : unseen;
    out[4 * j] = c[0];
    out[4 * j + 1] = c[1];
    out[4 * j + 2] = c[2];
    out[4 * j + 3] = 255;
  }
}

/**
 * Colours of the viewpoints that see a target.
 * @param {Visibility} v @param {number} j
 */
function paintColumn(v, j) {
  if (!v.bits || v.rows) return;
  counts.seenBy = 0;
  counts.byOf = v.from.count;
  for (let i = 0; i < v.from.count; i++) {
    const b = v.bits[i * v.rowBytes + (j >> 3)] >> (j & 7) & 1;
    counts.seenBy += b;
    v.from.colours.set([...(b ? palette.seen : palette.unseen), 255], 4 * i);
  }
}

let ownKeys = 0;
/** A key of lines that no other result has. */
export const ownKey = () => `own ${ownKeys++}`;

/** @param {string} key @param {Strokes | null} strokes @param {string} layer @param
 * {number} mode @param {boolean} [above] not hidden by shapes */
export function setLines(key, strokes, layer, mode, above = false) {
  const lines = strokes && strokes.lines();
  const old = extras.lines.get(key);
  if (old) freeLines(old.lines);
  extras.lines.delete(key);
  if (lines) extras.lines.set(key, {layer, lines, mode, above});
}

/** @param {Visibility} v @param {Uint8Array} row @param {number} i @param {number} wanted */
function sightLines(v, row, i, wanted) {
  const strokes = new Strokes();
  const every = Math.max(1, Math.ceil(wanted / mostLines));
  const from = eyeOf({set: v.from, index: i});
  const alpha = Math.max(26, Math.min(120, 30000 / Math.max(1, wanted)));
  let k = 0;
  for (let j = 0; j < v.to.count; j++) {
    if (!bit(row, j) || k++ % every) continue;
    strokes.add([from, eyeOf({set: v.to, index: j})], palette.sight, alpha);
  }
  counts.lines = strokes.places.length / 6;
  setLines('sight', strokes, 'sight lines', gl.LINES);
}

function paintMarks() {
  const {chosen, other, measured: m} = state;
  const marks = new Strokes();
  if (chosen && !state.standing) marks.add([eyeOf(chosen)], palette.ink, 255);
  if (other) marks.add([eyeOf(other)], palette.chosen, 255);
  marks.add(m, palette.drop, 255);
  setLines('pair', chosen && other ? new Strokes().add([eyeOf(chosen)], palette.ink, 255)
    .add([eyeOf(other)], palette.chosen, 255) : null, 'always', gl.LINES, true);
  setLines('measure', m.length === 2 ? new Strokes().add(m, palette.drop, 255) : null, 'always',
    gl.LINES, true);
  const {places, colours} = marks;
  if (extras.marks) for (const t of [extras.marks.places, extras.marks.shades]) gl.deleteTexture(t);
  extras.marks = places.length ? {places: placeTable(places), shades: tableOf(new Uint8Array(colours)),
    count: places.length / 3} : null;
}

/** Paints all that depends on what is chosen. */
export function paint() {
  for (const set of state.sets) paintPlain(set);
  setLines('sight', null, '', 0);
  counts.waiting = counts.pair = false;
  counts.lines = counts.byOf = counts.of = 0;
  const {chosen, other} = state;
  if (chosen) {
    const v = visibilityFrom(chosen.set);
    if (v) {
      const row = rowOf(v, chosen.index, paint);
      const second = other && other.set === v.from ? rowOf(v, other.index, paint) : null;
      counts.waiting = !row;
      if (row) {
        paintRow(v, row, second);
        counts.pair = !!second;
        if (!state.standing && !second) sightLines(v, row, chosen.index, counts.seen);
      }
    } else {
      const back = state.visibilities.find((x) => x.to === chosen.set);
      if (back) paintColumn(back, chosen.index);
    }
  }
  for (const p of painters) p();
  for (const set of state.sets) showColours(set);
  paintMarks();
  for (const p of afterwards) p();
  changed();
}

/**
 * Called when all is painted: the panel.
 * @type {(() => void)[]}
 */
export const afterwards = [];

/**
 * The mean of what a viewpoint sees, or null.
 * @param {PointSet} set @param {number} i @returns {Vector | null}
 */
export function meanSeen(set, i) {
  const v = visibilityFrom(set);
  const row = v && rowOf(v, i, () => undefined);
  if (!v || !row) return null;
  const sum = [0, 0, 0];
  let n = 0;
  for (let j = 0; j < v.to.count; j++) {
    if (!bit(row, j) || v.from === v.to && j === i) continue;
    eyeOf({set: v.to, index: j}).forEach((x, k) => sum[k] += x);
    n++;
  }
  return n ? sum.map((x) => x / n) : null;
}
