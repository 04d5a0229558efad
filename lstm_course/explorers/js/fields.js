// Controls that several explorers use.

/** @type {(text: string, press: () => void, attributes?: object) => HTMLButtonElement} */
function button(text, press, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

// Make a slider with its name and value above it; `about` has the slider's attributes.
/** @type {(id: string, name: string, about: any, moved: (value: number) => void) => any} */
function slider(id, name, about, moved) {
  const input = element("input", { id, type: "range", ...about });
  const value = element("output", { for: id });
  input.addEventListener("input", () => moved(Number(input.value)));
  return { input, value, both: element("div", {}, element("label", { for: id }, name, value), input) };
}
