// Keep the reader's state in the page's address, after #query=, so that the state can be shared and
// survives a reload. Other fragments of the address, such as links to headings, work as usual.

const NUMBERS = ["t", "s"];

/** @type {(hash: string) => any} */
function inAddress(hash) {
  if (!hash.startsWith("#query=")) return null;
  const found = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  /** @type {any} */
  const state = Object.fromEntries(Object.keys(START).flatMap((name) => (name in found ? [[name, found[name]]] : [])));
  for (const name of NUMBERS) state[name] = /^\d+$/.test(state[name] ?? "") ? Number(state[name]) : null;
  return state;
}

/** @type {(state: ReaderState) => string} */
function addressOf(state) {
  const said = Object.keys(START).filter((name) => name === "query" || (state[name] ?? "") !== (START[name] ?? ""));
  return `#${new URLSearchParams(said.map((name) => [name, state[name]]))}`;
}

// Make a reader with the state in the address. Then update the address only when the user pauses,
// because browsers limit the number of changes per second.
/** @type {(make: (first: object, drawn: (state: ReaderState) => void) => {to: (part: object) => void}) => void} */
function addressed(make) {
  let calm, mine = null;
  const made = make(inAddress(location.hash) ?? {}, (state) => {
    clearTimeout(calm);
    const address = addressOf(state);
    if (mine === null) return void (mine = address); // the first state is already in the address
    calm = setTimeout(() => {
      mine = address;
      history.replaceState(null, "", address);
    }, QUIET);
  });
  addEventListener("hashchange", () => {
    const state = inAddress(location.hash);
    if (state && location.hash !== mine) made.to({ ...START, ...state });
  });
}
