// WebGL 2 by hand: the context, programs and buffers.
import {element} from './state.js';

export const canvas = /** @type {HTMLCanvasElement} */ (element('gl'));
const context = canvas.getContext('webgl2', {antialias: false, powerPreference: 'high-performance'});

/** The context, or a dummy that is never called: `main` stops where there is none. */
export const gl = /** @type {WebGL2RenderingContext} */ (context);
export const hasGl = context !== null;

/** @typedef {{ program: WebGLProgram, at: Record<string, WebGLUniformLocation | null> }} Program */

/** @param {number} type @param {string} source */
function shader(type, source) {
  const s = /** @type {WebGLShader} */ (gl.createShader(type));
  gl.shaderSource(s, source);
  gl.compileShader(s);
  if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(s) || 'shader');
  return s;
}

/** @param {string[]} shaders of vertices, and of fragments @returns {Program} */
export function link([vertex, fragment]) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram());
  gl.attachShader(program, shader(gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw Error(gl.getProgramInfoLog(program) || 'program');
  }
  /** @type {Program['at']} */
  const at = {};
  for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
    const info = gl.getActiveUniform(program, i);
    if (info) at[info.name] = gl.getUniformLocation(program, info.name);
  }
  return {program, at};
}

/** @param {Float32Array | Uint8Array} data */
export function bufferOf(data) {
  const b = /** @type {WebGLBuffer} */ (gl.createBuffer());
  gl.bindBuffer(gl.ARRAY_BUFFER, b);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  return b;
}

/** Texels in a row of a table. */
const tableWidth = 2048;

/**
 * A table that vertex shaders read by number: four floats, or a colour, in each texel. Software
 * renderers draw instances one by one, but vertices that read a table all at once.
 * @param {Float32Array | Uint8Array} values @param {WebGLTexture | null} [old] to be filled again
 */
export function tableOf(values, old = null) {
  const rows = Math.max(1, Math.ceil(values.length / 4 / tableWidth));
  const bytes = values instanceof Uint8Array;
  const all = bytes ? new Uint8Array(4 * rows * tableWidth) : new Float32Array(4 * rows * tableWidth);
  all.set(values);
  const table = old || /** @type {WebGLTexture} */ (gl.createTexture());
  gl.bindTexture(gl.TEXTURE_2D, table);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texImage2D(gl.TEXTURE_2D, 0, bytes ? gl.RGBA8 : gl.RGBA32F, tableWidth, rows, 0, gl.RGBA,
    bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, all);
  return table;
}

/**
 * Vectors of three numbers as a table.
 * @param {ArrayLike<number>} places
 */
export function placeTable(places) {
  const n = places.length / 3;
  const values = new Float32Array(4 * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) values[4 * i + k] = places[3 * i + k];
  return tableOf(values);
}

/**
 * Has a program read two tables.
 * @param {Program} p @param {WebGLTexture | null} data @param {WebGLTexture | null} tints
 */
export function readTables(p, data, tints) {
  [data, tints].forEach((t, k) => {
    gl.activeTexture(gl.TEXTURE0 + k);
    gl.bindTexture(gl.TEXTURE_2D, t);
  });
  gl.uniform1i(p.at.data, 0);
  gl.uniform1i(p.at.tints, 1);
}

/** Lines, or triangles, as they are collected: places, and a colour of four bytes at each. */
export class Strokes {
  constructor() {
    /** @type {number[]} */ this.places = [];
    /** @type {number[]} */ this.colours = [];
  }

  /** @param {Vector[]} corners @param {Colour} c @param {...number} opaque at each, in turn */
  add(corners, c, ...opaque) {
    corners.forEach((p, k) => {
      this.places.push(p[0], p[1], p[2]);
      this.colours.push(c[0], c[1], c[2], opaque[k % opaque.length]);
    });
    return this;
  }

  /** @returns {Lines | null} */
  lines() {
    if (!this.places.length) return null;
    const vao = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    gl.bindVertexArray(vao);
    const a = bufferOf(new Float32Array(this.places));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    const b = bufferOf(new Uint8Array(this.colours));
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.bindVertexArray(null);
    return {vao, buffers: [a, b], count: this.places.length / 3};
  }
}

/** @param {Lines | null} lines */
export function freeLines(lines) {
  if (!lines) return;
  gl.deleteVertexArray(lines.vao);
  for (const b of lines.buffers) gl.deleteBuffer(b);
}
