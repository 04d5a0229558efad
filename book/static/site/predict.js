// "Predict first" takes an answer: one chooses, or writes, and then the worked answer opens, with
// the guess above it. What was said is kept in this browser alone. Without JavaScript the answer is
// folded. Called where a question ends, so that nothing has been laid out yet.
/** @type {(script: any) => void} */
function predict(script) {
  let answer = script.previousElementSibling;
  while (answer.tagName === "SCRIPT") answer = answer.previousElementSibling;
  const list = answer.previousElementSibling.tagName === "UL" ? answer.previousElementSibling : null;
  const asked = (list ?? answer).previousElementSibling;
  /** @type {(text: string) => string | undefined} */
  const letter = (text) => text.match(/\(([a-d])\)/)?.[1];
  const right = list && letter(answer.textContent);
  const key = `predict ${location.pathname.split("/").pop()} ${asked.textContent.slice(0, 80)}`;
  /** @type {(what?: string | null) => string | null} */
  const keep = (what) => {
    try {
      if (what === undefined) return localStorage.getItem(key);
      if (what === null) localStorage.removeItem(key);
      else localStorage.setItem(key, what);
    } catch { /* a browser may keep nothing for a file */ }
    return null;
  };
  /** @type {(tag: string, how?: object, ...inside: (Node | string)[]) => any} */
  const made = (tag, how, ...inside) => {
    const one = Object.assign(document.createElement(tag), how);
    one.append(...inside);
    return one;
  };
  /** @type {(how: object, ...inside: (Node | string)[]) => HTMLButtonElement} */
  const button = (how, ...inside) => made("button", { type: "button", ...how }, ...inside);
  const said = made("p", { className: "guess" });
  said.setAttribute("role", "status");
  /** @type {(guess: string) => string} */
  const told = (guess) => {
    if (!guess) return "No guess this time.";
    if (!right) return `You said: ${guess}.`;
    return guess === right ? `You said (${guess}). So it is.` : `You said (${guess}). It is (${right}).`;
  };

  const choices = [...(list?.children ?? [])].map((item) => {
    const one = button({ onclick: () => say(letter(item.textContent)) }, ...(item.querySelector("p") ?? item).childNodes);
    item.replaceChildren(one);
    return one;
  });
  const field = made("input", { type: "text", size: 12, maxLength: 60, autocomplete: "off" });
  // not a form, which a sandboxed frame may refuse to submit; the key must not reach the new focus
  const compare = () => field.value.trim() && say(field.value.trim());
  field.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && (event.preventDefault(), compare()));
  const label = made("label", {}, "Your guess: ", field);
  const form = list ? "" : made("span", {}, label, button({ onclick: compare }, "Compare"));
  const pass = button({ onclick: () => say("") }, "I can't say");
  const again = button({ onclick: () => { keep(null); ask(); (choices[0] ?? field).focus(); } }, "Ask me again");
  const place = made("div", { className: "predict" }, form, pass);
  answer.before(place);
  answer.querySelector("summary").after(said);
  answer.append(again);
  list?.classList.add("predict");

  function ask() {
    answer.open = false;
    answer.hidden = true;
    place.hidden = false;
    said.textContent = field.value = "";
    for (const one of choices) one.disabled = false, one.className = "";
  }
  /** @type {(guess: string, now?: boolean) => void} */
  function say(guess, now = true) {
    keep(guess);
    answer.hidden = false;
    answer.open = true;
    place.hidden = true;
    said.textContent = told(guess);
    for (const one of choices) {
      const own = letter(one.textContent);
      one.disabled = true;
      one.className = own === right ? "right" : own === guess ? "wrong" : "";
    }
    if (now) answer.querySelector("summary").focus();
  }
  const before = keep();
  if (before === null) ask();
  else say(before, false);
}
