// Store a figure in its notebook output. In JupyterLab the page writes the output, because after a
// reload JupyterLab no longer knows which output the kernel updates. Elsewhere the kernel does it.
/** @type {(model: any, drawing: string) => void} */
function keep(model, drawing) {
  const { name, frame } = model.get("given"), html = frame.join(drawing);
  const notebook = model.widget_manager?.context?.model, isIt = (output) =>
    `${output.data["text/html"] ?? ""}`.includes(`data-reader="${name}"`);
  let found = false;
  for (const { outputs } of notebook?.cells ?? [])
    for (let k = 0; k < (outputs?.length ?? 0); k++)
      if (isIt(outputs.get(k))) {
        found = true;
        const { metadata } = outputs.get(k).toJSON();
        outputs.set(k, { output_type: "display_data", data: { "text/html": html }, metadata });
      }
  if (found) return;
  model.set("picture", html);
  model.save_changes();
}

// Make an element for a reader or sliders in a cell; it replaces the stored figure.
/** @type {(el: Element, given: {name: string}) => Element} */
function placeIn(el, { name }) {
  // keep JupyterLab from handling keys as commands
  const root = element("div", { class: "reader", "data-lm-suppress-shortcuts": "true" });
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(element("style", {}, `.reader-last[data-reader="${name}"] { display: none; }`), root);
  return root;
}
