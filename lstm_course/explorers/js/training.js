// Training in the page: a worker (training_worker.js) trains the chosen model, and this script
// draws the results that the worker posts. WORKER is the source of the worker's script.

const RUNS = 5; // rows of the table
/** @type {[string, string, Record<string, string>][]} */
const CHOICES = [
  ["kind", "network", { LSTM: "LSTM", RNN: "RNN" }],
  ["m", "cells", { 16: "16", 32: "32" }],
  ["n", "unclicked titles a pair", { 1: "1", 4: "4", batch: "all of the minibatch" }],
  ["gamma", "γ", Object.fromEntries([1, 2, 5, 10, 20, 40].map((x) => [x, `${x}`]))],
  ["optimizer", "update", { adam: "Adam", nesterov: "Nesterov’s momentum (6)" }],
  ["momentum", "momentum μ", { 0: "0", 0.5: "0.5", 0.9: "0.9", 0.99: "0.99" }],
  [
    "epsilon",
    "step size ε",
    Object.fromEntries([0.0001, 0.0003, 0.001, 0.002, 0.005, 0.02, 0.1, 1].map((x) => [x, `${x}`])),
  ],
];
// the defaults of lstm_edu.train, with a smaller cell
/** @type {Record<string, string>} */
const FIRST = { kind: "LSTM", m: "16", n: "batch", gamma: "10", optimizer: "adam", momentum: "0.9", epsilon: "0.002" };
/** @type {Record<string, [string, boolean]>} */
const DRAWN = {
  i: ["gate i(t)", true],
  o: ["gate o(t)", true],
  c: ["state c(t)", false],
  y: ["output y(t)", false],
};
const FIXED = { most: 100, average: 0.998 }; // as in page_training.py
/** @type {(run?: Run) => boolean} */
const isTrained = (run) => run?.told.at(-1)?.updates > 0;
let trainings = 0;

// Write lines of Python that reproduce a run's last cost and nDCG. The cost is the mean since the
// previous evaluation.
/** @type {(run: Run) => string} */
function pythonOfTraining({ seed, chosen: { kind, m, n, gamma, optimizer, momentum, epsilon }, told }) {
  const { updates } = told.at(-1), since = told.findLast((one) => one.updates < updates)?.updates ?? 0;
  return `import lstm_edu
from lstm_course.explorers import train_as_page

# this page's pairs, first weights and order; lstm_edu.train takes the settings, too
settings = dict(n_negatives=${n === "batch" ? literal(n) : n}, gamma=${gamma}, optimizer="${optimizer}", ${optimizer === "adam" ? "" : `momentum=${momentum}, `}step_size=${epsilon})
cost, ndcg, model = train_as_page(lstm_edu.${kind}(${m}), seed=${seed}, updates=${updates}, since=${since}, **settings)
print(cost, ndcg)`;
}

/** @type {(root: Element, given: DOMStringMap) => void} */
function training(root, { folder, query: asked }) {
  const id = `training-${trainings++}`, chosen = { ...FIRST }, runs = [];
  let worker = null, going = false, seed = 0, passes = 0;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- the settings
  /** @type {Record<string, HTMLSelectElement>} */
  const selects = {};
  const fields = CHOICES.map(([name, label, values]) => {
    const options = Object.entries(values).map(([value, text]) => element("option", { value }, text));
    const select = (selects[name] = element("select", { id: `${id}-${name}` }, ...options));
    select.value = chosen[name];
    select.addEventListener("change", () => {
      chosen[name] = select.value;
      selects.momentum.disabled = chosen.optimizer === "adam";
      if (worker) begin();
    });
    return element("div", { class: "training-field" }, element("label", { for: select.id }, label), select);
  });
  selects.momentum.disabled = true;

  const start = button("Start", () => (going ? pause() : go()));
  const step = button("Step", () => {
    ready().then(() => {
      setGoing(false);
      worker.postMessage({ step: true });
      saying = "step";
    }, failed);
  });
  const other = button("Another seed", () => {
    seed++;
    if (worker) begin();
    else go();
  });
  const again = button("Start again", () => {
    Object.assign(chosen, FIRST);
    for (const [name, select] of Object.entries(selects)) select.value = chosen[name];
    selects.momentum.disabled = true;
    seed = 0;
    if (worker) begin();
  });
  const query = element("input", { id: `${id}-query`, type: "text", autocomplete: "off", spellcheck: "false" });
  query.value = asked;
  query.addEventListener("input", () => worker?.postMessage({ query: query.value }));

  // ---- the drawing
  const said = element("p", { class: "training-said", role: "status" });
  const counted = element("span", { class: "training-counted" });
  const costs = element("div"), ranks = element("div");
  const best = element("ol", { class: "training-best", "aria-label": "the ten best titles" });
  const maps = element("div", { class: "training-maps", role: "group", tabindex: "0", "aria-label": "gates and states at the words of the query" });
  const kept = element("p", {}, "Your runs, the newest first; the curves show the first two. Costs compare only where n is the same.");
  const table = element("div", { class: "training-runs", role: "group", tabindex: "0", "aria-label": "your runs" });
  const python = pythonPart(() => (isTrained(runs[0]) ? pythonOfTraining(runs[0]) : "# Press Start or Step."));
  root.classList.add("mathjax_ignore", "tex2jax_ignore"); // don't parse typed texts as formulas
  root.replaceChildren(
    element("div", { class: "training-chosen" }, ...fields),
    element("div", { class: "training-buttons" }, start, step, other, again, counted),
    said,
    element("div", { class: "training-curves" }, costs, ranks),
    element("div", { class: "training-field" }, element("label", { for: query.id }, "your query: its ten best titles, and what the cells do at its words"), query),
    element("div", { class: "training-seen" }, best, maps),
    kept,
    table,
    python.root,
  );

  // ---- the worker
  let saying = "";

  // Start a worker with the first run, unless a worker is running.
  const ready = () => {
    if (worker) return Promise.resolve();
    say("Reading the log …");
    return Promise.all(["titles", "log"].map((name) => loaded(folder, name))).then(() => {
      if (worker) return;
      const script = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
      worker = new Worker(script);
      worker.onmessage = ({ data }) => told(data);
      worker.onerror = ({ message = "The worker didn't start." }) => {
        worker.terminate();
        worker = null;
        failed(Error(`${message} Press Start to train anew.`));
      };
      const { queries, clicked } = self.lstm_edu.log;
      const clicks = [...new Uint16Array(bytesOf(clicked))];
      worker.postMessage({ log: [queries, self.lstm_edu.titles, clicks] });
      begin();
    });
  };

  /** @type {(error: Error) => void} */
  function failed(error) {
    setGoing(false);
    say(error.message);
  }

  function go() {
    ready().then(() => {
      if (runs[0].isOver) return say("This run is over. Another seed, or another choice above, begins a new one.");
      setGoing(true);
      worker.postMessage({ going: true });
      say(`${nameOf(runs[0])}: training.`);
    }, failed);
  }

  function pause() {
    setGoing(false);
    worker.postMessage({ going: false });
    saying = "pause";
  }

  /** @type {(now: boolean) => void} */
  function setGoing(now) {
    going = now;
    start.textContent = going ? "Pause" : runs[0]?.isOver ? "Done" : isTrained(runs[0]) ? "Go on" : "Start";
  }

  // Start a run with the chosen settings; keep the previous run for comparison.
  function begin() {
    const { kind, m, n, gamma, optimizer, momentum, epsilon } = chosen;
    const settings = { optimizer, momentum: +momentum, epsilon: +epsilon, gamma: +gamma, ...FIXED };
    const own = { id: (runs[0]?.id ?? 0) + 1, seed, chosen: { ...chosen }, told: [], isOver: false };
    if (!isTrained(runs[0])) runs.shift(); // drop a run that has not been trained
    runs.unshift(own);
    runs.splice(RUNS);
    passes = 0;
    setGoing(going);
    worker.postMessage({
      id: own.id,
      start: { kind, m: +m, n: n === "batch" ? n : +n, seed, settings },
      query: query.value,
    });
    say(`${nameOf(own)}: ${going ? "training" : "ready"}.`);
  }

  /** @type {(run: Run) => string} */
  const nameOf = ({ chosen: { kind, m }, seed: own }) => `${kind} of ${m} cells, seed ${own}`;

  /** @type {(text: string) => string} */
  const say = (text) => (said.textContent = text);

  // ---- the worker's messages
  /** @type {(data: any) => void} */
  function told(data) {
    if (data.id !== runs[0]?.id) return; // from an earlier run
    if (data.pairs !== undefined) {
      const own = runs[0];
      own.told.push(data);
      own.isOver = data.isDone || data.isLost;
      setGoing(going && !own.isOver);
      sayOf(data);
      counted.textContent = countedOf(data);
      drawCurves();
      drawRuns();
      python.draw();
    }
    if (data.query !== query.value) return;
    drawBest(data);
    drawStates(data);
  }

  // Announce progress to screen readers only at a pause, a step, the end, and every 50,000 pairs.
  /** @type {(data: any) => void} */
  function sayOf(data) {
    const pass = Math.floor(data.pairs / 50_000);
    if (data.isLost) say(`After ${many(data.pairs)} pairs the cost is no number any more.`);
    else if (data.isDone || saying || pass > passes)
      say(`${data.isDone ? "Done" : going ? "Training" : "Paused"}. ${numbersOf(data)}`);
    passes = pass;
    saying = "";
  }

  /** @type {(data: Told) => string} */
  const countedOf = ({ pairs, seconds }) => `${many(pairs)} pairs in ${number(seconds, 0)} s`;

  /** @type {(data: Told) => string} */
  function numbersOf(data) {
    const { cost, guess, ndcg } = data;
    const of = cost === null ? "" : `cost ${number(cost)}, of guessing ${number(guess)}; `;
    return `${countedOf(data)}: ${of}nDCG@10 ${number(ndcg, 3)}.`;
  }

  function drawCurves() {
    const two = runs.slice(0, 2);
    const most = Math.max(20_000, ...two.flatMap((run) => run.told.map(({ pairs }) => pairs)));
    /** @type {(name: string) => [number, number][][]} */
    const points = (name) => two.map((run) => run.told.filter((one) => Number.isFinite(one[name])).map((one) => [one.pairs, one[name]]));
    const guess = runs[0].told.find((one) => one.guess)?.guess ?? null;
    costs.replaceChildren(curvesOf("cost", points("cost"), most, guess));
    ranks.replaceChildren(curvesOf("nDCG@10, held-out queries", points("ndcg"), most, null));
  }

  // Draw the best titles; move rows to their new places, unless the user prefers reduced motion.
  /** @type {any} */
  let rankedBefore = [];
  /** @type {(data: {best: Ranked, query: string}) => void} */
  function drawBest({ best: titles, query: of }) {
    const tops = new Map([...best.children].map((row) => [row.dataset.title, row.getBoundingClientRect().top]));
    const before = rankedBefore.of === of ? rankedBefore : [];
    const rows = titles.map(([cosine, title], k) => {
      const was = before.indexOf(title), by = was < 0 ? 0 : was - k;
      const moved = !before.length || !by && was >= 0 ? "" : was < 0 ? "new" : by > 0 ? `▲${by}` : `▼${-by}`;
      return element(
        "li",
        { "data-title": title },
        element("span", { class: "training-cosine" }, number(cosine, 3)),
        element("span", { class: "training-moved" }, moved),
        element("span", { class: "training-title", title }, title),
      );
    });
    best.replaceChildren(...rows);
    if (!isCalm.matches)
      for (const row of rows) {
        const top = tops.get(row.dataset.title), by = top - row.getBoundingClientRect().top;
        if (top === undefined) row.animate({ opacity: [0, 1] }, 300);
        else if (by) row.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: 300, easing: "ease-out" });
      }
    rankedBefore = Object.assign(titles.map(([, title]) => title), { of });
  }

  /** @type {(data: {words: string[], states: Record<string, number[][]>}) => void} */
  function drawStates({ words, states }) {
    if (!words.length) return maps.replaceChildren();
    const n = states.y[0].length, classes = words.map(() => "");
    const drawn = Object.keys(DRAWN).filter((name) => states[name]).map((name) => {
      const [called, isGate] = DRAWN[name], values = states[name];
      const high = name === "c" ? Math.max(1, ...values.flat().map(Math.abs)) : 1, low = isGate ? 0 : -high;
      return heatMap({ name: called, values, names: words, classes, isGate, low, high, height: 160 / n });
    });
    maps.replaceChildren(...drawn);
  }

  function drawRuns() {
    const head = ["network", "n", "γ", "update", "seed", "pairs", "cost (guessing)", "nDCG@10"];
    const rows = runs.filter(isTrained).map(({ chosen: own, seed: of, told: all }) => {
      const { pairs, cost, guess, ndcg } = all.at(-1), { optimizer, momentum, epsilon } = own;
      const by = optimizer === "adam" ? `Adam, ε ${epsilon}` : `(6), μ ${momentum}, ε ${epsilon}`;
      const n = own.n === "batch" ? "all" : own.n, paid = `${number(cost)} (${number(guess)})`;
      return [`${own.kind} ${own.m}`, n, own.gamma, by, of, many(pairs), paid, number(ndcg, 3)];
    });
    while (rows.length < RUNS) rows.push(head.map(() => "")); // empty rows keep the table's height
    /** @type {(tag: "td" | "th", cells: any[]) => Element} */
    const all = (tag, cells) => element("tr", {}, ...cells.map((x) => element(tag, {}, `${x}`)));
    const body = element("tbody", {}, ...rows.map((cells) => all("td", cells)));
    table.replaceChildren(element("table", {}, element("thead", {}, all("th", head)), body));
  }

  // draw empty figures, so that nothing moves in the page when training starts
  costs.replaceChildren(curvesOf("cost", [], 20_000, null));
  ranks.replaceChildren(curvesOf("nDCG@10, held-out queries", [], 20_000, null));
  drawRuns();
  say("Press Start. A run ends after 150,000 pairs.");
}

// Plot curves by number of pairs for this run and, paler, the previous run, and a dashed line at
// `guess`. The names and last values of the curves are in the caption, where they can't overlap.
/** @type {(name: string, runs: [number, number][][], most: number, guess: number | null) => Element} */
function curvesOf(name, [now = [], before = []], most, guess) {
  const left = 34, right = 316, top = 12, bottom = 140, isCost = name === "cost";
  const highest = guess === null && !isCost ? 1 : Math.max(6, 1.15 * (guess ?? 0), ...[...now, ...before].map(([, y]) => y));
  /** @type {(pairs: number) => number} */
  const x = (pairs) => left + (pairs / most) * (right - left);
  /** @type {(value: number) => number} */
  const y = (value) => bottom - (Math.min(value, highest) / highest) * (bottom - top);
  /** @type {(points: [number, number][]) => string} */
  const way = (points) => points.map(([a, b], k) => `${k ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  /** @type {(at: number, down: number, said: string, anchor?: string) => SVGElement} */
  const text = (at, down, said, anchor = "start") => svg("text", { x: at, y: down, "text-anchor": anchor }, said);
  const last = now.at(-1);
  /** @type {(kind: string, called: string, value: number | null | undefined) => Element[]} */
  const key = (kind, called, value) =>
    (value ?? null) === null ? [] : [element("span", { class: kind }, `${called} ${number(value, isCost ? 2 : 3)}`)];
  const named = [...key("of-now", "now", last?.[1]), ...key("of-before", "before", before.at(-1)?.[1]), ...key("of-guess", "guessing", guess)];
  const said = `${name}${last ? `: ${number(last[1], 3)} after ${many(last[0])} pairs` : ", of no run yet"}`;
  const drawn = svg("svg", { viewBox: "0 0 340 166", role: "img", "aria-label": said });
  for (const tick of highest === 1 ? [0, 0.5, 1] : [0, Math.round(highest / 2), Math.floor(highest)])
    drawn.append(svg("path", { d: `M${left} ${y(tick)}H${right}`, class: "grid" }), text(left - 5, y(tick) + 4, `${tick}`, "end"));
  drawn.append(text(right, 158, `${many(most)} pairs`, "end"), text(left, 158, "0"));
  if (guess !== null) drawn.append(svg("path", { d: `M${left} ${y(guess)}H${right}`, class: "guess" }));
  drawn.append(svg("path", { d: way(before), class: "before" }), svg("path", { d: way(now), class: "now" }));
  if (last) drawn.append(svg("circle", { cx: x(last[0]), cy: y(last[1]), r: 4, class: "point" }));
  return element("figure", {}, element("figcaption", {}, element("span", {}, name), ...named), drawn);
}

// fill in each <div class="training" data-folder="…" data-query="…">
for (const root of document.querySelectorAll(".training[data-folder]")) training(root, root.dataset);
