// Colours that readers with any kind of colour vision can tell apart: viridis for numbers, those of
// Okabe and Ito for classes.

/** @type {Colour[]} */
const viridis = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
  [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

/**
 * The colour of x between 0 and 1.
 * @param {number} x @returns {Colour}
 */
export function ramp(x) {
  const at = Math.min(1, Math.max(0, x)) * (viridis.length - 1);
  const i = Math.min(viridis.length - 2, Math.floor(at));
  const a = viridis[i];
  const b = viridis[i + 1];
  const f = at - i;
  return [0, 1, 2].map((k) => Math.round(a[k] * (1 - f) + b[k] * f));
}

/** 1024 steps of the ramp, for loops over many points. */
export const rampTable = (() => {
  const table = new Uint8Array(3 * 1024);
  for (let i = 0; i < 1024; i++) table.set(ramp(i / 1023), 3 * i);
  return table;
})();

/** @type {Record<string, Colour>} */
export const palette = {
  seen: [0, 114, 178], unseen: [238, 172, 92], both: [0, 84, 150], first: [86, 180, 233],
  second: [230, 159, 0], neither: [205, 205, 198], plain: [122, 126, 138], ink: [28, 28, 36],
  chosen: [204, 32, 120], other: [0, 158, 115], partly: [240, 228, 66], missing: [190, 190, 184],
  drop: [213, 94, 0], both_ways: [0, 70, 140], hit: [204, 32, 120],
  // Lighter than the tiles that they lead to.
  sight: [86, 180, 233],
};

/** @type {Colour[]} */
const classes = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233],
  [213, 94, 0], [240, 228, 66], [110, 110, 120]];

/**
 * A colour for class i; classes beyond the eighth are spread over hues.
 * @param {number} i
 */
export function classColour(i) {
  if (i < classes.length) return classes[i];
  const hue = (i * 0.61803398875) % 1;
  const light = 0.5 + 0.14 * ((i % 3) - 1);
  return /** @type {Colour} */ ([0, 8, 4].map((n) => {
    const k = (n + hue * 12) % 12;
    return Math.round(255 * (light - 0.24 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  }));
}

/**
 * A light colour for a region of the floor.
 * @param {number} i @returns {Colour}
 */
export const regionColour = (i) => /** @type {Colour} */ (
  classColour(i).map((x) => Math.round(x * 0.5 + 255 * 0.42)));

/** @param {ArrayLike<number>} c */
export const css = (c) => `rgb(${c[0]},${c[1]},${c[2]})`;
