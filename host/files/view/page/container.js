// Containers in the safetensors layout, and arrays of .npy. No length that a file claims is trusted:
// each is checked against the bytes that there are before anything is made of it.

/** @type {Record<string, number>} */
const elementBytes = {U8: 1, U16: 2, U32: 4, U64: 8, F32: 4, F64: 8};
const longestHeader = 1e8;

/** Files beyond this are not read whole. */
const longestFile = 512 * 2 ** 20;

/** @param {string} name @param {string} reason @returns {never} */
export function refuse(name, reason) {
  throw Error(`${name}: ${reason}`);
}

/**
 * The entries of a header, checked: known types, sizes that fit, no gap and no overlap.
 * @param {string} name @param {string} text @param {number} data where the data begin @param
 * {number} size of the file
 */
function readHeader(name, text, data, size) {
  /** @type {Record<string, any>} */
  let head;
  try {
    head = JSON.parse(text);
  } catch {
    return refuse(name, 'its header is not JSON');
  }
  if (typeof head !== 'object' || head === null) refuse(name, 'its header is not an object');
  /** @type {Record<string, string>} */
  const meta = Object.create(null);
  /** @type {Record<string, Entry>} */
  const entries = Object.create(null);
  for (const [key, value] of Object.entries(head)) {
    if (key === '__metadata__') {
      for (const [k, v] of Object.entries(value || {})) meta[k] = String(v);
    } else {
      entries[key] = readEntry(name, key, value, data, size);
    }
  }
  let expected = data;
  for (const e of Object.values(entries).sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (e.begin !== expected) refuse(name, 'its tensors have gaps or overlap');
    expected = e.end;
  }
  if (expected !== size) refuse(name, `${size} bytes, but its header describes ${expected}`);
  return {meta, entries};
}

/**
 * @param {string} name @param {string} key @param {any} value @param {number} data
 * @param {number} size @returns {Entry}
 */
function readEntry(name, key, value, data, size) {
  const {dtype, shape, data_offsets: span} = value || {};
  const bytes = elementBytes[dtype];
  if (!bytes) refuse(name, `tensor ${key} has a type that is not known`);
  /** @type {(x: unknown) => boolean} */
  const whole = (x) => Number.isSafeInteger(x) && Number(x) >= 0;
  if (!Array.isArray(shape) || shape.length > 8 || !shape.every(whole) || !Array.isArray(span) ||
      span.length !== 2 || !span.every(whole)) {
    refuse(name, `tensor ${key} has no proper shape or place`);
  }
  const needed = shape.reduce((a, b) => a * b, bytes);
  if (span[1] - span[0] !== needed || data + span[1] > size) {
    refuse(name, `tensor ${key} does not fit its shape or the file`);
  }
  return {dtype, shape, begin: data + span[0], end: data + span[1]};
}

/** @param {ArrayBuffer} buffer @param {string} dtype @param {number} begin @param {number} end */
function view(buffer, dtype, begin, end) {
  const align = dtype === 'U64' ? 4 : elementBytes[dtype];
  const raw = begin % align ? buffer.slice(begin, end) : buffer;
  const from = raw === buffer ? begin : 0;
  const n = end - begin;
  if (dtype === 'U8') return new Uint8Array(raw, from, n);
  if (dtype === 'U16') return new Uint16Array(raw, from, n / 2);
  if (dtype === 'F32') return new Float32Array(raw, from, n / 4);
  if (dtype === 'F64') return Float32Array.from(new Float64Array(raw, from, n / 8));
  return new Uint32Array(raw, from, n / 4);
}

/** @param {string} name @param {number} size @param {Uint8Array} start its first 8 bytes */
function headerLength(name, size, start) {
  if (size < 8) refuse(name, 'too short for a container');
  if (new TextDecoder().decode(start.subarray(0, 8)) === 'sightprt') {
    refuse(name, 'unfinished: the run that writes it has not ended');
  }
  const v = new DataView(start.buffer, start.byteOffset, 8);
  const n = v.getUint32(0, true);
  if (v.getUint32(4, true) || n > longestHeader || n + 8 > size) refuse(name, 'not a container');
  return n;
}

/** @param {Container} c @returns {string} */
function kindOf(c) {
  if (c.meta['sightline.file']) return c.meta['sightline.file'];
  if (c.entries['point.position']) return 'points';
  if (c.entries['area.offsets']) return 'areas';
  if (c.entries.origin) return 'rays';
  return 'scene';
}

/** @param {string} name @param {ArrayBuffer} buffer @returns {Container} */
export function openBuffer(name, buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes[0] === 0x93 && bytes[1] === 0x4e) return openArray(name, buffer);
  const n = headerLength(name, buffer.byteLength, bytes);
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + n));
  const {meta, entries} = readHeader(name, text, 8 + n, buffer.byteLength);
  /** @type {Container} */
  const c = {name, kind: '', meta, entries, tensors: Object.create(null), file: null};
  for (const [key, e] of Object.entries(entries)) {
    c.tensors[key] = {dtype: e.dtype === 'F64' ? 'F32' : e.dtype, shape: e.shape,
      data: view(buffer, e.dtype, e.begin, e.end)};
  }
  c.kind = kindOf(c);
  return c;
}

/**
 * Points of an .npy file.
 * @param {string} name @param {ArrayBuffer} buffer @returns {Container}
 */
function openArray(name, buffer) {
  const v = new DataView(buffer);
  if (buffer.byteLength < 12) refuse(name, 'too short for an .npy file');
  const long = v.getUint8(6) > 1;
  const n = long ? v.getUint32(8, true) : v.getUint16(8, true);
  const data = (long ? 12 : 10) + n;
  if (data > buffer.byteLength) refuse(name, 'its header is longer than the file');
  const head = new TextDecoder().decode(new Uint8Array(buffer, data - n, n));
  const dtype = /'descr':\s*'<f(4|8)'/.exec(head);
  const shape = /'shape':\s*\((\d+),\s*3\)/.exec(head);
  if (!dtype || !shape || /'fortran_order':\s*True/.test(head)) {
    return refuse(name, 'points are F32 [n,3] in C order');
  }
  const type = dtype[1] === '4' ? 'F32' : 'F64';
  if (data + Number(shape[1]) * 3 * elementBytes[type] !== buffer.byteLength) {
    refuse(name, 'its shape does not fit its size');
  }
  const entry = {dtype: 'F32', shape: [Number(shape[1]), 3], begin: data, end: buffer.byteLength};
  return {name, kind: 'points', meta: {}, entries: {'point.position': entry}, file: null,
    tensors: {'point.position': {...entry, data: view(buffer, type, data, buffer.byteLength)}}};
}

/**
 * A file that the reader dropped. Of large matrices the header alone is read.
 * @param {File} file @returns {Promise<Container>}
 */
export async function openFile(file) {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const array = start[0] === 0x93 && start[1] === 0x4e;
  if (!array && file.size > 64 * 2 ** 20) {
    const n = headerLength(file.name, file.size, start);
    const text = await file.slice(8, 8 + n).text();
    const {meta, entries} = readHeader(file.name, text, 8 + n, file.size);
    if (meta['sightline.file'] === 'visibility') {
      return ofTheseAnswers({name: file.name, kind: 'visibility', meta, entries,
        tensors: Object.create(null), file});
    }
  }
  if (file.size > longestFile) {
    refuse(file.name, `${file.size} bytes are more than this page reads, ${longestFile}`);
  }
  return ofTheseAnswers(openBuffer(file.name, await file.arrayBuffer()));
}

/** @param {Container} c */
function ofTheseAnswers(c) {
  const [its, own] = [c.meta['sightline.answers'], document.body.dataset.answers];
  if (its && its !== own) {
    refuse(c.name, `holds answers of version ${its}, and this page those of version ${own}`);
  }
  return c;
}

/**
 * The bytes of a block of the page: base64, of zlib's format.
 * @param {HTMLElement} block
 */
async function bytesOfBlock(block) {
  const raw = atob((block.textContent || '').trim());
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  if (block.dataset.encoding !== 'deflate') return bytes.buffer;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

/**
 * A file that the page holds.
 * @param {HTMLElement} block
 */
export async function openBlock(block) {
  const name = block.dataset.file || 'data';
  /** @type {ArrayBuffer} */
  let data;
  try {
    data = await bytesOfBlock(block);
  } catch {
    return refuse(name, 'its data in this page are damaged: make the page again');
  }
  return openBuffer(name, data);
}

/**
 * A tensor that must have this type and shape; null stands for any length.
 * @param {Container} c @param {string} key @param {string} dtype @param {(number | null)[]} shape
 * @returns {Numbers}
 */
export function tensor(c, key, dtype, shape) {
  const t = c.tensors[key];
  if (!t) return refuse(c.name, `tensor ${key} is missing`);
  const fits = t.dtype === dtype && t.shape.length === shape.length &&
    t.shape.every((n, k) => shape[k] === null || shape[k] === n);
  if (!fits) {
    const wanted = shape.map((n) => n === null ? 'n' : n).join(',');
    refuse(c.name, `${key} is ${t.dtype} [${t.shape.join(',')}], not ${dtype} [${wanted}]`);
  }
  return t.data;
}

/**
 * The same as numbers of binary32.
 * @param {Container} c @param {string} key @param {(number | null)[]} shape
 */
export const floats = (c, key, shape) =>
  /** @type {Float32Array} */ (tensor(c, key, 'F32', shape));

/** @param {Container} c @param {string} key @param {(number | null)[]} shape */
export const words = (c, key, shape) => /** @type {Uint32Array} */ (tensor(c, key, 'U32', shape));

/** @param {Container} c @param {string} key @param {(number | null)[]} shape */
export const bytesOf = (c, key, shape) => /** @type {Uint8Array} */ (tensor(c, key, 'U8', shape));

/**
 * Bits, as bytes.
 * @param {Container} c @param {string} key @param {(number | null)[]} shape
 */
export function bitsOf(c, key, shape) {
  const t = tensor(c, key, 'U64', shape);
  return new Uint8Array(t.buffer, t.byteOffset, t.byteLength);
}

/**
 * Offsets, as numbers: ascending, from 0 to `end`.
 * @param {Container} c @param {string} key @param {number} end @returns {Float64Array}
 */
export function offsetsOf(c, key, end) {
  const t = tensor(c, key, 'U64', [null]);
  const out = new Float64Array(t.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = t[2 * i] + t[2 * i + 1] * 2 ** 32;
  for (let i = 1; i < out.length; i++) {
    if (out[i] < out[i - 1]) refuse(c.name, `${key} do not ascend`);
  }
  if (out.length < 1 || out[0] !== 0 || out[out.length - 1] !== end) {
    refuse(c.name, `${key} do not end at ${end}`);
  }
  return out;
}

/**
 * A whole number of the metadata.
 * @param {Container} c @param {string} key
 */
export function countOf(c, key) {
  const n = Number(c.meta[key]);
  if (!(key in c.meta) || !Number.isSafeInteger(n) || n < 0) refuse(c.name, `${key} is no count`);
  return n;
}

/**
 * The hashes that the program gave this file.
 * @param {Container} c
 */
export const hashesOf = (c) => (c.meta['view.hash'] || '').split(' ').filter(Boolean);

/**
 * What a shape or point is called: the line of `names` that its label is the number of.
 * @param {Container} c @param {string[]} keys columns of labels, one after the other @param
 * {number[]} counts @returns {(i: number) => string}
 */
export function namesOf(c, keys, counts) {
  const lines = 'names' in c.meta ? c.meta.names.split('\n') : [];
  /** @type {(Numbers | null)[]} */
  const columns = keys.map((k, i) => c.tensors[k] ? tensor(c, k, 'U64', [counts[i]]) : null);
  return (i) => {
    let k = 0;
    while (k < counts.length && i >= counts[k]) i -= counts[k++];
    const column = columns[k];
    if (!column) return '';
    const label = column[2 * i] + column[2 * i + 1] * 2 ** 32;
    return lines[label - 1] || (label ? `label ${label}` : '');
  };
}
