// Results for each point of a set: exposure, probes, distances, cover.
import {palette} from './colours.js';
import {addColumn} from './columns.js';
import {bytesOf, bitsOf, countOf, floats, refuse, words} from './container.js';
import {Strokes, gl} from './gl.js';
import {ownKey, painters, setLines} from './paint.js';
import {keyEntries, tellers} from './panel.js';
import {eyeOf} from './points.js';
import {nameOf, noShape} from './shapes.js';
import {short, state} from './state.js';
import {setFor, takers} from './take.js';
import {at3, minus, plus, times} from './vectors.js';
import {countOnes} from './visibility.js';

/** @param {Container} c */
function takeExposure(c) {
  const set = setFor(c, 'points');
  const [share, count] = [floats(c, 'share', [set.count]), words(c, 'count', [set.count])];
  addColumn({key: 'exposure', name: 'share of viewpoints that see it', set, percent: true,
    data: share});
  addColumn({key: 'exposure-count', name: 'viewpoints that see it', set, data: count});
}

/** @param {Container} c */
function takeProbes(c) {
  const set = setFor(c, 'points');
  const grid = countOf(c, 'query.grid');
  const n = grid * grid;
  const far = floats(c, 'distance', [set.count, grid, grid]);
  const direction = floats(c, 'direction', [grid, grid, 3]);
  const mean = new Float32Array(set.count);
  const least = new Float32Array(set.count);
  const open = new Float32Array(set.count);
  for (let i = 0; i < set.count; i++) {
    let sum = 0;
    let finite = 0;
    let min = Infinity;
    for (let k = i * n; k < (i + 1) * n; k++) {
      if (far[k] === Infinity) continue;
      sum += far[k];
      finite++;
      if (far[k] < min) min = far[k];
    }
    mean[i] = finite ? sum / finite : Infinity;
    least[i] = min;
    open[i] = n ? 1 - finite / n : 0;
  }
  addColumn({key: 'probe-mean', name: 'mean distance that is seen', set, data: mean});
  addColumn({key: 'probe-least', name: 'nearest that is seen', set, data: least});
  addColumn({key: 'probe-open', name: 'share of directions that are open', set, data: open,
    percent: true});
  state.layers['probe rays'] = true;
  const key = ownKey();
  painters.push(() => {
    const at = state.chosen;
    const strokes = new Strokes();
    if (at && at.set === set && !state.standing) {
      const from = eyeOf(at);
      for (let k = 0; k < n; k++) {
        const t = far[at.index * n + k];
        const end = plus(from, times(at3(direction, k), t === Infinity ? state.size * 0.05 : t));
        strokes.add([from, end], t === Infinity ? palette.unseen : palette.other, 90, 220);
      }
    }
    setLines(key, strokes, 'probe rays', gl.LINES);
  });
}

/** @param {Container} c */
function takeDistance(c) {
  const clearance = c.kind === 'clearance';
  const set = setFor(c, 'points');
  const k = countOf(c, 'query.k');
  const far = floats(c, 'distance', [set.count, k]);
  const id = words(c, 'id', [set.count, k]);
  const place = floats(c, clearance ? 'on_shape' : 'point', [set.count, k, 3]);
  const first = new Float32Array(set.count);
  for (let i = 0; i < set.count; i++) first[i] = k ? far[i * k] : Infinity;
  addColumn({key: clearance ? 'clearance' : 'distance', set, data: first,
    name: clearance ? 'clearance of the segment' : 'distance of the nearest shape'});
  state.layers['nearest shapes'] = true;
  const key = ownKey();
  tellers.push((at, say) => {
    for (let j = 0; at.set === set && j < Math.min(k, 8); j++) {
      const shape = id[at.index * k + j];
      if (shape === noShape) continue;
      say(`${short(far[at.index * k + j])} ${state.unit} from ${nameOf(shape)}`);
    }
  });
  painters.push(() => {
    const at = state.chosen;
    const strokes = new Strokes();
    for (let j = 0; at && at.set === set && j < k; j++) {
      if (id[at.index * k + j] === noShape) continue;
      strokes.add([eyeOf(at), at3(place, at.index * k + j)], palette.chosen, 255);
    }
    setLines(key, strokes, 'nearest shapes', gl.LINES, true);
  });
}

/**
 * Direction k of a turn of K.
 * @param {number} k @param {number} of @returns {Vector}
 */
function around(k, of) {
  const a = 2 * Math.PI * k / of;
  return state.up === 1 ? [Math.cos(a), 0, -Math.sin(a)] : [Math.cos(a), Math.sin(a), 0];
}

/** @type {Colour[]} */
const heightColours = [palette.missing, palette.second, palette.seen];
const heightNames = ['no cover', 'cover to crouch behind', 'cover to stand behind'];

/** @param {Container} c */
function takeCover(c) {
  const set = setFor(c, 'points');
  const n = set.count;
  const of = countOf(c, 'query.directions');
  if (![4, 8, 16, 32, 64].includes(of)) refuse(c.name, 'query.directions is not 4 to 64');
  const height = bytesOf(c, 'height', [n]);
  const facing = bytesOf(c, 'facing', [n]);
  const far = floats(c, 'distance', [n]);
  const [crouch, stand, left, right] = ['crouch', 'stand', 'left', 'right']
    .map((k) => bitsOf(c, k, [n]));
  addColumn({key: 'cover', name: 'height of the cover', set, data: height,
    classes: (v) => heightNames[v] || String(v), colours: (v) => heightColours[v] || palette.missing});
  addColumn({key: 'cover-distance', name: 'distance of the cover', set, data: far});
  for (const [key, name, bits] of /** @type {[string, string, Uint8Array][]} */ ([
    ['crouch', 'safe directions, crouching', crouch], ['stand', 'safe directions, standing', stand]])) {
    addColumn({key, name, set, data: Float32Array.from({length: n},
      (_, i) => countOnes(bits.subarray(8 * i, 8 * i + 8)) / of), percent: true});
  }
  const size = Math.min(set.spacing || state.size / 100, state.size / 60);
  coverArrows(set, height, facing, of, size);
  const reach = Math.max(size, Math.min(Number(c.meta['query.reach']) || 0, state.size / 20));
  const key = ownKey();
  painters.push(() => fan(key, set, {crouch, stand, left, right}, of, reach));
  tellers.push((at, say) => {
    if (at.set !== set) return;
    /** @param {Uint8Array} bits */
    const any = (bits) => countOnes(bits.subarray(8 * at.index, 8 * at.index + 8));
    say(heightNames[height[at.index]] || '');
    const lean = [any(left) ? 'left' : '', any(right) ? 'right' : ''].filter(Boolean).join(' and ');
    say(lean ? `leans out to the ${lean}` : 'cannot lean out');
  });
  keyEntries.push(() => state.chosen && state.chosen.set === set ? [
    [palette.seen, 'safe standing', ''], [palette.second, 'safe crouching', ''],
    [palette.chosen, 'can lean out towards', '']] : []);
}

/**
 * An arrow from each place towards its cover.
 * @param {PointSet} set @param {Uint8Array} height @param {Uint8Array} facing @param {number} of
 * @param {number} size
 */
function coverArrows(set, height, facing, of, size) {
  const strokes = new Strokes();
  for (let i = 0; i < set.count; i++) {
    if (!height[i]) continue;
    const d = around(facing[i], of);
    const side = around(facing[i] + of / 4, of);
    const p = at3(set.position, i);
    p[state.up] += size * 0.03;
    const back = plus(p, times(d, -0.25 * size));
    const c = heightColours[height[i]] || palette.missing;
    const dark = /** @type {Colour} */ (c.map((x) => x * 0.75));
    strokes.add([plus(p, times(d, 0.6 * size))], c, 255);
    strokes.add([plus(back, times(side, 0.2 * size)), plus(back, times(side, -0.2 * size))], dark, 255);
  }
  state.layers['cover facing'] = true;
  setLines(ownKey(), strokes, 'cover facing', gl.TRIANGLES);
}

/**
 * The safe directions of the chosen place.
 * @param {string} key @param {PointSet} set @param {Record<string, Uint8Array>} bits
 * @param {number} of @param {number} reach
 */
function fan(key, set, bits, of, reach) {
  const strokes = new Strokes();
  const at = state.chosen;
  if (at && at.set === set && !state.standing) {
    const p = at3(set.position, at.index);
    p[state.up] += 0.04 * reach;
    /** @param {Uint8Array} b @param {number} k */
    const has = (b, k) => b[8 * at.index + (k >> 3)] >> (k & 7) & 1;
    for (let k = 0; k < of; k++) {
      const c = has(bits.stand, k) ? palette.seen : has(bits.crouch, k) ? palette.second : null;
      if (!c) continue;
      const ends = [k - 0.5, k + 0.5].map((x) => plus(p, times(around(x, of), reach)));
      strokes.add([p, ...ends], c, 220, 150, 150);
    }
    for (let k = 0; k < of; k++) {
      if (!has(bits.left, k) && !has(bits.right, k)) continue;
      const d = around(k, of);
      const side = times(around(k + of / 4, of), 0.03 * reach);
      const tip = plus(p, times(d, 1.5 * reach));
      const foot = plus(p, times(d, 1.1 * reach));
      strokes.add([tip, plus(foot, side), minus(foot, side)], palette.chosen, 230);
    }
  }
  setLines(key, strokes, 'cover facing', gl.TRIANGLES, true);
}

takers.set('exposure', takeExposure);
takers.set('probes', takeProbes);
takers.set('distance', takeDistance);
takers.set('clearance', takeDistance);
takers.set('cover', takeCover);
