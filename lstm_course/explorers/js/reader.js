// The reader, a figure of a model that reads: the user types texts, steps through words and points
// at cells, and the reader draws the model's states. A source computes the numbers: the page
// (page.js), or a Jupyter kernel (widget.js).
//
// A source has `models`, a map from the models' names to their captions; `names`, the name of the
// main model, then those to compare; and look([[asked, name], …]), which returns a list of results
// like looking.js's, or a promise of it.

const QUIET = 400; // milliseconds without a change after which a screen reader announces the state
const HINT = "Point at a cell, or step through the map with the arrow keys, to see its values.";
/** @type {Record<Side, string>} */
const WHAT = { query: "query", document: "title" }, TIME = { query: "t", document: "s" };
// what a click on a word of the query does, by kind of comparison; in other comparisons, it makes
// the model read the query up to the word
/** @type {Record<string, string>} */
const DOES = { swap: "swap", order: "all read" };
/** @type {ReaderState} */
const START = {
  query: "", title: "", t: null, s: null, compare: "", swap: "", side: "query", map: "c", range: "full", hold: "",
};
let readers = 0;

// Make a reader in the element `root`. `first` is the first picture's data, if known already.
// `drawn` is called after each picture. With `whole`, folded parts are drawn even while they are
// closed. A `guided` reader has a tour. `measured` is a sentence about the measured effect of a
// fixed gate; without it, gates can't be fixed. If `open` is "hold", the part that fixes gates is
// open at first.
/** @type {(root: Element, source: Source, start: object, options?: {first?: Seen[] | null, drawn?: (state: ReaderState) => void, whole?: boolean, guided?: boolean, measured?: string | null, open?: string}) => {state: ReaderState, to: (part: object) => void}} */
function reader(root, source, start, { first = null, drawn = () => {}, whole = false, guided = false, measured = null, open = "" } = {}) {
  /** @type {ReaderState} */
  const state = { ...START, ...start };
  /** @type {{cell: number | null, word: number | null}} */
  const chosen = { cell: null, word: null }; // cell and word under the pointer
  let mapped = "y"; // the state in the map
  const id = `reader-${readers++}`;
  let asked = 0;
  /** @type {Seen[]} */
  let seen = [];
  /** @type {Seen | null} */
  let free = null; // the figure's data without fixed gates

  // ---- the user's input
  /** @type {(name: string, label: string) => {input: HTMLInputElement, named: Element, both: Element}} */
  const field = (name, label) => {
    const input = element("input", { id: `${id}-${name}`, type: "text", dir: "auto", autocomplete: "off", spellcheck: "false" });
    input.value = state[name];
    input.addEventListener("input", () => {
      if (name === "query") state.t = null; // read up to the last word again
      if (name === "title") state.s = null;
      to({ [name]: input.value });
    });
    const named = element("label", { for: input.id }, label);
    return { input, named, both: element("div", { class: `reader-field ${name}` }, named, input) };
  };
  /** @type {Record<string, {input: HTMLInputElement, named: Element, both: Element}>} */
  const fields = { query: field("query", "query"), title: field("title", "title"), swap: field("swap", "swap") };
  const beside = element("select", { id: `${id}-compare` }, element("option", { value: "" }, "nothing"));
  beside.append(
    element("option", { value: "swap" }, "the query with a word swapped"),
    element("option", { value: "order" }, "the query from back to front"),
    ...source.names.slice(1).map((name) => element("option", { value: name }, source.models[name])),
  );
  beside.addEventListener("change", () => to({ compare: beside.value }));
  const besides = element("div", { class: "reader-field" }, element("label", { for: beside.id }, "beside it, or swap a word"), beside);

  // ---- the drawing
  const said = element("p", { class: "reader-said" });
  // a short text for screen readers, updated when typing pauses
  const heard = element("p", { class: "reader-heard", role: "status" });
  /** @type {number} */
  let quiet;
  /** @type {(text: string) => void} */
  const tell = (text) => {
    clearTimeout(quiet);
    quiet = setTimeout(() => (heard.textContent = text), QUIET);
  };
  /** @type {Record<Side, any>} */
  const heads = { query: head("query"), document: head("document") };
  const tabs = choice("map", (map) => to({ map }));
  const ranges = choice("range", (range) => to({ range }));
  const scale = element("p", { class: "reader-scale" });
  // a screen reader passes arrow keys on to the role "application"
  const maps = element("div", { class: "reader-maps", role: "application", tabindex: "0" });
  const values = element("p", { class: "reader-values" });
  const cosines = element("div", { class: "reader-cosines" });
  const best = titleList((title) => to({ title, s: null }));
  const within = folded(drawWithin), tables = folded(drawTables);
  const panel = measured ? holdPanel((hold) => to({ hold }), measured) : null;
  const holds = folded((box) => box.firstChild ?? box.append(panel.root));
  holds.root.className = "reader-hold";
  holds.summary.textContent = "Hold a gate still";
  holds.root.open = open === "hold" || state.hold !== "";
  const guide = guided && tour((part, text) => (to(part), text && tell(text)), { ...START, ...start });
  // only a page loads the user's files; a notebook passes its own model and titles to explore
  const own = source.files && ownPart(root, id, source, () => to({ hold: source.own?.modelFrom ? "" : state.hold }));
  const python = source.files && pythonPart(linesOfPython, source.scripts);
  maps.addEventListener("keydown", onKey);
  maps.addEventListener("pointermove", pointed);
  maps.addEventListener("click", clicked);
  maps.addEventListener("pointerleave", () => choose(null, null));
  root.classList.add("mathjax_ignore", "tex2jax_ignore"); // don't parse typed texts as formulas
  root.replaceChildren(
    ...(guide ? [guide] : []),
    element("div", { class: "reader-asked" }, fields.query.both, fields.title.both, besides, fields.swap.both),
    said,
    heard,
    element(
      "div",
      { class: "reader-readings" },
      element(
        "div",
        { class: "reader-panel" },
        heads.query.root,
        heads.document.root,
        element("div", { class: "reader-bar" }, tabs.root, ranges.root, "range", scale),
        element("div", { class: "reader-drawn" }, maps, cosines),
        values,
      ),
      ...(panel ? [holds.root] : []),
      best.root,
    ),
    element("div", { class: "reader-folded" }, within.root, tables.root, ...(own ? [own, python.root] : [])),
  );

  // Make buttons for the words of the query or of the title, and for the previous and next word.
  /** @type {(side: Side) => any} */
  function head(side) {
    const what = WHAT[side], does = element("span", { class: "reader-does" }), where = element("span");
    const name = element("strong", { class: side }, what, does);
    /** @type {(text: string, label: string, by: number) => HTMLButtonElement} */
    const button = (text, label, by) => {
      const made = element("button", { type: "button", "aria-label": `one word ${label} in the ${what}` }, text);
      made.addEventListener("click", () => step(side, by));
      return made;
    };
    const back = button("◀", "back", -1), next = button("▶", "on", 1);
    const words = choice(`word of the ${what}`, (at) => to({ [TIME[side]]: at, side }));
    words.root.classList.add("reader-words");
    words.root.tabIndex = -1; // Firefox would add a tab stop, because the row scrolls
    return { root: element("div", { class: "reader-head" }, name, back, words.root, next, where), back, next, words, where, does };
  }

  // Make a folded part, which is drawn only while it is open, unless `whole`.
  /** @type {(fill: (box: Element) => void) => {root: HTMLDetailsElement, summary: Element, show: () => void}} */
  function folded(fill) {
    const summary = element("summary"), inside = element("div", { class: "reader-inside" });
    const details = element("details", {}, summary, inside);
    const show = () => (details.open || whole) && seen.length && fill(inside);
    details.addEventListener("toggle", show);
    return { root: details, summary, show };
  }

  // ---- changes
  /** @type {(part: any) => void} */
  function to(part) {
    Object.assign(state, part);
    if (part.hold) holds.root.open = true;
    if (state.compare === "swap" || state.compare === "order") state.side = part.side === "document" ? "document" : "query";
    for (const [name, { input }] of Object.entries(fields)) if (input.value !== state[name]) input.value = state[name];
    beside.value = state.compare;
    update();
  }

  /** @type {(side: Side, by: number) => void} */
  function step(side, by) {
    const { words } = seen[0][side];
    if (!words.length) return;
    to({ [TIME[side]]: Math.max(0, Math.min(words.length - 1, framedIn(side) + by)), side });
  }

  // Return the index of a text's framed word: the last word read, or the swapped word.
  /** @type {(side: Side) => number} */
  const framedIn = (side) =>
    side === "query" && state.compare === "swap" ? swapped(seen[0].query.words.length) : seen[0][side].at;
  /** @type {(n: number) => number} */
  const swapped = (n) => Math.min(state.t ?? Infinity, n - 1);
  const isChange = () => seen.length > 1 && seen[0].query.words.join() !== seen[1].query.words.join();

  /** @type {(event: KeyboardEvent) => void} */
  function onKey(event) {
    const now = seen[0]?.[state.side];
    if (!now?.words.length || event.ctrlKey || event.altKey || event.metaKey) return;
    const n = now.values[mapped][0].length, { cell } = chosen, { side } = state;
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowLeft: () => step(side, -1),
      ArrowRight: () => step(side, 1),
      Home: () => step(side, -Infinity),
      End: () => step(side, Infinity),
      ArrowUp: () => choose(cell === null ? n - 1 : (cell + n - 1) % n, null),
      ArrowDown: () => choose(cell === null ? 0 : (cell + 1) % n, null),
      Escape: () => choose(null, null),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  // Return the cell and the column of a map at an event's position.
  /** @type {(event: MouseEvent) => {column: number, cell: number | null} | null} */
  function placeOf(event) {
    const map = event.target.closest("svg");
    if (!map?.place) return null;
    const { left, top, width } = map.getBoundingClientRect(), { place } = map;
    const scale = width / Number(map.getAttribute("width")); // a slide may be scaled
    const column = Math.floor(((event.clientX - left) / scale - place.left) / place.width);
    const cell = Math.floor(((event.clientY - top) / scale - place.top) / place.height);
    const inside = column >= 0 && column < place.columns && cell >= 0;
    return inside ? { column, cell: cell < place.n ? cell : null } : null;
  }

  /** @type {(event: MouseEvent) => void} */
  function pointed(event) {
    const place = placeOf(event);
    choose(place && place.cell, place && place.column);
  }

  /** @type {(event: MouseEvent) => void} */
  function clicked(event) {
    const place = placeOf(event);
    if (place) to({ [TIME[state.side]]: place.column });
  }

  // Frame the row of the cell under the pointer, if any, and write its values.
  /** @type {(cell: number | null, word: number | null) => void} */
  function choose(cell, word) {
    Object.assign(chosen, { cell, word });
    pointOut();
    if (cell !== null) tell(values.textContent);
  }

  function pointOut() {
    const now = seen[0][state.side], is = chosen.cell !== null && now.words.length > 0;
    const cell = is && chosen.cell < now.values[mapped][0].length ? chosen.cell : null;
    for (const map of maps.querySelectorAll("svg")) {
      const row = map.querySelector(".row");
      row.style.visibility = cell === null ? "hidden" : "visible";
      row.setAttribute("y", map.place.top + (cell ?? 0) * map.place.height);
    }
    const t = Math.min(chosen.word ?? framedIn(state.side), now.words.length - 1);
    const other = isChange() ? seen[1][state.side] : null;
    /** @type {(of: (one: SideSeen) => string) => string} */
    const both = (of) => (other?.values.y[t] ? `${of(now)} → ${of(other)}` : of(now));
    const word = cell === null ? "" : cutShort(now.words[t]);
    const shown = seen[0].drawn.filter((name) => cell < now.values[name]?.[t].length); // attention weights have fewer rows
    const asks = mapped === "a" && now.values.a?.[0].length === now.words.length; // one attention weight per word
    values.textContent =
      cell === null
        ? now.words.length ? HINT : ""
        : asks ? `“${word}” looks at “${cutShort(now.words[cell])}”: ${number(now.values.a[t][cell], 3)}`
        : `cell ${cell} at “${other && other.words[t] !== now.words[t] ? both((one) => cutShort(one.words[t])) : word}”: ` +
          shown.map((name) => `${name} = ${both((one) => number(one.values[name][t][cell] ?? 0, 3))}`).join(", ");
  }

  // ---- from the input to the figure
  /** @type {() => Wanted} */
  function comparison() {
    const { query, title, t, s, hold, compare } = state, first = source.names[0];
    const words = query.trim().split(/\s+/), at = swapped(Math.min(words.length, MANY));
    /** @type {Asked} */
    const now = { query, title, t: compare in DOES ? null : t, s, hold };
    if (compare === "swap") now.within = at;
    /** @type {(other: string[]) => Wanted} */
    const with_ = (other) => [[now, first], [{ ...now, query: other.join(" ") }, first]];
    if (compare === "order" && words.length > 1) return with_(words.slice().reverse());
    if (compare === "swap" && words[0] && state.swap.trim())
      return with_(words.with(at, state.swap.trim().split(/\s+/)[0]));
    if (panel && hold && !compare) return [[now, first], [{ ...now, hold: "" }, first]];
    return source.names.slice(1).includes(compare) ? [[now, first], [now, compare]] : [[now, first]];
  }

  function update() {
    const mine = ++asked, found = source.look(comparison());
    if (!(found instanceof Promise)) return draw(found);
    say("Computing …");
    found.then(
      (all) => mine === asked && draw(all),
      (error) => mine === asked && say(`${error.message ?? error}`),
    );
  }

  /** @type {(text: string) => string} */
  const say = (text) => (said.textContent = text);

  /** @type {(found: Seen[]) => void} */
  function draw(found) {
    seen = found;
    const change = isChange();
    const isOther = source.names.slice(1).includes(state.compare);
    free = state.hold && !state.compare && found.length > 1 ? found[1] : null;
    if (!change && !isOther) seen = found.slice(0, 1);
    // update titles first, while their old positions are still measurable
    const ranked = seen[change ? 1 : 0], read = ranked.query.words.slice(0, (ranked.query.at ?? -1) + 1);
    best.draw(read.length ? ranked.best : null, textOf(read), (change ? seen[0] : free)?.best ?? null, Boolean(state.hold));
    drawSaid(change);
    fields.swap.both.hidden = state.compare !== "swap";
    const { words } = seen[0].query;
    fields.swap.named.textContent = words.length ? `in the place of “${cutShort(words[framedIn("query")])}”` : "swap";
    for (const side of ["query", "document"]) drawHead(side, change);
    drawMaps(change);
    const isQuery = state.side === "query", side = seen[0][state.side];
    const curves = seen.map((one) => one[state.side].cosines).filter((all) => all.length);
    const isOver = isQuery && !change;
    cosines.replaceChildren(
      ...(curves.length ? [cosinesOf(columnsOf(change), curves, framedIn(state.side), state.side, isOver || !isQuery ? side.at : Infinity)] : []),
    );
    panel?.draw(state.hold);
    if (panel) holds.show();
    const spelled = (change && isQuery ? seen : [seen[0]]).map((one) => one[state.side].words[framedIn(state.side)]);
    within.summary.textContent = "Letter by letter" + (side.words.length ? `: ${spelled.map((word) => `“${cutShort(word)}”`).join(" → ")}` : "");
    tables.summary.textContent = "The most active cells, the keywords" + (seen.length > 1 ? `, and what stands beside them` : "");
    within.show();
    tables.show();
    python?.draw();
    // the tour and lesson 08's measurement are about the course's model and titles
    if (guide) guide.hidden = Boolean(source.own);
    holds.root.hidden = Boolean(source.own?.modelFrom);
    pointOut();
    drawn(state);
  }

  /** @type {(change: boolean) => void} */
  function drawSaid(change) {
    const [{ query: q, document: d }] = seen, lines = [];
    if (!q.words.length) lines.push("Type a query.");
    for (const [what, side] of /** @type {[string, SideSeen][]} */ ([["query", q], ["title", d]])) {
      if (side.words.length && !side.known.some(Boolean)) lines.push(`Nothing in this ${what} is known to the model.`);
      if (side.n_words > side.words.length)
        lines.push(`Only the first ${side.words.length} of the ${what}'s ${side.n_words} words are read.`);
    }
    const value = q.cosines[q.at] ?? null; // there is none without known trigrams
    const other = change ? (seen[1].query.cosines[seen[1].query.at] ?? null) : null;
    const unheld = free?.query.cosines[free.query.at] ?? null;
    const then = unheld !== null ? ` (${number(unheld, 3)} with every gate free)` : change ? `, and with “${textOf(seen[1].query.words)}” ${other === null ? "there is none" : number(other, 3)}` : "";
    const read = [q, d].map((side) => `“${textOf(side.words.slice(0, (side.at ?? 0) + 1))}”`).join(" and ");
    say([...lines, ...(value === null ? [] : [`Cosine of ${read}: ${number(value, 3)}${then}`])].join(" "));
    tell([...lines, ...(value === null ? [] : [`Cosine ${number(value, 3)} at “${cutShort(q.words[q.at])}”${then}.`])].join(" "));
  }

  /** @type {(side: Side, change: boolean) => void} */
  function drawHead(side, change) {
    const now = seen[0][side], part = heads[side], empty = !now.words.length, at = empty ? 0 : framedIn(side);
    const other = change ? seen[1][side].words : now.words;
    const does = (side === "query" && DOES[state.compare]) || "read to";
    part.does.textContent = does;
    part.words.root.setAttribute("aria-label", `${does}: word of the ${WHAT[side]}`);
    // a disabled button would lose the focus
    part.back.setAttribute("aria-disabled", empty || at === 0);
    part.next.setAttribute("aria-disabled", empty || at === now.words.length - 1);
    part.where.textContent = empty ? "nothing to read" : `${at + 1} of ${now.words.length}`;
    part.root.classList.toggle("now", state.side === side);
    part.words.show(
      now.words.map((word, k) => ({
        value: k,
        text: (other[k] ?? word) === word ? cutShort(word) : `${cutShort(word)} → ${cutShort(other[k])}`,
        label: now.known[k] ? null : `${cutShort(word)}: not known to the model`,
        class: `${now.known[k] ? "" : "unknown"} ${k > now.at ? "later" : ""}`,
      })),
      at,
    );
  }

  /** @type {(change: boolean) => string[]} */
  const columnsOf = (change) =>
    seen[0][state.side].words.map((word, k) => {
      const other = change ? (seen[1][state.side].words[k] ?? word) : word;
      return other === word ? word : `${cutShort(word)} → ${cutShort(other)}`;
    });

  // Draw the map, with another model's map next to it, or the changes instead of it.
  /** @type {(change: boolean) => void} */
  function drawMaps(change) {
    const side = seen[0][state.side], { drawn, states, gates } = seen[0];
    maps.setAttribute("aria-label", `map of the ${WHAT[state.side]}: left and right for words, up and down for cells`);
    if (!side.words.length) return maps.replaceChildren();
    const names = [...drawn, ...("yg" in side.values && !drawn.includes("yg") ? ["yg"] : [])];
    /** @type {(one: Seen, name: string) => string} */
    const of = (one, name) => (name in one[state.side].values ? name : one.drawn.at(-1));
    const name = names.includes(state.map) ? state.map : names.at(-1);
    mapped = of(seen[0], name);
    /** @type {(one: string) => string} */
    const short = (one) => states[one].split(" ").at(-1);
    tabs.show(names.map((one) => ({ value: one, text: short(one), label: states[one] })), name);
    ranges.show(["full", "used"].map((value) => ({ value, text: value, label: `${value} range` })), state.range);

    /** @type {(one: Seen) => Numbers[]} */
    const rows = (one) => one[state.side].values[of(one, name)];
    const changes = () =>
      rows(seen[0]).map((x, t) => Array.from(x, (v, j) => (rows(seen[1])[t]?.[j] ?? v) - v));
    const all = change ? [changes()] : seen.map(rows);
    const isGate = !change && gates.includes(name);
    const [low, high] = isGate
      ? state.range === "used" ? extent(all) : [0, 1]
      : extent(state.range === "used" ? all : [...seen.flatMap(signed), ...all], true);
    scale.replaceChildren(...scaleOf(low, high, isGate));
    root.classList.toggle("two", all.length > 1);
    const n = all[0][0].length, most = n === side.words.length ? 28 : 14;
    const height = Math.max(3, Math.min(most, Math.round(230 / n)));
    const framed = framedIn(state.side), columns = columnsOf(change);
    const classes = side.words.map((_, t) => `${t === framed ? "now" : ""} ${side.known[t] ? "" : "unknown"}`);
    maps.replaceChildren(
      ...all.map((one, k) => {
        const what = seen[k].states[of(seen[k], name)];
        const title = change ? `the change of ${what}` : seen.length > 1 ? `${seen[k].name}: ${what}` : what;
        return heatMap({
          name: title, values: one, names: columns, classes, isGate, low, high, framed, numbered: true,
          at: change ? Infinity : side.at,
          height: all.length > 1 ? Math.max(2, Math.min(14, Math.round(230 / one[0].length))) : height,
        });
      }),
    );
  }

  // List all values of the query's and the title's states that aren't gates; they share a scale.
  /** @type {(seen: Seen) => Numbers[][]} */
  const signed = ({ drawn, gates, query, document }) =>
    [query, document].flatMap(({ values }) => drawn.filter((name) => !gates.includes(name)).map((name) => values?.[name] ?? []));

  /** @type {(box: Element) => void} */
  function drawWithin(box) {
    const parts = seen.slice(0, isChange() && state.side !== "query" ? 1 : 2).flatMap((one) => {
      const side = one[state.side];
      if (!side.words.length || !Object.keys(side.within).length) return [];
      const classes = side.trigrams_known.map((yes) => (yes ? "" : "unknown"));
      const drawn = one.drawn.map((name, k) => {
        const isGate = one.gates.includes(name), n = side.values.y[0].length;
        const [low, high] = isGate ? [0, 1] : extent(signed(one), true);
        const what = { name: one.states[name], values: side.within[name], names: side.trigrams, classes, isGate, low, high };
        return heatMap({ ...what, height: Math.max(3, Math.min(7, Math.round(115 / n))), numbered: !k });
      });
      return element("div", {}, ...drawn);
    });
    const isKnown = seen.every((one) => one[state.side].trigrams_known?.every(Boolean) ?? true);
    const note = isKnown ? [] : [element("p", {}, "Trigrams that are struck out are not known to the model.")];
    box.replaceChildren(...note, element("div", { class: "reader-within", tabindex: "0", role: "group", "aria-label": "letter trigrams" }, ...parts));
  }

  /** @type {(box: Element) => void} */
  function drawTables(box) {
    const parts = seen.map((one, k) => {
      const shared = new Set((one.query.active ?? []).filter((cell) => one.document.active?.includes(cell)));
      const facts = ["query", "document"].flatMap((name) => {
        const side = one[name];
        if (!side.words.length) return [];
        const y = side.values.y[side.at], most = Math.max(...side.values.y.map((x) => Math.max(...Array.from(x, Math.abs))));
        return [barsOf(side.active, y, most, shared, WHAT[name]), keywordsOf(side)];
      });
      const name = k && isChange() ? textOf(one.query.words) : one.name;
      const titles = k && !isChange() && one.best?.length ? [ranking(one)] : [];
      return [
        ...(seen.length > 1 ? [element("p", { class: "reader-name" }, name)] : []),
        element("div", { class: "reader-facts", role: "group", tabindex: "0", "aria-label": `cells and keywords: ${name}` }, ...facts, ...titles),
      ];
    });
    box.replaceChildren(...parts.flat());
  }

  function linesOfPython() {
    const of = (one) => (state.map in (one[state.side].values ?? {}) ? state.map : one.drawn.at(-1));
    return pythonOfReader(comparison(), free ? [seen[0], free] : seen, source.files(), state.side, seen.map(of), framedIn(state.side));
  }

  if (first) draw(first);
  else update();
  beside.value = state.compare;
  return { state, to };
}
