// Functions that tests run in a page, by `call` of chromium.py.

const until = async (isReady) => {
  while (!isReady()) await new Promise((next) => setTimeout(next, 50));
};

// Wait until the window has this width and the page's scripts have reacted to it.
const wide = async (width) => {
  while (innerWidth !== width) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
};

// ---- pages: visits.py

// Wait until the formulas are typeset, and finish all transitions and animations.
const settled = async () => {
  document.head.append(Object.assign(document.createElement("style"),
    {textContent: "*, ::before, ::after { transition: none !important }"}));
  await Promise.all([window.MathJax?.startup?.promise, document.fonts.ready]);
  await new Promise(requestAnimationFrame);
  document.getAnimations().forEach(animation => animation.finish());
};

// Find a page's layout problems at a window width.
const look = (width) => {
  const all = document, style = getComputedStyle;
  const scrolls = e => { for (; e && e.tagName != "ARTICLE"; e = e.parentElement)
    if (e.tagName == "DETAILS" && !e.open
        || ["auto", "scroll", "hidden"].includes(style(e).overflowX)) return true; };
  const text = (all.querySelector("article") ?? all.body).cloneNode(true);
  text.querySelectorAll("pre, code, script, math, mjx-container").forEach(e => e.remove());
  const html = (e) => e.outerHTML.slice(0, 80);
  const found = (selector, isWrong) => [...all.querySelectorAll(selector)].filter(isWrong).map(html);
  return {stops: found("math, math *, mjx-container, mjx-container *",
            e => e.tabIndex >= 0 && !("scrolls" in e.dataset)),
          misread: found("[data-mjx-error]", () => true),
          raw: text.textContent.match(/.{0,40}([$][$]|\\mathbf|\\frac|\\delta).{0,40}/g) ?? [],
          cut: found("article pre", e => width >= 1280 && e.scrollWidth > e.clientWidth),
          nameless: found("article img", e => !e.alt || /[.](png|svg)$/.test(e.alt)),
          shrunk: found("article .cell_output img[width]",
            e => width < 900 && e.clientWidth < e.getAttribute("width") - 1),
          broken: found("img", e => !e.naturalWidth),
          sticks_out: found("article *",
            e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))};
};

// Remove elements that differ only in their words from two that axe has checked, on this page or
// an earlier one. Of several thousand elements, some hundred remain.
const once = (met) => {
  const style = getComputedStyle;
  const ground = e => /, 0\)$/.test(style(e).backgroundColor) && e.parentElement
    ? ground(e.parentElement) : style(e).backgroundColor;
  const bare = e => e.outerHTML.replace(/ (id|href|name|src|title|alt)="[^"]+"/g, " $1")
                               .replace(/>[^<]*[^<\s][^<]*/g, ">x");
  const kind = e => [e.parentElement.tagName, e.parentElement.className, bare(e), style(e).color,
                     ground(e.firstElementChild ?? e), style(e).font].join();
  [...document.querySelectorAll(".math > math, mjx-container")].slice(2)
    .forEach(e => e.replaceWith(e.textContent));
  [...document.querySelectorAll("pre > *, code > *, .sig > *, tbody > tr, li, p")].filter(e => {
    const of = kind(e);
    return (met[of] = (met[of] ?? 0) + 1) > 2;
  }).forEach(e => e.matches("tr, li, p") ? e.remove() : e.replaceWith(e.textContent));
  return met;
};

// Return the violations of the given rules that axe finds.
const violations = (rules) => {
  const named = {"label-content-name-mismatch": {enabled: true}};
  return axe.run(document, {runOnly: rules, rules: named, resultTypes: ["violations"]}).then(
    ({violations}) => violations.flatMap(v => v.nodes.map(n => [v.id, n.html.slice(0, 120)])),
    error => [String(error)]);
};

// ---- slides: test_slides.py

// Wait until the slides are shown.
const shown = () => until(() => window.Reveal?.isReady());

// Wait until the slides are shown, and their readers are drawn.
const drawn = () => until(() => window.Reveal?.isReady()
  && [...document.querySelectorAll(".reader")].every(e => e.querySelector(".reader-maps svg")));

// Find each slide's layout problems: parts that stick out, overlap, are cut, or are too small to
// read. If a key press adds a picture that fills the slide, look before and after it. A label is at
// least 25 of its picture's pixels high, and must be at least 14 pixels high on the slide.
const slides = async () => {
  const seen = [];
  const shown = e => e.getBoundingClientRect().width * e.getBoundingClientRect().height > 1;
  const clipped = e => { for (; e.tagName != "SECTION"; e = e.parentElement)
    if (e.matches(`.notes, mjx-assistive-mml, option, .reader input, .reader-title,
        .training-title, select`)) return true; };
  const texts = section => { const found = [], walk = document.createTreeWalker(section, 4);
    while (walk.nextNode()) {
      const text = walk.currentNode, range = document.createRange();
      range.selectNode(text);
      if (text.textContent.trim() && !clipped(text.parentElement) && shown(range))
        found.push([text.textContent.trim().slice(0, 40), range.getBoundingClientRect(),
                    parseFloat(getComputedStyle(text.parentElement).fontSize)
                      * text.parentElement.currentCSSZoom]);
    } return found; };
  const outside = ({left, top, right, bottom}) =>
    left < -1 || top < -1 || right > 1281 || bottom > 721;
  const html = e => e.outerHTML.slice(0, 80);
  const twice = e => e.querySelector(".whole, .lower") ? [-1, 99] : [99];
  for (const [section, f] of Reveal.getSlides().flatMap(e => twice(e).map(f => [e, f]))) {
    const {h, v} = Reveal.getIndices(section);
    Reveal.slide(h, v, f);
    await new Promise(next => requestAnimationFrame(() => setTimeout(next, 30)));
    const all = selector => [...section.querySelectorAll(selector)];
    const parts = [...section.children].filter(e => !e.matches(".notes") && shown(e));
    const boxes = parts.map(e => e.getBoundingClientRect()), read = texts(section);
    seen.push({
      isLast: f === 99,
      title: section.querySelector("h1, h2").textContent,
      notes: section.querySelector("aside.notes")?.textContent.trim().length ?? 0,
      isShown: all("mjx-container, img, svg").some(e => !e.closest(".notes")),
      isRead: all(".reader svg").length > 0,
      wrong: {
        faint: all("img").filter(shown).filter(e => {
          const {width, height} = e.getBoundingClientRect(), wide = width / e.naturalWidth;
          const part = e.matches(".high") ? wide : Math.min(wide, height / e.naturalHeight);
          return 25 * part < 13.99 || width < 300 || height < 240 || e.alt.length < 20;
        }).map(e => e.alt),
        misread: all("[data-mjx-error]").map(e => e.dataset.mjxError),
        raw: section.textContent.match(/.{0,30}([$][$]|\\mathbf|\\frac).{0,30}/g) ?? [],
        outside: [...parts.filter((e, k) => outside(boxes[k])).map(html),
                  ...read.filter(([, box]) => outside(box)).map(([text]) => text)],
        over: boxes.flatMap((a, j) => boxes.slice(j + 1).map((b, k) => [a, b, j, j + 1 + k]))
          .filter(([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                              && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
          .map(([, , j, k]) => html(parts[j]) + html(parts[k])),
        small: read.filter(([, , size]) => size < 17.9).map(([text, , size]) => `${text} ${size}`),
      },
    });
  }
  return seen;
};

// ---- instruments: test_instruments.py

// Return whether the focus is on the control with this text, class, value or end of its id.
const isReached = (name) => {
  const now = document.activeElement;
  return name ? now.id.endsWith(name) || [now.textContent, now.className, now.value].includes(name)
    : now.tagName === "INPUT";
};

// Return the page's width, the instruments' right end, and the smallest side of a control.
const fits = () => {
  const boxes = (s) => [...document.querySelectorAll(s)].map((e) => e.getBoundingClientRect());
  const parts = ":is(.reader, .training, .follow, .sentence)";
  const targets = `${parts} :is(button, select, input:not([type=radio]), fieldset label, .hold)`;
  const sizes = boxes(targets).flatMap(({width, height}) => width ? [width, height] : []);
  return [document.documentElement.scrollWidth, Math.max(...boxes(parts).map((b) => b.right)),
          Math.min(...sizes)];
};

// ---- JupyterLab: lab.py, test_jupyterlab.py

// Open the notebook, and return its panel when that is ready.
const opened = async (path = "notebook.ipynb") => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = await app.commands.execute("docmanager:open", {path});
  await panel.context.ready;
  await panel.sessionContext.ready;
  app.shell.activateById(panel.id);
  return panel;
};

const ready = async (path) => { await opened(path); };

const runAll = async (path) => {
  const panel = await opened(path);
  await panel.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
};

// Remove the stored outputs, so that outputs found later come from this run.
const clear = async (path) => {
  await opened(path);
  await window.jupyterapp.commands.execute("notebook:clear-all-cell-outputs");
};

// Save the notebook, and return its file's content as JSON.
const saved = async (path = "notebook.ipynb") => {
  await (await opened(path)).context.save();
  const {contents} = window.jupyterapp.serviceManager;
  return JSON.stringify((await contents.get(path, {content: true})).content);
};

const shutDown = async () => { await window.jupyterapp.serviceManager.sessions.shutdownAll(); };

// ---- exercises of the site: test_lite_exercises.py

const textOf = ({outputs = []}) => outputs.map(({text, evalue}) => text ?? evalue ?? "").join("");

// Write sources into cells of a notebook and run cells, given by ids; return what each printed.
const tried = async (path, sources, ids) => {
  const {content, sessionContext} = await opened(path), {model} = content;
  const at = (id) => [...model.cells].findIndex((cell) => cell.id === id);
  await sessionContext.session.kernel.info;
  for (const id in sources) model.cells.get(at(id)).sharedModel.setSource(sources[id]);
  const said = [];
  for (const id of ids) {
    content.activeCellIndex = at(id);
    await window.jupyterapp.commands.execute("notebook:run-cell");
    said.push(textOf(model.cells.get(at(id)).toJSON()));
  }
  return said;
};

// Return an open notebook's panel, and leave the focus where it is.
const panelOf = (path) =>
  [...window.jupyterapp.shell.widgets("main")].find(({context}) => context?.path === path);

const isSaved = (path) => !panelOf(path).context.model.dirty;

const cellsOf = (path) => [...panelOf(path).content.model.cells].map((cell) => cell.toJSON());

const sourceOf = (path, k) => cellsOf(path)[k].source;

const outputsOf = (path) => cellsOf(path).map(textOf);

// Return the focused notebook and cell, whether the cell is being edited, and its text.
const focused = () => {
  const now = document.activeElement, panels = [...window.jupyterapp.shell.widgets("main")];
  const panel = panels.find(({node}) => node.contains(now));
  const k = panel?.content.widgets?.findIndex(({node}) => node.contains(now)) ?? -1;
  return [panel?.context?.path, k, now.matches(".cm-content"), now.textContent];
};

const isAsked = () => Boolean(document.activeElement.closest(".jp-Dialog"));

// Return whether each intended formula on a page is drawn, unintended formulas, and links that
// would run code.
const formulas = () => {
  const drawn = [...document.querySelectorAll("mjx-container, .MathJax, math")];
  return {
    meant: [...document.querySelectorAll(".meant")].filter(e => !e.closest(".notes"))
      .map(e => drawn.some(f => e.contains(f))),
    others: drawn.filter(f => !f.closest(".meant")).map(f => f.parentElement.outerHTML),
    runs: [...document.querySelectorAll("a")].map(e => e.href?.baseVal ?? e.href)
      .filter(address => /^javascript:/i.test(address)),
    texts: document.body.textContent,
  };
};
