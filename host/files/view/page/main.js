// Begins: opens the page's data, shows them, and draws while something changes.
import {camera, currentView, home, projected} from './camera.js';
import {openBlock} from './container.js';
import {buildPrograms, draw, learn, learnFirst, work} from './draw.js';
import {canvas, hasGl} from './gl.js';
import {fold, listen, walkOn} from './input.js';
import {counts} from './paint.js';
import {followAddress, writeLater} from './link.js';
import {listenToPaint, showBar} from './panel.js';
import {pick} from './pick.js';
import {changed, element, problem, state} from './state.js';
import {takeAll} from './take.js';

/** How long the camera must rest until all is drawn, in milliseconds. */
const rest = 160;
/** Whether a browser waits for a still, which it takes at the page's load event. */
let atLoad = location.search === '?shot';
let lastFrame = 0;
let lastDrawn = 0;
let lastQuick = false;
let size = '';

/** Follows the size of the window. */
function followWindow() {
  const now = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio].join();
  if (now === size) return;
  size = now;
  fold(element('panel').classList.contains('folded'));
}

/** @param {number} now */
function frame(now) {
  requestAnimationFrame(frame);
  followWindow();
  walkOn();
  // A picture that takes long does not make the camera rest.
  const quick = state.moved > lastDrawn || performance.now() - state.moved < rest;
  // When the camera has come to rest, once more and whole.
  if (lastQuick && !quick) {
    changed();
    writeLater();
  }
  if (!state.dirty) return;
  state.dirty = false;
  lastDrawn = performance.now();
  draw(quick);
  showBar();
  if (quick && lastQuick) learn(now - lastFrame);
  lastFrame = now;
  lastQuick = quick;
}

function fps() {
  const t = work.times;
  return t.length ? 1000 * t.length / t.reduce((a, b) => a + b, 0) : 0;
}

async function begin() {
  const title = document.body.dataset.title || 'sightline';
  element('title').textContent = title;
  document.title = title;
  if (!hasGl) throw Error('This browser has no WebGL 2, which the view needs.');
  buildPrograms();
  listenToPaint();
  const blocks = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('script[data-file]'));
  try {
    await takeAll([...blocks].map(openBlock));
  } finally {
    fold(canvas.clientWidth < 500);
    home();
    learnFirst();
    state.moved = -1e9;
    followAddress();
    state.moved = -1e9;
    listen();
    requestAnimationFrame(frame);
  }
}

Object.assign(window, {sightlineView: {state, camera, draw, pick, counts, fps, work,
  /** @param {number[]} p */
  project: (p) => projected(currentView(), p),
  get ready() {
    return state.ready;
  }}});

const nextFrame = () => new Promise(requestAnimationFrame);

/** Holds the load event back until all is drawn: it waits for images. */
async function holdLoad() {
  while (atLoad) {
    await new Promise((loaded) => {
      const image = new Image();
      image.onload = image.onerror = loaded;
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    });
  }
}

holdLoad();
begin().catch(problem).finally(async () => {
  state.ready = true;
  if (!atLoad) return;
  await nextFrame();
  await nextFrame();
  // Who draws a still looks for these words.
  console.log(element('err').hidden ? 'sightline view: ready' : 'sightline view: problem');
  atLoad = false;
});
