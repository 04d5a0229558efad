// The reader: texts that are typed, words that are stepped through, a cell that is pointed at, and
// what is drawn of them. Where the numbers come from is the source's business: the page (page.js),
// or a kernel of Jupyter (widget.js).
//
// A source has `models`, by name what each is called, `names` of those, the first one the reader's,
// and look([[asked, name], …]), which gives for each what looking.js says, at once or as a promise.

const QUIET = 400; // milliseconds without a change, after which it is said what is there now
const HINT = "Point at a cell, or step through the maps with the arrow keys, to see its values.";
let readers = 0;

// `first` is what there is to see at the start, where that is known; `drawn` is told of each picture.
function reader(root, source, start, { first = null, drawn = () => {} } = {}) {
  const state = { query: "", title: "", t: null, s: null, compare: "", swap: "", ...start };
  const chosen = { side: "query", cell: null, word: null }; // what is pointed at
  const id = `reader-${readers++}`;
  let asked = 0, seen = [];

  // ---- what is typed and chosen
  const field = (name, label) => {
    const input = element("input", { id: `${id}-${name}`, type: "text", autocomplete: "off", spellcheck: "false" });
    input.value = state[name];
    input.addEventListener("input", () => {
      state[name] = input.value;
      if (name === "query") state.t = null; // up to the last word again
      if (name === "title") state.s = null;
      update();
    });
    const named = element("label", { for: input.id }, label);
    return { input, named, both: element("div", { class: `reader-field ${name}` }, named, input) };
  };
  const query = field("query", "query"), title = field("title", "title"), swap = field("swap", "swap");
  const choice = element("select", { id: `${id}-compare` }, element("option", { value: "" }, "nothing"));
  choice.append(element("option", { value: "swap" }, "the query with a word swapped"));
  for (const name of source.names.slice(1))
    choice.append(element("option", { value: name }, source.models[name]));
  choice.value = state.compare;
  choice.addEventListener("change", () => {
    state.compare = choice.value;
    update();
  });
  const beside = element("div", { class: "reader-field" }, element("label", { for: choice.id }, "beside it"), choice);

  // ---- what is drawn
  const said = element("p", { class: "reader-said" });
  // to those who hear the page: a short text, when no key has been pressed for a while
  const heard = element("p", { class: "reader-heard", role: "status" });
  let quiet;
  const tell = (text) => {
    clearTimeout(quiet);
    quiet = setTimeout(() => (heard.textContent = text), QUIET);
  };
  const legend = element("div");
  const readings = [0, 1].map((k) => reading(k));
  root.classList.add("mathjax_ignore", "tex2jax_ignore"); // what is typed is no formula
  root.replaceChildren(
    element("div", { class: "reader-asked" }, query.both, title.both, beside, swap.both),
    said,
    heard,
    legend,
    element("div", { class: "reader-readings" }, ...readings.map((r) => r.root)),
  );

  function reading(k) {
    const name = element("p", { class: "reader-name" }), best = element("div", { class: "reader-best" });
    const sides = { query: panel("query", k), document: panel("document", k) };
    const parts = [name, sides.query.root, best, sides.document.root];
    // no <section>, as those would be slides on a slide
    const section = element("div", { role: "region", "aria-label": "reading" }, ...parts);
    return { root: section, name, best, sides };
  }

  // One side of a reading; those of the second follow the first's steps.
  function panel(side, k) {
    const what = side === "query" ? "query" : "title";
    const back = element("button", { type: "button", "aria-label": `one word back in the ${what}` }, "◀");
    const next = element("button", { type: "button", "aria-label": `one word on in the ${what}` }, "▶");
    back.addEventListener("click", () => step(side, -1));
    next.addEventListener("click", () => step(side, 1));
    const where = element("span", {}), head = element("p", { class: "reader-head" });
    head.append(element("strong", { class: side }, what), ...(k ? [where] : [back, where, next]));
    // in an application the arrow keys are its own, and a screen reader passes them on
    const group = (label) =>
      element("div", { class: "reader-maps", role: "application", tabindex: "0", "aria-label": label });
    const maps = group(`gates and states of the ${what}: left and right for words, up and down for cells`);
    const within = group(`the same within a word of the ${what}, letter trigram by letter trigram`);
    const values = element("p", { class: "reader-values" });
    const facts = element("div", { class: "reader-facts", role: "group", tabindex: "0", "aria-label": `cosine, most active cells and keywords of the ${what}` });
    const inside = element("p", { class: "reader-inside" });
    for (const box of [maps, within]) {
      box.addEventListener("keydown", (event) => onKey(event, side, k));
      box.addEventListener("pointermove", (event) => pointed(event, side));
      box.addEventListener("pointerleave", () => choose(side, null, null));
      box.addEventListener("click", (event) => clicked(event, side));
    }
    const box = element("div", { class: "reader-panel" }, head, maps, facts, values, inside, within);
    return { root: box, back, next, where, maps, within, values, facts, inside };
  }

  // ---- what moves
  const timeOf = { query: "t", document: "s" };

  function step(side, by) {
    const { words, at } = seen[0][side];
    if (!words.length) return;
    state[timeOf[side]] = Math.max(0, Math.min(words.length - 1, at + by));
    update();
  }

  function onKey(event, side, k) {
    const now = seen[k]?.[side];
    if (!now?.words.length || event.ctrlKey || event.altKey || event.metaKey) return;
    const n = now.values.y[0].length, cell = chosen.side === side ? chosen.cell : null;
    const moves = {
      ArrowLeft: () => step(side, -1),
      ArrowRight: () => step(side, 1),
      Home: () => step(side, -Infinity),
      End: () => step(side, Infinity),
      ArrowUp: () => choose(side, cell === null ? n - 1 : (cell + n - 1) % n, null),
      ArrowDown: () => choose(side, cell === null ? 0 : (cell + 1) % n, null),
      Escape: () => choose(side, null, null),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  // Which cell and column of a map an event is at.
  function placeOf(event) {
    const map = event.target.closest("svg");
    if (!map?.place) return null;
    const { left, top, width } = map.getBoundingClientRect(), { place } = map;
    const scale = width / map.getAttribute("width"); // of a slide on its screen
    const column = Math.floor(((event.clientX - left) / scale - place.left) / place.width);
    const cell = Math.floor(((event.clientY - top) / scale - place.top) / place.height);
    const inside = column >= 0 && column < place.columns && cell >= 0;
    return inside ? { column, cell: cell < place.n ? cell : null } : null;
  }

  function pointed(event, side) {
    const place = placeOf(event), isWithin = event.currentTarget.matches(".reader-within");
    choose(side, place && place.cell, place && (isWithin ? null : place.column));
  }

  function clicked(event, side) {
    const place = placeOf(event);
    if (!place || event.currentTarget.matches(".reader-within")) return;
    state[timeOf[side]] = place.column;
    update();
  }

  // A cell is pointed at, or none: its row is framed and its values are said.
  function choose(side, cell, word) {
    Object.assign(chosen, { side, cell, word });
    pointOut();
    if (cell !== null) tell(readings[0].sides[side].values.textContent);
  }

  function pointOut() {
    readings.forEach(({ sides, root: section }, k) => {
      if (!section.hidden)
        for (const [side, part] of Object.entries(sides)) pointOutIn(part, seen[k][side], side, seen[k]);
    });
  }

  function pointOutIn(part, now, side, whole) {
    const isHere = chosen.side === side && chosen.cell !== null && now.words.length > 0;
    const cell = isHere && chosen.cell < now.values.y[0].length ? chosen.cell : null;
    for (const map of part.root.querySelectorAll("svg"))
      if (map.place) {
        const row = map.querySelector(".row");
        row.style.visibility = cell === null ? "hidden" : "visible";
        row.setAttribute("y", map.place.top + (cell ?? 0) * map.place.height);
      }
    const t = Math.min(chosen.word ?? now.at, now.words.length - 1);
    part.values.textContent =
      cell === null
        ? now.words.length ? HINT : ""
        : `cell ${cell} at “${cutShort(now.words[t])}”: ` +
          whole.drawn.map((name) => `${name} = ${number(now.values[name][t][cell], 3)}`).join(", ");
  }

  // ---- from what was asked to the picture
  function comparison() {
    const now = { query: state.query, title: state.title, t: state.t, s: state.s };
    const wanted = [[now, source.names[0]]], { compare } = state;
    if (compare === "swap" && state.swap.trim()) {
      const words = state.query.trim().split(/\s+/), at = Math.min(state.t ?? Infinity, words.length - 1);
      words[at] = state.swap.trim().split(/\s+/)[0];
      wanted.push([{ ...now, query: words.join(" ") }, source.names[0]]);
    } else if (source.names.includes(compare)) wanted.push([now, compare]);
    return wanted;
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

  const say = (text) => (said.textContent = text);

  function draw(found) {
    seen = found;
    const [{ query: q, document: d }] = seen, lines = [];
    if (!q.words.length) lines.push("Type a query.");
    for (const [what, side] of [["query", q], ["title", d]])
      if (side.words.length && !side.known.some(Boolean)) lines.push(`Nothing in this ${what} is known to the model.`);
    for (const [what, side] of [["query", q], ["title", d]])
      if (side.n_words > side.words.length)
        lines.push(`Only the first ${side.words.length} of the ${what}'s ${side.n_words} words are read.`);
    const value = q.cosines[q.at] ?? null; // of a text of which nothing is known there is none
    const read = [q, d].map((side) => `“${textOf(side.words.slice(0, (side.at ?? 0) + 1))}”`).join(" and ");
    say([...lines, ...(value === null ? [] : [`Cosine of ${read}: ${number(value, 3)}`])].join(" "));
    tell([...lines, ...(value === null ? [] : [`Cosine ${number(value, 3)} at “${cutShort(q.words[q.at])}”.`])].join(" "));
    swap.both.hidden = state.compare !== "swap";
    swap.named.textContent = q.words.length ? `in the place of “${cutShort(q.words[q.at])}”` : "swap";

    const signed = seen.flatMap(({ drawn, gates, query, document }) =>
      [query, document].flatMap((side) =>
        drawn.filter((name) => !gates.includes(name)).flatMap((name) =>
          (side.values?.[name] ?? []).map((x) => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0)),
        ),
      ),
    );
    const limit = Math.max(1e-9, ...signed), gated = seen.some((one) => one.drawn.some((x) => one.gates.includes(x)));
    legend.replaceChildren(scales(limit, gated));
    readings.forEach((one, k) => {
      one.root.hidden = k >= seen.length;
      if (!one.root.hidden) drawReading(one, seen[k], limit, k);
    });
    root.classList.toggle("two", seen.length > 1);
    pointOut();
    drawn(state);
  }

  function drawReading({ root: section, name, best, sides }, now, limit, k) {
    const swapped = k && state.compare === "swap" ? `: “${textOf(now.query.words)}”` : "";
    name.textContent = now.name + swapped;
    section.setAttribute("aria-label", name.textContent);
    const shared = new Set((now.query.active ?? []).filter((cell) => now.document.active?.includes(cell)));
    for (const side of ["query", "document"]) drawSide(sides[side], now[side], side, now, limit, shared);
    drawBest(best, now, k);
  }

  function drawSide(part, side, which, now, limit, shared) {
    const empty = !side.words.length;
    for (const box of [part.maps, part.within, part.facts, part.inside]) box.hidden = empty;
    // a button that is disabled would lose the focus
    part.back.setAttribute("aria-disabled", empty || side.at === 0);
    part.next.setAttribute("aria-disabled", empty || side.at === side.words.length - 1);
    part.where.textContent = empty
      ? "nothing to read"
      : `word ${side.at + 1} of ${side.words.length}: ${cutShort(side.words[side.at])}`;
    if (empty) return;
    const n = side.values.y[0].length, height = Math.max(3, Math.min(14, Math.round(230 / n)));
    const map = (name, values, k, more) =>
      heatMap({ name: now.states[name], values, isGate: now.gates.includes(name), limit, numbered: !k, ...more });
    const classes = side.words.map((_, t) => [t === side.at ? "now" : "", side.known[t] ? "" : "unknown"].join(" "));
    part.maps.replaceChildren(
      ...now.drawn.map((name, k) =>
        map(name, side.values[name], k, { names: side.words, classes, at: side.at, height }),
      ),
    );
    const isCut = Object.keys(side.within).length > 0;
    part.within.hidden = part.inside.hidden = !isCut;
    part.within.classList.add("reader-within");
    if (isCut) {
      part.inside.textContent = `“${cutShort(side.words[side.at])}”, letter trigram by letter trigram`;
      if (!side.trigrams_known.every(Boolean))
        part.inside.textContent += " (struck out: not known to the model)";
      const names = side.trigrams, known = side.trigrams_known.map((yes) => (yes ? "" : "unknown"));
      part.within.replaceChildren(
        ...now.drawn.map((name, k) =>
          map(name, side.within[name], k, { names, classes: known, height: Math.max(3, Math.round(height / 2)) }),
        ),
      );
    }
    const y = side.values.y[side.at], most = Math.max(...side.values.y.map((x) => Math.max(...Array.from(x, Math.abs))));
    part.facts.replaceChildren(
      ...(side.cosines.length ? [cosinesOf(side.words, side.cosines, side.at, which)] : []),
      barsOf(side.active, y, most, shared),
      keywordsOf(side),
    );
  }

  function drawBest(box, now, k) {
    const read = textOf(now.query.words.slice(0, now.query.at + 1));
    const same = JSON.stringify([now.best, read]);
    if (box.dataset.same === same) return; // a title that is pressed keeps the focus
    box.dataset.same = same;
    box.replaceChildren();
    if (!now.best || !now.query.words.length) return;
    if (!now.best.length) {
      box.append("Nothing known has been read yet, so there are no titles to show.");
      return;
    }
    const rows = now.best.map(([score, text]) => {
      const take = element("button", { type: "button", class: "reader-title" }, text);
      take.addEventListener("click", () => {
        title.input.value = state.title = text;
        state.s = null;
        update();
      });
      return element("tr", {}, element("td", {}, number(score, 3)), element("td", {}, take));
    });
    const head = ["cosine", `best titles for: ${read}`].map((x) => element("th", { scope: "col" }, x));
    box.append(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
  }

  if (first) draw(first);
  else update();
}
