// Make a row of radio buttons that is a single tab stop; arrow keys move between the buttons. Such
// rows choose a word of a text, a map, a range, or the state of a gate.
/** @type {(label: string, onChoose: (value: any) => void) => {root: Element, show: (options: Option[], chosen: any) => void}} */
function choice(label, onChoose) {
  const root = element("div", { class: "reader-choice", role: "radiogroup", "aria-label": label });
  /** @type {any[]} */
  let values = [];
  /** @type {(k: number) => void} */
  const take = (k) => {
    onChoose(values[k]);
    root.children[k]?.focus();
  };
  root.addEventListener("click", (event) => {
    const k = [...root.children].indexOf(event.target.closest("button"));
    if (k >= 0) take(k);
  });
  root.addEventListener("keydown", (event) => {
    const k = [...root.children].indexOf(document.activeElement), n = values.length;
    const to = { ArrowLeft: k - 1, ArrowUp: k - 1, ArrowRight: k + 1, ArrowDown: k + 1, Home: 0, End: n - 1 }[event.key];
    if (k < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    take(Math.max(0, Math.min(n - 1, to)));
  });

  // Options are {value, text, label, class}; buttons are reused, to keep the focus.
  /** @type {(options: Option[], chosen: any) => void} */
  function show(options, chosen) {
    values = options.map(({ value }) => value);
    while (root.children.length > options.length) root.lastChild.remove();
    while (root.children.length < options.length) root.append(element("button", { type: "button", role: "radio" }));
    const at = Math.max(0, values.indexOf(chosen));
    options.forEach((option, k) => {
      const button = root.children[k], is = values[k] === chosen;
      if (button.textContent !== option.text) button.textContent = option.text;
      button.className = option.class ?? "";
      button.setAttribute("aria-checked", is);
      button.tabIndex = k === at ? 0 : -1;
      if (option.label) button.setAttribute("aria-label", option.label);
      else button.removeAttribute("aria-label");
    });
    // if the buttons don't fit, scroll the row, but not the page, to the chosen button
    requestAnimationFrame(() => {
      const button = root.children[at];
      if (button && root.scrollWidth > root.clientWidth)
        root.scrollLeft = button.offsetLeft - root.offsetLeft - (root.clientWidth - button.offsetWidth) / 2;
    });
  }
  return { root, show };
}
