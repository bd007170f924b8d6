// Columns: a number or class for each point of a set, by which points may be coloured.
import {classColour} from './colours.js';
import {state} from './state.js';

/**
 * Adds a column; where its key is taken, a number follows it.
 * @param {Omit<Column, 'min' | 'max'>} column
 */
export function addColumn(column) {
  let min = Infinity;
  let max = -Infinity;
  const {data} = column;
  for (let i = 0; i < data.length; i++) {
    const x = data[i];
    if (Number.isFinite(x)) {
      if (x < min) min = x;
      if (x > max) max = x;
    }
  }
  if (min > max) min = max = 0;
  if (column.percent || (min > 0 && min < 0.5 * max)) min = 0;
  let {key} = column;
  for (let n = 2; state.columns.some((c) => c.key === key); n++) key = `${column.key}-${n}`;
  const full = {...column, key, min, max: max > min ? max : min + 1};
  state.columns.push(full);
  state.column = state.column || full;
}

/**
 * Columns that the points themselves bring.
 * @param {PointSet} set
 */
export function ownColumns(set) {
  if (set.area) {
    addColumn({key: 'area', name: 'area of each point', set, data: set.area,
      classes: (v) => `area ${v}`, colours: classColour});
  }
  const heights = new Float32Array(set.count);
  for (let i = 0; i < set.count; i++) heights[i] = set.position[3 * i + state.up];
  addColumn({key: 'height', name: 'height of the point', set, data: heights});
}

/**
 * A value as the legend and the hover show it.
 * @param {Column} column @param {number} v
 */
export function valueText(column, v) {
  if (column.classes) return column.classes(v);
  if (column.percent) return `${(100 * v).toFixed(1)} %`;
  if (v === Infinity) return 'none in range';
  if (!Number.isFinite(v)) return '-';
  const digits = Math.abs(v) >= 1e5 ? v.toFixed(0) : String(Number(v.toPrecision(4)));
  return state.unit && column.key.startsWith('distance') ? `${digits} ${state.unit}` : digits;
}
