// The picture. While the camera moves, as little is drawn as lets it move; all when it rests.
import {camera, currentView} from './camera.js';
import {drawChunks, shownIn} from './chunks.js';
import {canvas, gl, link, readTables} from './gl.js';
import {boxShaders, cylinderShaders, lineShaders, planeShaders} from './shaders.js';
import {roundShaders, tileShaders, triangleShaders} from './shaders.js';
import {state} from './state.js';

/** @typedef {import('./gl.js').Program} Program */

/** @type {Record<'box' | 'round' | 'cylinder' | 'triangle' | 'plane' | 'tile' | 'line', Program>} */
let programs;

export function buildPrograms() {
  programs = {box: link(boxShaders), round: link(roundShaders),
    cylinder: link(cylinderShaders), triangle: link(triangleShaders), plane: link(planeShaders), tile: link(tileShaders), line: link(lineShaders)};
}

/** What other modules add to the picture, by layer. */
export const extras = {
  /** @type {Map<string, { layer: string, lines: Lines, mode: number, above: boolean }>} */
  lines: new Map(),
  /**
   * Discs that mark places: always to be seen.
   * @type {{ places: WebGLTexture, shades: WebGLTexture, count: number } | null}
   */
  marks: null,
};

/** How it went lately. */
export const work = {drawn: 0, of: 0, least: 0, slow: false, budget: 1e9,
  /** @type {number[]} */ times: []};

/** @type {{ frame: WebGLFramebuffer, kept: (WebGLRenderbuffer | null)[], width: number,
 *   height: number } | null} */
let canvasFrame = null;

/** @param {number} ratio pixels of the picture for one of the page */
function fitCanvas(ratio) {
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/**
 * A picture of its own, of four samples a pixel, which is copied to the canvas.
 * @param {number} width @param {number} height
 */
function frameOf(width, height) {
  if (canvasFrame && canvasFrame.width === width && canvasFrame.height === height) {
    return canvasFrame.frame;
  }
  if (canvasFrame) {
    gl.deleteFramebuffer(canvasFrame.frame);
    for (const b of canvasFrame.kept) gl.deleteRenderbuffer(b);
  }
  const frame = /** @type {WebGLFramebuffer} */ (gl.createFramebuffer());
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  const kept = [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]
    .map(([format, place]) => {
      const b = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, b);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, b);
      return b;
    });
  canvasFrame = {frame, kept, width, height};
  return frame;
}

/**
 * The heights that are shown.
 * @returns {number[]}
 */
export function sliceHeights() {
  const [low, high] = state.heights;
  const [a, b] = state.slice;
  return [a <= 0 ? -1e30 : low + a * (high - low), b >= 1 ? 1e30 : low + b * (high - low)];
}

/** @param {Program} p @param {View} view */
function use(p, view) {
  gl.useProgram(p.program);
  gl.uniformMatrix4fv(p.at.matrix, false, view.matrix);
  if (p.at.eye) gl.uniform3fv(p.at.eye, view.eye);
  gl.uniform2fv(p.at.slice, sliceHeights());
  gl.uniform1i(p.at.up, state.up);
  if (p.at.outline) gl.uniform1f(p.at.outline, state.layers.outlines ? 1 : 0);
}

/** @param {View} view @param {Instances['mesh']} mesh @param {number} least */
function drawShapes(view, mesh, least) {
  const p = programs[mesh];
  use(p, view);
  const cut = state.slice[0] > 0 || state.slice[1] < 1;
  for (const scene of state.scenes) {
    if (!state.layers[scene.layer]) continue;
    if (scene.layer === 'floors') gl.uniform1f(p.at.outline, 0);
    for (const s of scene.instances) {
      if (s.mesh !== mesh) continue;
      const vertices = mesh === 'plane' ? 6 : mesh === 'triangle' ? 3 : cut && s.tilted ? 36 : 18;
      readTables(p, s.table, s.tints);
      gl.uniform1i(p.at.corners, vertices);
      work.drawn += drawChunks(s, vertices, view, view.scale * canvas.height / 2, least);
      work.of += s.count;
    }
  }
}

/** @param {View} view @param {WebGLTexture | null} places
 * @param {WebGLTexture | null} shades @param {number} count
 * @param {{ size: number, disc?: boolean, least?: number, strength?: number,
 *   facing?: boolean, plain?: boolean }} how */
function drawTiles(view, places, shades, count, how) {
  const p = programs.tile;
  use(p, view);
  if (how.plain) gl.uniform1f(p.at.outline, 0);
  gl.uniform1f(p.at.size, how.size);
  gl.uniform1f(p.at.least, (how.least || 0) * 2 / (view.scale * canvas.height));
  gl.uniform1f(p.at.disc, how.disc ? 1 : 0);
  gl.uniform1f(p.at.strength, how.strength || 1);
  gl.uniform3fv(p.at.right, how.facing ? view.right : [0, 0, 0]);
  gl.uniform3fv(p.at.above, how.facing ? view.above : [0, 0, 0]);
  readTables(p, places, shades);
  gl.uniform1i(p.at.corners, 6);
  gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
}

/**
 * The side of a point's tile.
 * @param {PointSet} set
 */
export function tileSide(set) {
  if (set.dots) return state.size / 2000;
  const side = set.spacing ? set.spacing * 0.92 : state.size / 60;
  const largest = state.size / 25;
  const shrink = camera.walking ? 0.22 : state.layers.floors ? 0.5 : 1;
  return Math.min(side, largest) * shrink;
}

/** @param {View} view @param {number} ratio pixels of the picture for one of the page */
function drawPoints(view, ratio) {
  const ghosts = state.layers['through walls'];
  for (const set of state.sets) {
    if (!state.layers[set.layer]) continue;
    const disc = camera.walking || set.dots;
    const how = {size: tileSide(set), facing: disc, disc, least: (set.dots ? 5 : 2.5) * ratio};
    if (ghosts) {
      gl.disable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      drawTiles(view, set.places, set.shades, set.count, {...how, strength: 0.25, plain: true});
      gl.disable(gl.BLEND);
      gl.enable(gl.DEPTH_TEST);
    }
    drawTiles(view, set.places, set.shades, set.count, how);
  }
}

/** @param {View} view @param {number} ratio */
function drawExtras(view, ratio) {
  gl.enable(gl.BLEND);
  for (const e of extras.lines.values()) {
    if (!state.layers[e.layer] && e.layer !== 'always') continue;
    use(programs.line, view);
    if (e.above) gl.disable(gl.DEPTH_TEST);
    if (e.mode === gl.TRIANGLES) gl.depthMask(false);
    gl.bindVertexArray(e.lines.vao);
    gl.drawArrays(e.mode, 0, e.lines.count);
    gl.depthMask(true);
    gl.enable(gl.DEPTH_TEST);
  }
  if (extras.marks) {
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
    drawTiles(view, extras.marks.places, extras.marks.shades, extras.marks.count, {size: 0, least: 15 * ratio, disc: true,
      facing: true});
    gl.enable(gl.DEPTH_TEST);
  }
  gl.disable(gl.BLEND);
}

/**
 * How large a shape must be to be drawn, in pixels.
 * @param {View} view @param {boolean} quick
 */
function leastPixels(view, quick) {
  const total = state.scenes.reduce((n, s) => n + s.count, 0);
  let least = total > 300000 ? 1 : total > 50000 ? 0.5 : 0;
  if (!quick || total < work.budget) return least;
  const all = state.scenes.flatMap((s) => s.instances);
  for (least = Math.max(least, 0.5); least < 200; least *= 1.5) {
    const n = all.reduce((sum, s) => sum + shownIn(s, view, view.scale * canvas.height / 2, least), 0);
    if (n <= work.budget) break;
  }
  return least;
}

/**
 * Draws a picture now.
 * @param {boolean} [quick] only what matters while the camera moves
 */
export function draw(quick = false) {
  // A slow machine draws a coarser picture while the camera moves.
  const coarse = quick && work.slow;
  const ratio = Math.min(2, devicePixelRatio || 1) / (coarse ? 2 : 1);
  fitCanvas(ratio);
  const view = currentView();
  gl.bindFramebuffer(gl.FRAMEBUFFER, coarse ? null : frameOf(canvas.width, canvas.height));
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0.984, 0.984, 0.972, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  // The picture stays opaque.
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  work.drawn = work.of = 0;
  const least = work.least = leastPixels(view, quick);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(1, 1);
  drawShapes(view, 'box', least);
  drawShapes(view, 'round', least);
  drawShapes(view, 'cylinder', least);
  drawShapes(view, 'triangle', least);
  gl.disable(gl.POLYGON_OFFSET_FILL);
  drawPoints(view, ratio);
  if (state.layers.planes) {
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    drawShapes(view, 'plane', 0);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
  drawExtras(view, ratio);
  gl.bindVertexArray(null);
  if (!coarse) {
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, canvas.width, canvas.height, 0, 0, canvas.width, canvas.height,
      gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}

/** Learns from the first picture how fast this machine draws. */
export function learnFirst() {
  const begin = performance.now();
  draw();
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  const ms = performance.now() - begin;
  work.slow = ms > 50;
  work.budget = ms > 50 ? Math.max(4000, work.drawn * 50 / ms) : 1e9;
}

/**
 * Learns from the time between two pictures of a moving camera: aims at 18 a second.
 * @param {number} ms
 */
export function learn(ms) {
  work.times.push(ms);
  if (work.times.length > 30) work.times.shift();
  if (ms > 60) {
    work.slow = true;
    work.budget = Math.max(2000, Math.min(work.budget, work.drawn) * 0.9);
  } else if (ms < 45) {
    work.budget = Math.min(1e9, work.budget * 1.05);
  }
}
