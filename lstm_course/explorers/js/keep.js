// Put a picture into the output that is for it. JupyterLab forgets, when its page is loaded again,
// which one the kernel would update, so that it is done here; elsewhere the kernel does it.
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

// A reader's or sliders' place in a cell; the picture that was kept gives way to it.
/** @type {(el: Element, given: {name: string}) => Element} */
function placeIn(el, { name }) {
  // keys that are pressed here are no commands of JupyterLab's
  const root = element("div", { class: "reader", "data-lm-suppress-shortcuts": "true" });
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(element("style", {}, `.reader-last[data-reader="${name}"] { display: none; }`), root);
  return root;
}
