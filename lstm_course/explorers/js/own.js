// The user's own titles and model in the reader. A model is a page or a script of weights.py, whose
// content is parsed as JSON and never run. Titles are the lines of a text.

const FORMAT = 1; // as in weights.py
const MOST_BYTES = 100e6, MOST_TITLES = 100_000, LONGEST_LINE = 100_000; // bytes, lines, letters
const AT_ONCE = 30; // milliseconds of reading titles between pauses in which the page handles input
const CONTENT = "(self.lstm_edu ??= {})[", A_PAGE = /\.(html?|js|json)$/i;
const WRITE = "“python -m lstm_course page MODEL” writes a model’s page";
const ENDS = RegExp(`^${SPACE.source}|${SPACE.source}$`, "g");

// Return the titles or the model in a file, or throw an error that says why there are none.
/** @type {(file: File) => Promise<{titles?: string[], model?: Model}>} */
async function contentOf(file) {
  if (!file.size) throw Error("is empty.");
  if (file.size > MOST_BYTES) throw Error(`is too large: it has more than ${MOST_BYTES / 1e6} megabytes.`);
  const lines = textIn(await file.arrayBuffer()).split(/\r\n?|\n/);
  if (A_PAGE.test(file.name)) return modelIn(lines.filter((line) => line.startsWith(CONTENT)));
  const titles = lines.map((line) => line.replace(ENDS, "")).filter(Boolean); // like Python's strip()
  if (!titles.length) throw Error("has only blank lines.");
  if (titles.length > MOST_TITLES) throw Error(`has too many titles: ${many(titles.length)}; at most ${many(MOST_TITLES)} are read.`);
  const long = titles.find(({ length }) => length > LONGEST_LINE);
  if (long) throw Error(`has a title of ${many(long.length)} letters; at most ${many(LONGEST_LINE)} are read.`);
  return { titles };
}

/** @type {(bytes: ArrayBuffer) => string} */
function textIn(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {} // the bytes aren't UTF-8
  throw Error(`is not text. Save titles as UTF-8; ${WRITE}.`);
}

/** @type {(content: string[]) => {titles?: string[], model: Model}} */
function modelIn(content) {
  let format, model, titles;
  try {
    const parts = content.map((line) => JSON.parse(line.slice(line.indexOf("] = ") + 4, line.lastIndexOf(";"))));
    const packed = parts.find((one) => one?.trigrams !== undefined);
    titles = parts.find(Array.isArray)?.map((title) => title.replace(ENDS, ""));
    ({ format } = packed);
    model = format === FORMAT && drawable(packed);
  } catch {
    throw Error(`has no model, or is damaged; ${WRITE}.`);
  }
  if (!model) throw Error(`is of another version (${Number(format) || 0}, not ${FORMAT}). Write it again with this course’s “python -m lstm_course page MODEL”.`);
  return titles ? { model, titles } : { model };
}

// Unpack a model, and throw an error if the reader can't draw it.
/** @type {(packed: any) => Model} */
function drawable({ means, vectors, ...packed }) {
  const model = Object.hasOwn(STEPS, packed.cell) && unpacked(packed), { size, column, states, gates, drawn } = model;
  const isRight = ["query", "document"].every((side) =>
    Object.entries(model[side]).every(([name, w]) => {
      const data = w.data ?? w, rows = name.startsWith("Wrec") ? size : column.size;
      return (!w.data || data.length === rows * w.width) && data.every(Number.isFinite);
    }),
  );
  const { values } = look(model, { query: "a b", title: "a", t: null, s: null }).query;
  const isNamed = Object.entries(values).every(([name, of]) => typeof states[name] === "string" && of[1].every(Number.isFinite));
  if (!isRight || !isNamed || !drawn.length || ![...gates, ...drawn].every((name) => name in values)) throw Error();
  return { ...model, name: `${model.name}` };
}

// Let the model read all titles, a few at a time; return a copy that can search them, or null if
// stopped.
/** @type {(model: Model, titles: string[], isStopped: (done: number) => boolean) => Promise<Model | null>} */
async function searching(model, titles, isStopped) {
  const { size } = model, vectors = new Float64Array(titles.length * size), met = new Map();
  let due = 0;
  for (const [k, title] of titles.entries()) {
    if (performance.now() > due) {
      if (isStopped(k)) return null;
      await new Promise((next) => setTimeout(next));
      due = performance.now() + AT_ONCE;
    }
    if (!met.has(title)) met.set(title, embeddingOf(model, title));
    vectors.set(met.get(title), k * size);
  }
  const lengths = Float64Array.from(titles, (title) => Math.hypot(...met.get(title)) || 1);
  return isStopped(titles.length) ? null : { ...model, vectors, lengths, met };
}

// Make the part of the reader in which files are chosen; files may also be dropped on `root`.
/** @type {(root: Element, id: string, source: Source, changed: () => void) => Element} */
function ownPart(root, id, source, changed) {
  /** @type {{model?: [Model, string], titles?: [string[], string]}} */
  let chosen = {}; // the user's model and titles, each with its file's name
  let turn = 0; // number of requests; a new one stops the reading of older titles
  const summary = element("summary"), said = element("p", { role: "status" }), bar = element("progress", { "aria-label": "titles read" });
  const file = element("input", { id: `${id}-file`, type: "file", multiple: "" });
  const pasted = element("textarea", { id: `${id}-pasted`, rows: 4, dir: "auto", spellcheck: "false" });
  const back = ["titles", "model"].map((what) => button(`Back to ${source.whose} ${what}`, () => chosen[what] && use({ ...chosen, [what]: undefined })));
  const details = element(
    "details",
    {},
    summary,
    element("p", {}, "A text file with a title on each line, or the page of a model: drop it on this reader, or choose it here. Nothing leaves this machine, and a reload forgets it."),
    element("div", { class: "reader-field" }, element("label", { for: file.id }, "your file"), file),
    element("div", { class: "reader-field" }, element("label", { for: pasted.id }, "or paste titles, one per line"), pasted),
    element("div", { class: "reader-bar" }, button("Use these titles", () => take([new File([pasted.value], "titles.txt")])), ...back),
    bar,
    said,
  );

  /** @type {(files: Iterable<File>) => Promise<void>} */
  async function take(files) {
    details.open = true;
    for (const one of files) {
      try {
        const found = Object.entries(await contentOf(one)).map(([what, value]) => [what, [value, one.name]]);
        await use({ ...chosen, ...Object.fromEntries(found) });
      } catch (error) {
        tell(`${one.name} ${error.message}`);
      }
    }
  }

  /** @type {(next: typeof chosen) => Promise<void>} */
  async function use(next) {
    const mine = ++turn, course = await source.course();
    const [model, modelFrom] = next.model ?? [course.model], [titles, titlesFrom] = next.titles ?? [course.titles];
    /** @type {(done: number) => boolean} */
    const isStopped = (done) => {
      Object.assign(bar, { hidden: false, max: titles.length, value: done });
      return mine !== turn;
    };
    tell("Reading …");
    const isOwn = modelFrom || titlesFrom, found = isOwn && titles ? await searching(model, titles, isStopped) : model;
    if (!found) return;
    chosen = next;
    source.own = isOwn ? { model: found, titles, modelFrom, titlesFrom } : null;
    tell(`${model.name}, ${titles ? many(titles.length) : "no"} titles: ready.`);
    changed();
  }

  /** @type {(text: string) => void} */
  function tell(text) {
    said.textContent = text;
    bar.hidden = true;
    const names = Object.values(chosen).flatMap((one) => one?.[1] ?? []);
    summary.textContent = ["Your own titles or model", ...new Set(names)].join(", ").replace(",", ":");
    back.forEach((one, k) => one.setAttribute("aria-disabled", !chosen[["titles", "model"][k]]));
  }

  // otherwise the same file couldn't be chosen again
  file.addEventListener("click", () => (file.value = ""));
  file.addEventListener("change", () => take([...file.files]));
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    const { files } = /** @type {DragEvent} */ (event).dataTransfer;
    if (!files.length) return; // the user has dropped text, which goes into a field
    event.preventDefault();
    take([...files]);
  });
  tell("");
  return details;
}
