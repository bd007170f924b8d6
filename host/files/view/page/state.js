// What the page holds and shows. Modules change it and ask for a new picture by `changed`.

export const state = {
  /** @type {Scene[]} */ scenes: [],
  /** @type {PointSet[]} */ sets: [],
  /** @type {Visibility[]} */ visibilities: [],
  /** @type {Column[]} */ columns: [],
  /** @type {Column | null} */ column: null,
  /** The coordinate that is the height. */
  up: 2,
  unit: '',
  /** What is looked at first, and the whole. */
  /** @type {Box} */ focus: {min: [0, 0, 0], max: [1, 1, 1]},
  /** @type {Box} */ box: {min: [0, 0, 0], max: [1, 1, 1]},
  size: 1,
  /** Between which heights the slice is moved. */
  heights: [0, 1],
  /** Holds floors and areas, which belong to the whole. */
  /** @type {Box} */ more: {min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity]},
  /** @type {Place | null} */ chosen: null,
  /** @type {Place | null} */ other: null,
  area: -1,
  /** @type {Vector[]} */ measured: [],
  measuring: false,
  /** The camera stands at the chosen viewpoint. */
  standing: false,
  /** The part of the heights that is shown, 0 to 1. */
  slice: [0, 1],
  /** From where on points are shown, as a share of the column's range. */
  threshold: 0,
  /** @type {Record<string, boolean>} */
  layers: {shapes: true, planes: true, outlines: true, points: true, 'sight lines': true,
    'through walls': false},
  ready: false,
  dirty: true,
  /** When the camera moved last. */
  moved: -1e9,
};

/** Asks for a new picture. */
export function changed() {
  state.dirty = true;
}

/** @param {string} id @returns {HTMLElement} */
export function element(id) {
  const e = document.getElementById(id);
  if (!e) throw Error(`the page has no ${id}`);
  return e;
}

/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (element(id));

/**
 * Says what went wrong, below the title.
 * @param {unknown} error
 */
export function problem(error) {
  const e = element('err');
  e.textContent = error instanceof Error ? error.message : String(error);
  e.hidden = !e.textContent;
}

/**
 * A number as people write it: about four digits.
 * @param {number} x
 */
export function short(x) {
  if (x === Infinity) return '\u221e';
  if (!Number.isFinite(x)) return String(x);
  const a = Math.abs(x);
  if (a >= 1e6 || (a > 0 && a < 1e-3)) return x.toExponential(2);
  return Number(x.toPrecision(4)).toLocaleString('en');
}

/** @param {number} n */
export const many = (n) => n.toLocaleString('en');
