// The panel: facts, legend, histogram, what is chosen, layers.
import {camera} from './camera.js';
import {classColour, css, palette, ramp} from './colours.js';
import {valueText} from './columns.js';
import {sliceHeights} from './draw.js';
import {canvas} from './gl.js';
import {afterwards, counts, paint} from './paint.js';
import {eyeOf, pointName} from './points.js';
import {mainScene} from './shapes.js';
import {changed, element, input, many, short, state} from './state.js';
import {at3, distanceOf} from './vectors.js';
import {bit, rowOf, visibilityFrom} from './visibility.js';

/**
 * What modules say of the chosen point, a line each.
 * @type {((at: Place, say: (text: string) => void) => void)[]}
 */
export const tellers = [];

/**
 * What modules say of a pair.
 * @type {((a: Place, b: Place, say: (text: string) => void) => void)[]}
 */
export const pairTellers = [];

/**
 * More entries of the legend below what is chosen.
 * @type {(() => KeyLine[])[]}
 */
export const keyEntries = [];

/**
 * What the colours of layers mean.
 * @type {KeyLine[]}
 */
export const layerKeys = [];

/** @param {string} tag @param {string} text @param {string} [kind] */
function made(tag, text, kind = '') {
  const e = document.createElement(tag);
  e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

/** @param {ArrayLike<number>} colour @param {string} text @param {string} [more] */
function entry(colour, text, more = '') {
  const e = made('div', '', 'entry');
  const s = made('span', '', 'swatch');
  s.style.background = css(colour);
  e.append(s, made('span', text), made('span', more));
  return e;
}

/** @param {number} n @param {number} of */
const share = (n, of) => of ? `${(100 * n / of).toFixed(1)} %` : '-';

/**
 * The legend of classes: those with the most points.
 * @param {Column} c
 */
function classLegend(c) {
  /** @type {Map<number, number>} */
  const of = new Map();
  for (let i = 0; i < c.data.length; i++) of.set(c.data[i], (of.get(c.data[i]) || 0) + 1);
  const list = [...of].sort((a, b) => b[1] - a[1]);
  const shown = list.slice(0, 8);
  if (list.length <= 8) shown.sort((a, b) => a[0] - b[0]);
  const out = shown.map(([value, n]) => entry((c.colours || classColour)(value), valueText(c, value),
    many(n)));
  if (list.length > 8) out.push(made('div', `and ${many(list.length - 8)} more`, 'dim'));
  return out;
}

/** @param {Column} c */
function histogram(c) {
  const h = /** @type {HTMLCanvasElement} */ (element('hist'));
  const to = h.getContext('2d');
  h.hidden = !!c.classes;
  if (!to || c.classes) return;
  const bars = 56;
  const n = new Float64Array(bars);
  for (let i = 0; i < c.data.length; i++) {
    const f = (c.data[i] - c.min) / (c.max - c.min);
    if (Number.isFinite(f)) n[Math.max(0, Math.min(bars - 1, Math.floor(f * bars)))]++;
  }
  const most = Math.max(...n, 1);
  to.clearRect(0, 0, h.width, h.height);
  for (let i = 0; i < bars; i++) {
    const f = (i + 0.5) / bars;
    to.fillStyle = f < state.threshold ? '#ddd' : css(ramp(f));
    const tall = n[i] ? Math.max(3, n[i] / most * h.height) : 0;
    to.fillRect(i * h.width / bars, h.height - tall, h.width / bars - 1, tall);
  }
}

/** @param {Column} c */
function numberLegend(c) {
  const strip = /** @type {HTMLCanvasElement} */ (made('canvas', '', 'ramp'));
  strip.width = 256;
  strip.height = 1;
  const to = strip.getContext('2d');
  for (let i = 0; to && i < 256; i++) {
    to.fillStyle = css(ramp(i / 255));
    to.fillRect(i, 0, 1, 1);
  }
  const ends = made('div', '', 'scale');
  for (const f of [0, 0.5, 1]) {
    ends.append(made('span', valueText(c, c.min + f * (c.max - c.min))));
  }
  return [strip, ends];
}

function showColumn() {
  const c = state.column;
  element('colouring').hidden = !c;
  if (!c) return;
  histogram(c);
  element('legend').replaceChildren(...(c.classes ? classLegend(c) : numberLegend(c)));
  element('from-row').hidden = !!c.classes;
  element('threshold-text').textContent = valueText(c, c.min + state.threshold * (c.max - c.min));
  input('threshold').value = String(Math.round(state.threshold * 1000));
  const box = /** @type {HTMLSelectElement} */ (element('column'));
  if (box.options.length !== state.columns.length) {
    box.replaceChildren(...state.columns.map((x) => {
      const o = document.createElement('option');
      o.value = x.key;
      const several = new Set(state.columns.map((y) => y.set)).size > 1;
      o.textContent = several ? `${x.name} (${x.set.name})` : x.name;
      return o;
    }));
  }
  box.value = c.key;
}

/** @param {Place} p */
function placeText(p) {
  const at = at3(p.set.position, p.index).map((x) => short(x)).join(', ');
  return `${pointName(p.set, p.index)} at (${at})`;
}

function showChosen() {
  const {chosen, other} = state;
  element('choosing').hidden = !chosen && state.area < 0;
  element('stand').hidden = !chosen;
  if (!chosen) {
    element('chosen').replaceChildren();
    const lines = keyEntries.flatMap((k) => k());
    element('key').replaceChildren(...lines.map(([c, text, more]) => entry(c, text, more)));
    return;
  }
  const out = element('chosen');
  out.replaceChildren(made('p', placeText(chosen)));
  /** @param {string} text */
  const say = (text) => {
    out.append(made('p', text));
  };
  const v = visibilityFrom(chosen.set);
  /** @type {KeyLine[]} */
  let key = [];
  if (v && counts.of && !other) {
    out.append(made('b', `sees ${many(counts.seen)} of ${many(counts.of)} (${share(counts.seen,
      counts.of)})`));
    key = [[palette.seen, 'seen', many(counts.seen)],
      [palette.unseen, 'not seen', many(counts.of - counts.seen)]];
  } else if (v && counts.waiting) {
    say(missingRow(v, chosen.index));
  } else if (counts.byOf) {
    out.append(made('b', `seen by ${many(counts.seenBy)} of ${many(counts.byOf)} (${share(
      counts.seenBy, counts.byOf)})`));
    key = [[palette.seen, 'sees it', many(counts.seenBy)],
      [palette.unseen, 'does not', many(counts.byOf - counts.seenBy)]];
  }
  if (counts.lines && counts.lines < counts.seen) say(`${many(counts.lines)} of its sight lines drawn`);
  for (const c of state.columns) {
    if (c.set === chosen.set) say(`${c.name}: ${valueText(c, c.data[chosen.index])}`);
  }
  for (const t of tellers) t(chosen, say);
  if (other) key = showPair(out, say, v, key);
  for (const k of keyEntries) key.push(...k());
  element('key').replaceChildren(...key.map(([c, text, more]) => entry(c, text, more)));
  element('stand').classList.toggle('on', state.standing);
}

/** @param {Visibility} v @param {number} i */
function missingRow(v, i) {
  if (v.file) return 'its row is being read';
  const sees = `sees ${many(v.sees[i])} of ${many(v.to.count)}`;
  const which = v.rows ? `This page holds a sample of ${many(v.rows.size)} rows, not this one` :
    'This page holds no rows of the matrix';
  return `${sees}. ${which}: drop ${v.name} here to see it.`;
}

/** @param {HTMLElement} out @param {(text: string) => void} say @param {Visibility | undefined} v
 * @param {KeyLine[]} key @returns {KeyLine[]} */
function showPair(out, say, v, key) {
  const {chosen, other} = state;
  if (!chosen || !other) return key;
  out.append(made('p', `and ${placeText(other)}`));
  const [a, b] = [chosen, other].map(eyeOf);
  say(`${short(distanceOf(a, b))} ${state.unit} apart`);
  const row = v && v.to === other.set ? rowOf(v, chosen.index, paint) : null;
  if (row) {
    out.append(made('b', bit(row, other.index) ? 'the first sees the second' :
      'the first does not see the second'));
  }
  for (const t of pairTellers) t(chosen, other, say);
  if (v && v.from === other.set && counts.of && !counts.pair) {
    say(`The second ${missingRow(v, other.index)}`);
  } else if (v && v.from === other.set && counts.of) {
    say(`both see ${many(counts.both)} of ${many(counts.of)}`);
    const none = counts.of - counts.both - counts.first - counts.second;
    return [[palette.both, 'seen by both', many(counts.both)],
      [palette.first, 'by the first alone', many(counts.first)],
      [palette.second, 'by the second alone', many(counts.second)],
      [palette.neither, 'by neither', many(none)]];
  }
  return key;
}

export function showSlice() {
  const [a, b] = sliceHeights();
  const low = Math.max(a, state.heights[0]);
  const high = Math.min(b, state.heights[1]);
  element('slice-text').textContent = `${short(low)} to ${short(high)} ${state.unit}`;
  input('low').value = String(Math.round(state.slice[0] * 1000));
  input('high').value = String(Math.round(state.slice[1] * 1000));
}

/** The layers that there is something of. */
export function layersShown() {
  const has = {points: state.sets.length > 0,
    planes: state.scenes.some((s) => s.instances.some((i) => i.mesh === 'plane')),
    shapes: !!mainScene(), outlines: !!mainScene(),
    'sight lines': state.visibilities.length > 0, 'through walls': state.sets.length > 0};
  return Object.keys(state.layers).filter((k) => has[/** @type {keyof has} */ (k)] ?? true);
}

/** @param {string} name @param {boolean} on */
export function setLayer(name, on) {
  state.layers[name] = on;
  showLayers();
  changed();
}

export function showLayers() {
  element('layers').replaceChildren(...layersShown().map((name, i) => {
    const l = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = state.layers[name];
    box.dataset.layer = name;
    box.onchange = () => setLayer(name, box.checked);
    l.title = i < 9 ? `key ${i + 1}` : '';
    l.append(box, name);
    return l;
  }));
  element('layer-key').replaceChildren(...layerKeys.map(([c, text, n]) => entry(c, text, n)));
}

export function showFacts() {
  /** @type {string[]} */
  const facts = [];
  for (const s of state.scenes) {
    if (s.layer === 'floors') {
      facts.push(`${many(s.count)} regions of floor`);
      continue;
    }
    const kinds = s.kinds.map((k) => `${many(k.count)} ${k.kind}`).join(', ');
    facts.push(s.kinds.length > 1 ? `${many(s.count)} shapes (${kinds})` : kinds || 'no shapes');
  }
  for (const s of state.sets) facts.push(`${many(s.count)} points`);
  element('facts').textContent = facts.join(' \u00b7 ');
}

/** The scale bar: a round length of about 150 pixels. */
export function showBar() {
  const bar = element('bar');
  bar.hidden = camera.walking;
  const per = 2 * camera.distance * Math.tan(camera.field / 2) / Math.max(1, canvas.clientHeight);
  let n = 10 ** Math.floor(Math.log10(per * 160));
  for (const f of [5, 2]) {
    if (per * 160 >= f * n) {
      n *= f;
      break;
    }
  }
  const text = `${short(n)} ${state.unit}`;
  element('bar-line').style.width = `${Math.round(n / per)}px`;
  if (element('bar-text').textContent !== text) element('bar-text').textContent = text;
}

export function showMeasure() {
  const m = state.measured;
  element('measure').classList.toggle('on', state.measuring);
  const out = element('length');
  out.hidden = !state.measuring;
  if (m.length < 2) {
    out.textContent = m.length ? 'Click the second place.' : 'Click the first place.';
    return;
  }
  const u = state.up;
  out.textContent = `${short(distanceOf(m[0], m[1]))} ${state.unit} apart, ` +
    `${short(Math.abs(m[0][u] - m[1][u]))} of it up`;
}

/** Has the panel follow what is painted. */
export function listenToPaint() {
  afterwards.push(() => {
    showColumn();
    showChosen();
    showMeasure();
  });
}
