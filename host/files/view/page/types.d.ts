// Types that the modules of the page share. For the checker alone: the page does not hold them.

type Vector = number[];
type Colour = number[];
interface Box { min: Vector; max: Vector }
type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** A tensor of a container; one of U64 is held as pairs of U32, the low one first. */
interface Tensor { dtype: string; shape: number[]; data: Numbers }

/** What the header says of a tensor; offsets count from the file's first byte. */
interface Entry { dtype: string; shape: number[]; begin: number; end: number }

interface Container {
  name: string;
  kind: string;
  meta: Record<string, string>;
  entries: Record<string, Entry>;
  tensors: Record<string, Tensor>;
  /** The file itself, where it is too large to be read whole. */
  file: Blob | null;
}

/** Instances of one mesh, sorted into chunks: a floats each, in the buffer one after the other. */
interface Instances {
  mesh: 'box' | 'round' | 'cylinder' | 'triangle' | 'plane';
  count: number;
  stride: number;
  data: Float32Array;
  /** Ids of the shapes, in the order of the instances. */
  ids: Uint32Array;
  chunks: Chunk[];
  tilted: boolean;
  table: WebGLTexture | null;
  tints: WebGLTexture | null;
}

/** Instances near each other, the largest first. */
interface Chunk { first: number; count: number; center: Vector; radius: number; sizes: Float32Array }

interface Scene {
  name: string;
  hashes: string[];
  meta: Record<string, string>;
  count: number;
  kinds: { kind: string; first: number; count: number }[];
  instances: Instances[];
  box: Box;
  label: (id: number) => string;
  group: Uint32Array;
  /** Of query shapes: what a result says of each. */
  note: ((id: number) => string) | null;
  layer: string;
}

interface Column {
  key: string;
  name: string;
  set: PointSet;
  data: ArrayLike<number>;
  percent?: boolean;
  /** Of classes: the name of each; absent for numbers. */
  classes?: (value: number) => string;
  colours?: (value: number) => Colour;
  min: number;
  max: number;
}

interface PointSet {
  name: string;
  hashes: string[];
  count: number;
  position: Float32Array;
  /** How high results raise the points. */
  raised: number;
  area: Uint32Array | null;
  label: (i: number) => string;
  spacing: number;
  box: Box;
  layer: string;
  /** Drawn as small discs. */
  dots: boolean;
  colours: Uint8Array;
  /** Tables of the graphics card. */
  places: WebGLTexture | null;
  shades: WebGLTexture | null;
}

/** A point of a set. */
interface Place { set: PointSet; index: number }

interface Visibility {
  name: string;
  from: PointSet;
  to: PointSet;
  rowBytes: number;
  bits: Uint8Array | null;
  /** Where the rows of a sample stand in bits. */
  rows: Map<number, number> | null;
  seenBy: Uint32Array | null;
  sees: Uint32Array;
  file: Blob | null;
  fileBegin: number;
  meta: Record<string, string>;
  fetched: Map<number, Uint8Array>;
}

interface Lines { vao: WebGLVertexArrayObject; buffers: WebGLBuffer[]; count: number }

interface View {
  matrix: Float32Array;
  eye: Vector;
  right: Vector;
  above: Vector;
  back: Vector;
  scale: number;
  planes: number[][];
}

/** A line of the legend: colour, what it means, how many. */
type KeyLine = [Colour, string, string];

interface Picked { point: number; set: PointSet | null; shape: number; scene: Scene | null;
  area: number; place: Vector | null; t: number }

declare class DecompressionStream {
  constructor(format: string);
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}
