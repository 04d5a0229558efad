// Three descent paths (lesson 06) from a draggable start, and Nesterov's look-ahead points.

const CURVATURE = [1, 40], RACE_FIRST = { start: [-4, 1], mu: 0.9, epsilon: 0.02, k: 2 };
const FRAME = [[-4.6, 3.2], [-1.3, 1.3]]; // ranges of w1 and w2
const WAYS = ["gradient descent", "momentum", "Nesterov’s"]; // styled by index in the CSS: way-0, …
const UPDATES = 400, SHOWN = 100;
/** @type {(w: number[]) => number} */
const costAt = (w) => w.reduce((sum, x, j) => sum + CURVATURE[j] * x * x, 0) / 2;

// Compute the parameters before the first and after each update, and the points at which the
// gradients are taken.
/** @type {(start: number[], mu: number, isAhead: boolean, epsilon: number) => Way} */
function descend(start, mu, isAhead, epsilon) {
  let w = start, change = [0, 0];
  const path = [w], looked = [];
  for (let k = 0; k < UPDATES; k++) {
    const before = change, here = w.map((x, j) => (isAhead ? x + mu * before[j] : x));
    change = before.map((d, j) => mu * d - epsilon * CURVATURE[j] * here[j]); // (6)
    w = w.map((x, j) => x + change[j]);
    looked.push(here);
    path.push(w);
  }
  return { path, looked };
}

/** @type {(from: Racing) => Way[]} */
function racing({ start, mu, epsilon }) {
  /** @type {[number, boolean][]} */
  const ways = [[0, false], [mu, false], [mu, true]];
  return ways.map(([own, isAhead]) => descend(start, own, isAhead, epsilon));
}

// Return the number of updates after which the cost stays below 0.001, or Infinity.
/** @type {(way: Way) => number} */
function arrival({ path }) {
  const late = path.findLastIndex((w) => !(costAt(w) <= 0.001)) + 1;
  return late > UPDATES ? Infinity : late;
}

// Write whether Nesterov's momentum wins the race, and when each path arrives.
/** @type {(arrivals: number[]) => string} */
function verdictOf(arrivals) {
  const soonest = Math.min(...arrivals), n = arrivals.filter((x) => x === soonest).length;
  const after = (x) => (x < Infinity ? x : `not in ${UPDATES}`);
  const told = WAYS.map((way, k) => `${way} ${after(arrivals[k])}`).join(", ");
  const own = arrivals[2] > soonest ? "has lost" : n > 1 ? "is level" : "wins";
  const first = soonest === Infinity ? "Nobody arrives" : `${WAYS[2]} ${own}`;
  return `${first}. Updates until the cost stays below 0.001: ${told}.`;
}

/** @type {(from: Racing) => string} */
const pythonOfRace = ({ start, mu, epsilon, k }) => `import numpy as np

curvature, mu, epsilon = np.array(${literal(CURVATURE)}), ${mu}, ${epsilon}
ways = {"gradient descent": (0, False), "momentum": (mu, False), "Nesterov's": (mu, True)}
for name, (mu, ahead) in ways.items():
    w, change = np.array(${literal(start)}, float), np.zeros(2)
    for k in range(${k}):
        here = w + mu * change if ahead else w
        change = mu * change - epsilon * curvature * here  # (6)
        w = w + change
    print(name, w, (curvature * w**2).sum() / 2)`;

/** @type {(root: Element, id: string) => void} */
function race(root, id) {
  /** @type {any} */
  const state = {};
  let running;
  const of = (name, called, min, max, step, set = (x) => (state[name] = x)) =>
    slider(`${id}-${name}`, called, { min, max, step }, (x) => (stop(), set(x), draw()));
  const starts = [
    of("w1", "start w₁ =", -4, 3, 0.1, (x) => (state.start = [x, state.start[1]])),
    of("w2", "start w₂ =", -1.2, 1.2, 0.1, (x) => (state.start = [state.start[0], x])),
  ];
  const mu = of("mu", "μ =", 0, 0.98, 0.01);
  const epsilon = of("epsilon", "ε =", 0.002, 0.08, 0.001);
  const updates = of("k", "update", 0, SHOWN, 1);
  const run = button("Run", () => (running ? stop() : go()), { class: "first" });
  const said = element("p", { role: "status" });
  // a redraw keeps the element that is being dragged, because removing it would end the drag
  const hold = svg("circle", { class: "hold", r: 22 }), scene = svg("g");
  const map = svg("svg", { role: "img" }, scene, hold), curves = element("div");
  const python = pythonPart(() => pythonOfRace(state));
  const names = [...WAYS.map((way, k) => [`way-${k}`, way]), ["ghost", "where Nesterov’s looks"]];
  const legend = names.map(([of, name]) => element("span", { class: of }, name));
  root.replaceChildren(
    element("div", { class: "asked" }, ...starts.map(({ both }) => both), mu.both, epsilon.both),
    element("div", { class: "asked" }, updates.both, run, button("Start again", start)),
    said,
    element("p", { class: "legend" }, ...legend),
    element("div", { class: "pictures" }, map, curves),
    python.root,
  );

  function go() {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    state.k = isCalm ? SHOWN : state.k % SHOWN;
    if (isCalm) return draw();
    running = setInterval(() => (++state.k === SHOWN && stop(), draw()), 60);
    run.textContent = "Pause";
  }

  function stop() {
    running = clearInterval(running);
    run.textContent = "Run";
  }

  function start() {
    stop();
    Object.assign(state, RACE_FIRST);
    draw();
  }

  // Drag the start with a finger or the mouse.
  function dragged(event) {
    const box = map.getBoundingClientRect();
    const [right, down] = [event.clientX - box.left, event.clientY - box.top];
    const parts = [right / box.width, 1 - down / box.height];
    state.start = parts.map((part, j) => {
      const [min, max] = [starts[j].input.min, starts[j].input.max].map(Number), [low, high] = FRAME[j];
      return Math.round(10 * Math.max(min, Math.min(max, low + part * (high - low)))) / 10;
    });
    draw();
  }
  const release = () => removeEventListener("pointermove", dragged);
  hold.addEventListener("touchstart", (event) => event.preventDefault()); // don't scroll the page
  hold.addEventListener("pointerdown", () => {
    stop();
    addEventListener("pointermove", dragged);
    addEventListener("pointerup", release, { once: true });
    addEventListener("pointercancel", release, { once: true });
  });

  function draw() {
    const values = [...state.start, state.mu, state.epsilon, state.k], digits = [1, 1, 2, 3, 0];
    for (const [k, { input, value }] of [...starts, mu, epsilon, updates].entries()) {
      input.value = values[k];
      value.textContent = ` ${number(values[k], digits[k])}`;
    }
    const ways = racing(state), told = verdictOf(ways.map(arrival));
    if (said.textContent !== told) said.textContent = told;
    const room = Math.max(280, root.clientWidth - 26), wide = room > 640 ? room / 2 - 6 : room;
    const [cx, cy] = valley(map, scene, ways, state, wide);
    filled(hold, { cx, cy }, []);
    curves.replaceChildren(costs(ways, state.k, wide));
    python.draw();
  }

  start();
  new ResizeObserver(draw).observe(root);
}

// markers of the three rules: a square, a triangle, a disc
const MARKS = ["m-3-3h6v6h-6z", "m0-4l4 7h-8z", "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0"];
/** @type {(points: number[][]) => string[][]} */
const placed = (points) => points.map((point) => point.map((x) => x.toFixed(1)));
/** @type {(points: number[][]) => string} */
const lineOf = (points) => `M${placed(points).join("L")}`;

/** @type {(k: number, points: number[][], marked?: number[][]) => SVGElement} */
function wayOf(k, points, marked = points) {
  const marks = placed(marked).map((point) => `M${point}${MARKS[k]}`).join("");
  const line = svg("path", { class: "line", d: lineOf(points) });
  return svg("g", { class: `way-${k}` }, line, svg("path", { class: "mark", d: marks }));
}

// Draw the paths up to update k on the contour map; return the start's position.
/** @type {(map: Element, scene: Element, ways: Way[], from: Racing, width: number) => number[]} */
function valley(map, scene, ways, { start, k }, width) {
  const height = Math.round(0.62 * width), far = 1e4;
  const at = (w) => w.map((x, j) => {
    const [low, high] = FRAME[j], near = Math.max(-far, Math.min(far, x || 0));
    const part = (near - low) / (high - low);
    return j ? height * (1 - part) : width * part;
  });
  const [x0, y0] = at([0, 0]), [x1, y1] = at(start);
  const rings = [0.1, 0.5, 1.5, 4, 8, 16, 26].map((L) => {
    const [x, y] = at([Math.sqrt(2 * L), Math.sqrt((2 * L) / CURVATURE[1])]);
    return svg("ellipse", { class: "ring", cx: x0, cy: y0, rx: x - x0, ry: y0 - y });
  });
  const drawn = ways.map(({ path }, j) => wayOf(j, path.slice(0, k + 1).map(at)));
  const { path, looked } = ways[2], ghost = [];
  if (k) {
    const [from, by, to] = [path[k - 1], looked[k - 1], path[k]].map(at);
    ghost.push(svg("path", { class: "ahead", d: lineOf([from, by]) }));
    ghost.push(svg("path", { class: "brake", d: lineOf([by, to]) }));
    ghost.push(svg("circle", { class: "ghost", cx: by[0], cy: by[1], r: 8 }));
  }
  const where = ways.map((way, j) => `${WAYS[j]} ${way.path[k].map((x) => number(x)).join(", ")}`);
  const said = `The valley from above, after ${k} updates: ${where.join("; ")}`;
  const bottom = svg("path", { class: "bottom", d: `M${x0 - 7} ${y0}h14M${x0} ${y0 - 7}v14` });
  filled(map, { width, height, "aria-label": said }, []);
  const first = svg("circle", { class: "start", cx: x1, cy: y1, r: 9 });
  scene.replaceChildren(...rings, bottom, ...drawn, ...ghost, first);
  return [x1, y1];
}

// Plot the cost by update, from 100 to 0.0001, with a line at 0.001. A path arrives when its cost
// stays below the line.
/** @type {(ways: Way[], k: number, width: number) => SVGElement} */
function costs(ways, k, width) {
  const height = Math.round(0.62 * width), left = 44, bottom = height - 22, right = width - 8;
  const x = (update) => left + (update / SHOWN) * (right - left);
  const y = (L) => 8 + ((2 - Math.max(-4, Math.min(2, Math.log10(L)))) / 6) * (bottom - 8);
  const text = (a, b, said, anchor) => svg("text", { x: a, y: b, "text-anchor": anchor }, said);
  /** @type {[number, string][]} */
  const marks = [[100, "100"], [1, "1"], [0.001, "0.001"]];
  const grid = marks.flatMap(([L, said]) => [
    svg("path", { class: L < 1 ? "arrived" : "ring", d: `M${left} ${y(L)}H${right}` }),
    text(left - 5, y(L) + 4, said, "end"),
  ]);
  const drawn = ways.map(({ path }, j) => {
    const points = path.slice(0, SHOWN + 1).map((w, n) => [x(n), y(costAt(w) || 1e-9)]);
    return wayOf(j, points, points.filter((_, n) => n % 10 === 5));
  });
  const now = svg("path", { class: "now", d: `M${x(k)} 8V${bottom}` });
  const end = text(right, height - 6, `L(w) by update, to ${SHOWN}`, "end");
  const where = ways.map(({ path }, j) => `${WAYS[j]} ${costAt(path[k]).toPrecision(2)}`).join(", ");
  const said = `The cost by update, log scale; after ${k}: ${where}`;
  return svg("svg", { width, height, role: "img", "aria-label": said }, ...grid, now, ...drawn, end);
}
