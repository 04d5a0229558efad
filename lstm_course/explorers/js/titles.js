// The ten best titles, which move to their new ranks, unless the user prefers reduced motion.
// Compared with a previous list, new titles are marked, and titles that have left are listed.

const SLIDE = { duration: 300, easing: "ease-out" };
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {(onTake: (title: string) => void) => {root: Element, draw: (best: Ranked | null, read: string, before?: Ranked | null, isHeld?: boolean) => void}} */
function titleList(onTake) {
  const root = element("div", { class: "reader-best" }), body = element("tbody");
  const what = element("th", { scope: "col" });
  const head = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "cosine"), what));
  const table = element("table", {}, head, body), left = element("details", { class: "reader-gone" });
  const rows = new Map();

  /** @type {(title: string) => any} */
  function row(title) {
    const score = element("td"), mark = element("span", { class: "reader-new" });
    const take = element("button", { type: "button", class: "reader-title", dir: "auto" }, titleOf(title));
    take.addEventListener("click", () => onTake(title));
    const made = element("tr", {}, score, element("td", {}, element("div", {}, take, mark)));
    return Object.assign(made, { score, mark, take });
  }

  // `before` is the previous list of [cosine, title], like `best`, or null.
  /** @type {(best: Ranked | null, read: string, before?: Ranked | null, isHeld?: boolean) => void} */
  function draw(best, read, before = null, isHeld = false) {
    if (!best?.length) {
      rows.clear();
      body.replaceChildren();
      const why = isHeld ? "Nothing is left to rank by" : "Nothing known has been read yet";
      return root.replaceChildren(best && read ? `${why}, so there are no titles to show.` : "");
    }
    const from = new Map(isCalm() ? [] : [...rows].map(([key, one]) => [key, one.getBoundingClientRect().top]));
    const wasAt = table.getBoundingClientRect().top, met = new Map(), keys = [];
    for (const [score, title] of best) {
      met.set(title, (met.get(title) ?? 0) + 1);
      const key = `${met.get(title)} ${title}`; // a title may occur twice
      if (!rows.has(key)) rows.set(key, row(title));
      const one = rows.get(key), isNew = before !== null && !before.some(([, other]) => other === title);
      one.score.textContent = number(score, 3);
      one.mark.textContent = isNew ? "new" : "";
      keys.push(key);
    }
    for (const key of rows.keys()) if (!keys.includes(key)) rows.delete(key);
    const now = keys.map((key) => rows.get(key));
    // replace rows only if their order changes, so that the focus stays where it is
    if (now.some((one, k) => body.children[k] !== one) || body.children.length > now.length) body.replaceChildren(...now);
    what.textContent = `best titles for: ${read}`;
    const gone = (before ?? []).filter(([, title]) => !best.some(([, other]) => other === title));
    left.hidden = !gone.length;
    left.replaceChildren(
      element("summary", {}, `${gone.length} of the ten have left`),
      element("ul", {}, ...gone.map(([, title]) => element("li", {}, element("del", { dir: "auto" }, titleOf(title))))),
    );
    if (table.parentNode !== root) root.replaceChildren(table, left);
    if (from.size) slide(keys, from, table.getBoundingClientRect().top - wasAt);
  }

  /** @type {(keys: string[], from: Map<string, number>, moved: number) => void} */
  function slide(keys, from, moved) {
    /** @type {any[]} */
    const by = keys.map((key) => from.has(key) && from.get(key) + moved - rows.get(key).getBoundingClientRect().top);
    keys.forEach((key, k) => {
      const one = rows.get(key);
      one.getAnimations().forEach((before) => before.cancel());
      if (by[k] === false) one.animate([{ opacity: 0 }, { opacity: 1 }], SLIDE);
      else if (by[k]) one.animate([{ transform: `translateY(${by[k]}px)` }, { transform: "none" }], SLIDE);
    });
  }
  return { root, draw };
}
