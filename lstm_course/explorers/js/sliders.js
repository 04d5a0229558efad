// Sliders over a figure that the kernel draws: the page sets `chosen`, the kernel sets `shown`
// (lstm_course/explorers/widget.py).

/** @type {(view: {model: any, el: Element}) => () => void} */
function render({ model, el }) {
  const { settings, name } = model.get("given"), root = placeIn(el, model.get("given"));
  const drawn = element("div"), said = element("p", { class: "reader-said", role: "status" });
  const fields = settings.map(({ name: setting, values }) => {
    const id = `${name}-${setting}`, max = values.length - 1;
    const input = element("input", { id, type: "range", min: 0, max, step: 1 });
    const value = element("output", { for: id });
    const tell = () => {
      const now = model.get("chosen")[setting];
      input.value = now;
      value.textContent = values[now];
      input.setAttribute("aria-valuetext", values[now]);
    };
    input.addEventListener("input", () => {
      model.set("chosen", { ...model.get("chosen"), [setting]: Number(input.value) });
      model.save_changes();
      said.textContent = "Computing …";
      tell();
    });
    tell();
    const label = element("label", { for: id }, `${setting} = `, value);
    return element("div", { class: "reader-field" }, label, input);
  });
  const draw = () => {
    const { html, chosen } = model.get("shown");
    drawn.innerHTML = html; // safe, because Python has escaped all texts
    if (settings.every((one) => chosen[one.name] === model.get("chosen")[one.name]))
      said.textContent = "";
  };
  const changed = () => {
    draw();
    keep(model, model.get("shown").html);
  };
  root.append(element("div", { class: "reader-asked" }, ...fields), said, drawn);
  draw();
  model.on("change:shown", changed);
  return () => model.off("change:shown", changed);
}

export default { render };
