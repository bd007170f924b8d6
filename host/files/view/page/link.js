// The view in the page's address, so that it can be sent: #viewpoint=1200&with=37&slice=0,3.
import {camera, moved} from './camera.js';
import {sliceHeights} from './draw.js';
import {stand} from './input.js';
import {afterwards, paint} from './paint.js';
import {showLayers, showSlice} from './panel.js';
import {state} from './state.js';

let written = '';
let waiting = 0;
/** @type {Record<string, boolean>} */
let usual = {};
let usualSlice = [0, 1];

/** @param {number} x */
const brief = (x) => String(Number(x.toPrecision(7)));

/** @param {Place | null} p */
function pointText(p) {
  if (!p) return '';
  const s = state.sets.indexOf(p.set);
  return s ? `${p.index}.${s}` : String(p.index);
}

/** @param {string | null} text @returns {Place | null} */
function pointFrom(text) {
  const m = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(text || '');
  if (!m) return null;
  const set = state.sets[Number(m[2] || 0)];
  return set && Number(m[1]) < set.count ? {set, index: Number(m[1])} : null;
}

/** The address of what is shown. */
export function address() {
  const q = new URLSearchParams();
  if (state.chosen) q.set('viewpoint', pointText(state.chosen));
  if (state.other) q.set('with', pointText(state.other));
  if (state.area >= 0) q.set('area', String(state.area));
  if (state.slice.some((x, k) => x !== usualSlice[k])) {
    q.set('slice', sliceHeights().map((x) => Math.abs(x) > 1e29 ? '' : brief(x)).join());
  }
  if (state.column && state.column !== state.columns[0]) q.set('colour', state.column.key);
  if (state.threshold > 0) q.set('from', brief(state.threshold));
  if (state.standing) q.set('stand', '1');
  const layers = Object.keys(state.layers).filter((k) => state.layers[k] !== usual[k]);
  if (layers.length) q.set('layers', layers.join());
  q.set('camera', [...camera.at, camera.yaw, camera.pitch, camera.distance].map(brief).join());
  return '#' + q.toString().replace(/%2C/g, ',');
}

/** Writes the address a little later. */
export function writeLater() {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    try {
      history.replaceState(null, '', written = address());
    } catch {
      // A page in a frame may have no address of its own.
    }
  }, 300);
}

/** Shows what the address says. */
export function readAddress() {
  written = location.hash;
  const q = new URLSearchParams(written.slice(1));
  state.chosen = pointFrom(q.get('viewpoint'));
  state.other = state.chosen && pointFrom(q.get('with'));
  const area = Number(q.get('area') ?? -1);
  if (Number.isSafeInteger(area)) state.area = area;
  const low = state.heights[0];
  const high = state.heights[1];
  const slice = (q.get('slice') || '').split(',');
  state.slice = !q.has('slice') ? [...usualSlice] : [0, 1].map((k) => slice[k] && Number.isFinite(Number(slice[k])) ?
    Math.max(0, Math.min(1, (Number(slice[k]) - low) / (high - low))) : k);
  const column = state.columns.find((c) => c.key === q.get('colour'));
  if (column) state.column = column;
  const threshold = Number(q.get('from') || 0);
  state.threshold = threshold > 0 && threshold <= 1 ? threshold : 0;
  for (const k of (q.get('layers') || '').split(',')) {
    if (Object.prototype.hasOwnProperty.call(usual, k)) state.layers[k] = !usual[k];
  }
  if (q.get('stand') === '1' && state.chosen) stand(true);
  const c = (q.get('camera') || '').split(',').map(Number);
  if (c.length === 6 && c.every(Number.isFinite) && c[5] > 0) {
    [camera.at, camera.yaw, camera.pitch, camera.distance] = [c.slice(0, 3), c[3], c[4], c[5]];
  }
  moved();
  showSlice();
  showLayers();
  paint();
}

/** Begins to follow the address. */
export function followAddress() {
  usual = {...state.layers};
  usualSlice = [...state.slice];
  if (location.hash.length > 1) readAddress();
  afterwards.push(writeLater);
  addEventListener('hashchange', () => {
    if (location.hash !== written) readAddress();
  });
}
