// Types that the scripts share, for a type checker; no page loads them.

type Numbers = number[] | Float64Array | Float32Array;
type Floats = Float32Array | Float64Array;
// rows of `width` numbers, of which `size` numbers from `start` on belong to the matrix
interface Matrix { data: Float64Array; width: number; start: number; size: number }
type Params = Record<string, any>; // W1, Wrec1 … are Matrix; b1, Wp1 … Float64Array or missing
type State = Record<string, Float64Array>; // a cell's state at a word: y, and for an LSTM c, i, f, o, yg
type Counts = Map<number, number>; // l: the count of each letter trigram, by its column
type Step = (p: Params, l: Counts, state: State, held?: State) => State;
interface Packed { int8?: string; scale?: string; float32?: string }
// a model packed by weights.py, and unpacked
interface Facts {
  name: string; cell: "RNN" | "LSTM"; size: number; states: Record<string, string>;
  gates: string[]; drawn: string[]; means?: Record<string, number[]>; max_words?: number;
}
interface PackedModel extends Facts {
  trigrams: string; query: Record<string, Packed>; document: Record<string, Packed>; vectors?: any;
}
interface Model extends Facts {
  step: Step; met: Map<string, Numbers>; column: Map<string, number>;
  query: Params; document: Params; vectors?: any; lengths?: any; [side: string]: any;
}

// the reader's data for one text, and for a query and a title (looking.js)
type Side = string; // "query" or "document"
interface SideSeen {
  words: string[]; n_words: number; at: number; known: boolean[]; values: Record<string, Numbers[]>;
  active: number[]; counts: (number | null)[][]; keywords: boolean[]; trigrams: string[];
  trigrams_known: boolean[]; within: Record<string, Numbers[]>; cosines: (number | null)[];
}
type Ranked = any[][]; // [cosine, title], best first
interface Seen {
  name: string; states: Record<string, string>; gates: string[]; drawn: string[];
  query: SideSeen; document: SideSeen; best: Ranked | null; [side: string]: any;
}
interface Asked { query: string; title: string; t: number | null; s: number | null; hold?: string; within?: number }
interface ReaderState extends Asked { compare: string; swap: string; side: Side; map: string; range: string; hold: string; [name: string]: any }
type Wanted = [Asked, string][];
interface Source {
  models: Record<string, string>; names: string[]; look: (wanted: Wanted) => Seen[] | Promise<Seen[]>;
  // in a page: the user's model and titles; "the course's" or "this page's", to name the page's own
  // ones; a function that loads the page's own ones; the names of the files in use
  own?: { model: Model; titles: string[]; modelFrom?: string; titlesFrom?: string } | null; whose?: string; scripts?: string[];
  course?: () => Promise<{ model: Model; titles: string[] }>;
  files?: () => { models: Record<string, string>; titles?: string };
}
interface Option { value: any; text: string; label?: string | null; class?: string }

// an arrow of follow.js: from, to, the factor's name, the factor, whether it is omitted
type Arrow = [string, string, string, number, string?];
interface Checked { name: string; found: number; right: number; wrong: boolean }
interface Part { root: Element; start: () => void; draw: () => void; lines: () => string }
interface Layout {
  places: Record<string, number[]>; error: Record<string, number>; at: (name: string) => number[];
  sharesOf: (box: string) => string[]; halfOf: (name: string) => number; size: number[];
}

// rows of Table IV and their difference (rows.js), descent paths and their settings (race.js)
interface SetOfRows { rows: Record<string, { by_query: Uint16Array; trainings: number }>; between: number }
interface Apart { mean: number; low?: number; high?: number; n?: number; better?: number; worse?: number }
interface Way { path: number[][]; looked: number[][] }
interface Racing { start: number[]; mu: number; epsilon: number; k: number }

// weights, minibatches (log.js), and the worker's results for a training run (training.js)
type Weights = Record<string, Floats>;
interface Batch { starts: number[]; token: number[]; words: (Int32Array | number[])[]; touched?: Map<number, number> }
interface Examples { query: Batch; document: Batch; pairs: { query: number[]; clicked: number[]; unclicked: number[][] } }
interface Told { id: number; pairs: number; updates: number; seconds: number; cost: number | null; guess: number | null; ndcg: number; [more: string]: any }
interface Run { id: number; seed: number; chosen: Record<string, string>; told: Told[]; isOver: boolean }

declare const WORKER: string;
declare const Reveal: any, RevealNotes: any, MathJax: any;
interface Window { lstm_edu: any; MathJax: any }
// all elements of these pages are HTML or SVG
interface Element {
  place?: any; style: CSSStyleDeclaration; readonly dataset: DOMStringMap; tabIndex: number; hidden: boolean;
  offsetLeft: number; offsetWidth: number; focus(options?: FocusOptions): void; blur(): void;
  setAttribute(name: string, value: any): void;
}
interface EventTarget { closest(selector: string): Element | null }
interface ChildNode { checked?: boolean }
