// Takes files in: recognises each by its kind, matches it with what is there, refuses what does not
// belong together.
import {ownColumns} from './columns.js';
import {hashesOf, refuse} from './container.js';
import {paint} from './paint.js';
import {showFacts, showLayers, showSlice} from './panel.js';
import {pointsOf} from './points.js';
import {checkScene, mainScene, sceneOf} from './shapes.js';
import {state} from './state.js';
import {diagonal, emptyBox, grow, isEmpty} from './vectors.js';
import {visibilityColumns, visibilityOf} from './visibility.js';

/**
 * What takes each kind of file, in this order.
 * @type {Map<string, (c: Container, all: Container[]) => void>}
 */
export const takers = new Map();
takers.set('points', takePoints); // planes are drawn around them
takers.set('scene', takeScene);
takers.set('visibility', takeVisibility);

/** @param {Box} box @param {Box} more */
function join(box, more) {
  if (isEmpty(more)) return;
  grow(box, more.min);
  grow(box, more.max);
}

/** The whole, and what is looked at first: the points, or all shapes. */
export function measureAll() {
  const shapes = emptyBox();
  const points = emptyBox();
  for (const s of state.scenes) join(shapes, s.box);
  for (const s of state.sets) join(points, s.box);
  const all = emptyBox();
  join(all, shapes);
  join(all, points);
  join(all, state.more);
  if (isEmpty(all)) grow(all, [0, 0, 0], 1);
  state.box = all;
  state.size = diagonal(all) || 1;
  state.focus = all;
  const u = state.up;
  state.heights = [all.min[u], all.max[u]];
  if (!isEmpty(points) && diagonal(points) > 0.02 * state.size &&
      diagonal(all) > 1.5 * diagonal(points)) {
    state.focus = {min: [...points.min], max: [...points.max]};
  }
  if (!isEmpty(points)) {
    // The slice goes through the heights of the points, and a little beyond.
    const beyond = Math.max(0.25 * (points.max[u] - points.min[u]), 0.05 * state.size);
    state.heights = [Math.max(all.min[u], points.min[u] - beyond),
      Math.min(all.max[u], points.max[u] + beyond)];
    // Walls and roofs far above all points are cut off at first.
    if (!state.ready && all.max[u] > points.max[u] + 2 * beyond) state.slice[1] = 0.98;
  }
}

/** @param {Container} c */
function takeScene(c) {
  const around = state.sets.length ? state.sets[0].box : emptyBox();
  const scene = sceneOf(c, around);
  if (!mainScene()) {
    state.up = c.meta.up === 'y' ? 1 : 2;
    const unit = c.meta.unit || '';
    state.unit = unit.slice(0, 20);
  } else {
    scene.layer = 'query shapes';
    state.layers['query shapes'] = true;
  }
  state.scenes.push(scene);
}

/** @param {Container} c */
function takePoints(c) {
  const set = pointsOf(c);
  state.sets.push(set);
  if (state.sets.length > 1) {
    set.layer = `points ${state.sets.length}`;
    state.layers[set.layer] = true;
  }
}

/**
 * The points that a result is of: those with its hash, or dropped ones of as many.
 * @param {Container} c @param {string} which such as `from` @returns {PointSet}
 */
export function setFor(c, which) {
  checkScene(c);
  const hash = c.meta[`${which}.hash`];
  const count = Number(c.meta[`${which}.count`]);
  const sure = state.sets.find((s) => s.hashes.includes(hash) && s.count === count);
  const likely = sure || state.sets.find((s) => !s.hashes.length && s.count === count);
  if (!likely) {
    const had = state.sets.map((s) => `${s.count} in ${s.name}`).join(', ');
    return refuse(c.name, `a result of ${count} other points than there are here` +
      (had ? ` (${had})` : '') + ': drop its points first');
  }
  const raised = Number(c.meta[`${which}.at`] || 0);
  if (raised > 0 && likely.raised === 0 && raised < 1e6) likely.raised = raised;
  return likely;
}

/** @param {Container} c */
function takeVisibility(c) {
  const from = setFor(c, 'from');
  const to = setFor(c, 'to');
  // A file that was dropped brings the rows that the page lacks.
  const at = state.visibilities.findIndex((v) => v.from === from && v.to === to);
  const v = visibilityOf(c, from, to);
  if (at >= 0) {
    const old = state.visibilities[at];
    const asked = Object.keys({...old.meta, ...c.meta}).filter((k) => /^query\.|\.hash$/.test(k));
    if (asked.some((k) => old.meta[k] !== c.meta[k])) {
      refuse(c.name, `another result than ${old.name}, of the same points`);
    }
    if (v.file) v.sees = old.sees;
    state.visibilities[at] = v;
    return;
  }
  state.visibilities.push(v);
  visibilityColumns(v);
}

/**
 * Shows what is sound of some files. Throws a sentence for each of the others.
 * @param {Promise<Container>[]} opened
 */
export async function takeAll(opened) {
  /** @type {Container[]} */
  const files = [];
  /** @type {string[]} */
  const wrong = [];
  for (const o of await Promise.allSettled(opened)) {
    if (o.status === 'fulfilled') files.push(o.value);
    else wrong.push(o.reason.message);
  }
  take(files, wrong);
  if (wrong.length) throw Error(wrong.join('. '));
}

/** @param {Container[]} files @param {string[]} wrong what cannot be shown, a sentence each */
function take(files, wrong) {
  const order = [...takers.keys()];
  // Scenes of query shapes come after the scene that they were asked of.
  const asked = new Set(files.flatMap((f) => [f.meta['asking.hash'], f.meta['moving.hash']]));
  /** @param {Container} c */
  const rank = (c) => order.indexOf(c.kind) + (hashesOf(c).some((h) => asked.has(h)) ? 0.5 : 0);
  files.sort((a, b) => rank(a) - rank(b));
  const before = state.sets.length;
  const columns = state.columns.length;
  for (const f of files) {
    try {
      const taker = takers.get(f.kind) || refuse(f.name, `files of ${f.kind} are not shown`);
      taker(f, files);
    } catch (error) {
      wrong.push(error instanceof Error ? error.message : String(error));
    }
  }
  // A result that comes in shows itself.
  const chosen = state.columns[columns] || state.column;
  for (const set of state.sets.slice(before)) ownColumns(set);
  state.column = chosen || state.column;
  measureAll();
  showFacts();
  showLayers();
  showSlice();
  paint();
}
