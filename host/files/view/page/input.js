// Mouse, fingers, keys and buttons.
import {camera, currentView, fromAbove, home, leave, moved, rayAt, slide, standAt} from './camera.js';
import {turn, walk, zoom} from './camera.js';
import {openFile} from './container.js';
import {draw} from './draw.js';
import {canvas} from './gl.js';
import {meanSeen, paint} from './paint.js';
import {layersShown, setLayer, showSlice} from './panel.js';
import {pick} from './pick.js';
import {eyeOf, pointName} from './points.js';
import {noShape, shapeName} from './shapes.js';
import {changed, element, input, problem, state} from './state.js';
import {takeAll} from './take.js';
import {valueText} from './columns.js';
import {at3, dot, minus} from './vectors.js';

/** @type {((at: Picked) => string)[]} */
export const hoverTexts = [];

/** @param {PointSet | null} set @param {number} index */
export function choose(set, index) {
  if (state.standing && (!set || index < 0)) stand(false);
  state.chosen = set && index >= 0 ? {set, index} : null;
  state.other = null;
  if (state.standing) stand(true);
  paint();
}

/** @param {boolean} on */
export function stand(on) {
  const c = state.chosen;
  if (on && c) {
    standAt(eyeOf(c), meanSeen(c.set, c.index));
    state.standing = true;
  } else {
    state.standing = false;
    leave();
  }
  paint();
}

/** @param {boolean} [on] */
export function fold(on = !element('panel').classList.contains('folded')) {
  element('panel').classList.toggle('folded', on);
  element('fold').textContent = on ? '+' : '\u2013';
  camera.covered = 0;
  if (!on && canvas.clientWidth > 700) camera.covered = 298 / canvas.clientWidth;
  changed();
}

/** @param {boolean} [on] */
function measure(on = !state.measuring) {
  state.measuring = on;
  state.measured = [];
  paint();
}

/** @param {number} x @param {number} y @param {boolean} second */
function click(x, y, second) {
  const at = pick(x, y);
  if (state.measuring) {
    const place = at.set ? at3(at.set.position, at.point) : at.place;
    if (place) state.measured = state.measured.length === 1 ? [state.measured[0], place] : [place];
    paint();
  } else if (at.set && second && state.chosen) {
    state.other = {set: at.set, index: at.point};
    paint();
  } else if (at.set) {
    choose(at.set, at.point);
  } else if (at.area >= 0 || state.area >= 0) {
    state.area = at.area;
    paint();
  }
}

/** @param {number} x @param {number} y */
function hover(x, y) {
  const box = element('hover');
  const at = pick(x, y);
  /** @type {string[]} */
  const lines = [];
  if (at.set) {
    lines.push(pointName(at.set, at.point));
    if (state.column && state.column.set === at.set) {
      lines.push(`${state.column.name}: ${valueText(state.column, state.column.data[at.point])}`);
    }
  } else if (at.scene) {
    lines.push(shapeName(at.scene, at.shape));
    const group = at.scene.group[at.shape] ?? noShape;
    if (group !== noShape) lines.push(`group ${group}`);
    if (at.scene.note) lines.push(at.scene.note(at.shape));
  }
  for (const t of hoverTexts) lines.push(t(at));
  box.textContent = lines.filter(Boolean).join('\n');
  box.hidden = !box.textContent;
  box.style.left = `${Math.min(x + 14, innerWidth - 260)}px`;
  box.style.top = `${Math.min(y + 14, innerHeight - 60)}px`;
}

/** Saves the picture alone. */
export function savePicture() {
  draw();
  canvas.toBlob((blob) => {
    if (!blob) return;
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = `${document.title.replace(/[^\w.-]+/g, '_') || 'view'}.png`;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  }, 'image/png');
}

function listenToPointers() {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let dragged = false;
  let button = 0;
  let waiting = 0;
  canvas.addEventListener('pointerdown', (e) => {
    canvas.setPointerCapture(e.pointerId);
    down.set(e.pointerId, {x: e.clientX, y: e.clientY});
    dragged = down.size > 1; // two fingers choose nothing
    button = e.button;
    element('hover').hidden = true;
    canvas.focus();
  });
  canvas.addEventListener('pointermove', (e) => {
    const last = down.get(e.pointerId);
    if (!last) {
      clearTimeout(waiting);
      element('hover').hidden = true;
      waiting = window.setTimeout(() => hover(e.clientX, e.clientY), 60);
      return;
    }
    const dx = e.clientX - last.x;
    const dy = e.clientY - last.y;
    if (!dragged && Math.hypot(dx, dy) < 4) return;
    dragged = true;
    if (down.size === 2) {
      const other = [...down].filter(([id]) => id !== e.pointerId)[0][1];
      const was = Math.hypot(last.x - other.x, last.y - other.y);
      const is = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      const [x, y] = [(e.clientX + other.x) / 2, (e.clientY + other.y) / 2];
      if (is > 1) zoom(was / is, rayAt(currentView(), x, y));
      // What both fingers do together turns; what they do apart pinches.
      turn(dx / 2, dy / 2);
    } else if (button === 0 && !e.ctrlKey) {
      turn(dx, dy);
    } else {
      slide(dx, dy);
    }
    down.set(e.pointerId, {x: e.clientX, y: e.clientY});
  });
  /** @param {PointerEvent} e */
  const up = (e) => {
    const had = down.delete(e.pointerId);
    if (!had || dragged || down.size || e.type === 'pointercancel' || button !== 0) return;
    const box = canvas.getBoundingClientRect();
    click(e.clientX - box.left, e.clientY - box.top, e.shiftKey);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => {
    clearTimeout(waiting);
    element('hover').hidden = true;
  });
  canvas.addEventListener('contextmenu', (e) => e.preventDefault());
  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    const step = e.deltaY * (e.deltaMode === 1 ? 30 : 1);
    zoom(Math.exp(Math.max(-300, Math.min(300, step)) * 0.0012), rayAt(currentView(), e.clientX, e.clientY));
  }, {passive: false});
}

/**
 * The nearest point of the set in a direction of the picture.
 * @param {number} x @param {number} y
 */
function step(x, y) {
  const c = state.chosen;
  if (!c) return;
  const view = currentView();
  const from = at3(c.set.position, c.index);
  let best = Infinity;
  let index = c.index;
  for (let i = 0; i < c.set.count; i++) {
    const d = minus(at3(c.set.position, i), from);
    const along = x * dot(d, view.right) + y * dot(d, view.above);
    const length = Math.hypot(...d);
    if (along < 0.6 * length || i === c.index) continue;
    const cost = length * (2 - along / length);
    if (cost < best) {
      best = cost;
      index = i;
    }
  }
  choose(c.set, index);
}

const held = new Set();

/** Called before each picture: walks while keys are down. */
export function walkOn() {
  /** @param {string} a @param {string} b */
  const either = (a, b) => Number(held.has(a)) - Number(held.has(b));
  const [ahead, aside, rise] = [either('w', 's'), either('d', 'a'), either('e', 'q')];
  if (ahead || aside || rise) walk(ahead, aside, rise);
}

/** @param {() => void} view the first one, or from above */
function look(view) {
  state.standing = false;
  view();
  paint();
}

/** @type {Record<string, () => void>} */
const keys = {
  t: () => look(fromAbove), h: () => look(home), m: () => measure(), p: savePicture, f: () => fold(),
  v: () => stand(!state.standing), '?': () => help(),
  escape: () => {
    if (!element('help').hidden) help();
    else if (state.measuring) measure(false);
    else if (state.standing) stand(false);
    else if (state.other) {
      state.other = null;
      paint();
    } else {
      state.area = -1;
      choose(null, -1);
    }
  },
};

/** @type {Record<string, number[]>} */
const arrows = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1]};

function help() {
  element('help').hidden = !element('help').hidden;
}

/** @param {KeyboardEvent} e */
function keyDown(e) {
  const on = e.target instanceof HTMLElement ? e.target.tagName : '';
  if (on === 'SELECT' || on === 'INPUT' && /arrow/i.test(e.key)) return;
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const key = e.key.toLowerCase();
  if (key.length === 1 && 'wasdeq'.includes(key)) held.add(key);
  else if (arrows[key]) {
    e.preventDefault();
    if (state.chosen && !state.standing) step(arrows[key][0], arrows[key][1]);
    else turn(arrows[key][0] * 20, -arrows[key][1] * 20);
  } else if (/^[1-9]$/.test(key)) {
    const name = layersShown()[Number(key) - 1];
    if (name) setLayer(name, !state.layers[name]);
  } else if (Object.prototype.hasOwnProperty.call(keys, key)) {
    keys[key]();
  }
  changed();
}

function listenToPanel() {
  const named = {fold: 'f', stand: 'v', home: 'h', top: 't', measure: 'm', save: 'p', ask: '?'};
  for (const [id, key] of Object.entries(named)) element(id).onclick = () => keys[key]();
  element('clear').onclick = () => choose(null, -1);
  input('column').onchange = () => {
    state.column = state.columns.find((c) => c.key === input('column').value) || null;
    state.threshold = 0;
    paint();
  };
  input('threshold').oninput = () => {
    state.threshold = Number(input('threshold').value) / 1000;
    paint();
  };
  for (const [id, k] of /** @type {[string, number][]} */ ([['low', 0], ['high', 1]])) {
    input(id).oninput = () => {
      state.slice[k] = Number(input(id).value) / 1000;
      if (k === 0) state.slice[1] = Math.max(state.slice[1], state.slice[0]);
      else state.slice[0] = Math.min(state.slice[0], state.slice[1]);
      showSlice();
      moved();
    };
  }
}

/**
 * Files that are dropped on the page.
 * @param {File[]} files
 */
export async function dropped(files) {
  const first = !state.scenes.length && !state.sets.length;
  try {
    problem('');
    await takeAll(files.map(openFile));
  } catch (error) {
    problem(error);
  }
  if (first) home();
}

function listenToDrops() {
  addEventListener('dragover', (e) => {
    e.preventDefault();
    element('drop').hidden = false;
  });
  addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) element('drop').hidden = true;
  });
  addEventListener('drop', (e) => {
    e.preventDefault();
    element('drop').hidden = true;
    if (e.dataTransfer) dropped([...e.dataTransfer.files]);
  });
}

export function listen() {
  listenToPointers();
  listenToPanel();
  listenToDrops();
  addEventListener('keydown', keyDown);
  addEventListener('keyup', (e) => held.delete(e.key.toLowerCase()));
  addEventListener('blur', () => held.clear());
}
