// Lines of Python that reproduce a picture's numbers in a notebook.

// Write texts, numbers and lists as Python literals, with invisible characters escaped.
/** @type {(value: any) => string} */
const literal = (value) => (Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : ofOne(value));
/** @type {(value: string | number) => string} */
const ofOne = (value) =>
  JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => {
    const hex = letter.codePointAt(0).toString(16);
    return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });

// Make a folded part that shows lines(), with a button that copies them. `scripts` has the
// addresses of the files that the lines read.
/** @type {(lines: () => string, scripts?: string[]) => {root: HTMLDetailsElement, draw: () => void}} */
function pythonPart(lines, scripts = []) {
  const code = element("pre", { tabindex: "0", role: "group", "aria-label": "lines of Python" }), said = element("span", { role: "status" });
  const copy = button("Copy", () => {
    getSelection().selectAllChildren(code);
    // unlike navigator.clipboard, execCommand needs no permission, and works on a file's page, too
    said.textContent = document.execCommand("copy") ? "Copied." : "Selected: press Ctrl+C.";
  });
  const files = scripts.map((href) => {
    const link = element("a", { href, download: "" }, `Save ${href.split("/").at(-1)}`);
    return element("p", {}, link, " in the notebook’s folder.");
  });
  const root = element("details", { class: "python" }, element("summary", {}, "Show this as Python"), code, copy, " ", said, ...files);
  const draw = () => {
    said.textContent = "";
    if (root.open) code.textContent = lines();
  };
  root.addEventListener("toggle", draw);
  return { root, draw };
}
