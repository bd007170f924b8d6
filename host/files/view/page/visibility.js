// Which points see which: rows of bits, whole, sampled, or read from the file that was dropped.
import {addColumn} from './columns.js';
import {bitsOf, bytesOf, countOf, refuse, words} from './container.js';
import {state} from './state.js';

const ones = new Uint8Array(256);
for (let i = 1; i < 256; i++) ones[i] = ones[i >> 1] + (i & 1);

/** @param {Uint8Array} row */
export function countOnes(row) {
  let n = 0;
  for (let i = 0; i < row.length; i++) n += ones[row[i]];
  return n;
}

/** @param {Container} c @param {PointSet} from @param {PointSet} to @returns {Visibility} */
export function visibilityOf(c, from, to) {
  const sources = countOf(c, 'from.count');
  const targets = countOf(c, 'to.count');
  const row = 8 * Math.ceil(targets / 64);
  /** @type {Visibility} */
  const v = {name: c.name, from, to, rowBytes: row, bits: null, rows: null, seenBy: null,
    sees: new Uint32Array(sources), file: null, fileBegin: 0, meta: c.meta, fetched: new Map()};
  if (c.file) {
    v.file = c.file;
    v.fileBegin = wholeBegin(c, sources, row);
    return v;
  }
  if (c.tensors.bits) {
    v.bits = bitsOf(c, 'bits', [sources, row / 8]);
    for (let i = 0; i < sources; i++) {
      v.sees[i] = countOnes(v.bits.subarray(i * row, (i + 1) * row));
    }
    return v;
  }
  v.sees = words(c, 'counts.from', [sources]);
  v.seenBy = words(c, 'counts.to', [targets]);
  if (c.tensors['rows.index']) {
    const index = words(c, 'rows.index', [null]);
    v.bits = bytesOf(c, 'rows.bits', [index.length, row]);
    v.rows = new Map(Array.from(index, (i, k) => [i, k]));
  }
  return v;
}

/**
 * Where the bits of a large file begin.
 * @param {Container} c @param {number} sources @param {number} row
 */
function wholeBegin(c, sources, row) {
  const e = c.entries.bits;
  if (!e || e.dtype !== 'U64' || e.end - e.begin !== sources * row) {
    refuse(c.name, 'its bits do not have the size that its counts say');
  }
  return e.begin;
}

/**
 * The row of a viewpoint: its bits, or null where they are not at hand (yet).
 * @param {Visibility} v @param {number} i @param {() => void} later called when it has come
 */
export function rowOf(v, i, later) {
  const kept = v.fetched.get(i);
  if (kept) return kept;
  const at = v.rows ? v.rows.get(i) : i;
  if (v.bits && at !== undefined) return v.bits.subarray(at * v.rowBytes, (at + 1) * v.rowBytes);
  if (v.file) {
    const begin = v.fileBegin + i * v.rowBytes;
    v.file.slice(begin, begin + v.rowBytes).arrayBuffer().then((raw) => {
      if (raw.byteLength !== v.rowBytes) return;
      if (v.fetched.size > 64) v.fetched.clear();
      v.fetched.set(i, new Uint8Array(raw));
      later();
    }, () => undefined);
  }
  return null;
}

/** @param {Uint8Array} row @param {number} j */
export const bit = (row, j) => (row[j >> 3] >> (j & 7)) & 1;

/**
 * How many see each target: the sums of the columns.
 * @param {Visibility} v
 */
function seenBy(v) {
  if (v.seenBy || !v.bits || v.rows) return v.seenBy;
  const out = new Uint32Array(v.to.count);
  for (let i = 0; i < v.from.count; i++) {
    const row = v.bits.subarray(i * v.rowBytes, (i + 1) * v.rowBytes);
    for (let k = 0; k < row.length; k++) {
      for (let b = row[k], j = 8 * k; b; b >>= 1, j++) out[j] += b & 1;
    }
  }
  v.seenBy = out;
  return out;
}

/** @param {Visibility} v */
export function visibilityColumns(v) {
  const share = Float32Array.from(v.sees, (x) => x / (v.to.count || 1));
  if (!v.file) {
    addColumn({key: 'share', name: 'share of the targets that each sees', set: v.from,
      data: share, percent: true});
  }
  const same = v.meta['from.hash'] === v.meta['to.hash'] && !v.meta['fields.hash'];
  if (same || v.bits && v.bits.length > 2 ** 25 && !v.seenBy) return;
  const sums = seenBy(v);
  if (!sums) return;
  addColumn({key: 'seen-by', name: 'share of the viewpoints that see each', set: v.to,
    data: Float32Array.from(sums, (x) => x / (v.from.count || 1)), percent: true});
}

/**
 * The matrix in which points of this set are viewpoints.
 * @param {PointSet} set
 */
export const visibilityFrom = (set) => {
  const all = state.visibilities.filter((v) => v.from === set);
  return all.find((v) => v.bits || v.file) || all[0];
};
