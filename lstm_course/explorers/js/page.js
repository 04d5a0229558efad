// A reader in a page. Its models and titles are scripts, because a page opened from a folder can
// load nothing else. If the page has loaded them before this script, the reader is drawn, at its
// final size, before the rest of the page is laid out.

/** @type {(folder: string, models: Record<string, string>) => Source} */
function fromScripts(folder, models) {
  /** @type {Record<string, Model>} */
  const ready = {};
  /** @type {(name: string) => Model} */
  const modelOf = (name) => (ready[name] ??= unpacked(self.lstm_edu[name]));
  /** @type {(wanted: Wanted) => Seen[]} */
  const seen = (wanted) => wanted.map(([asked, name]) => look(modelOf(name), asked, self.lstm_edu.titles));
  /** @type {(wanted: Wanted) => Seen[] | Promise<Seen[]>} */
  const lookAt = (wanted) => {
    const missing = ["titles", ...wanted.map(([, name]) => name)].filter((name) => !isThere(name));
    const all = missing.map((name) => loaded(folder, name));
    return all.length ? Promise.all(all).then(() => seen(wanted)) : seen(wanted);
  };
  return { models, names: Object.keys(models), look: lookAt };
}

// <div class="reader" data-folder="…" data-models='{"lstm_32": "LSTM of 32 cells"}' data-query="…">
for (const root of document.querySelectorAll(".reader[data-models]")) {
  const { folder, models, query, title, compare, swap, measured, open } = root.dataset;
  /** @type {Record<string, string>} */
  const start = { query, title, compare, swap };
  for (const name of Object.keys(start)) start[name] ??= "";
  const source = fromScripts(folder, JSON.parse(models)), options = { guided: true, measured, open };
  if (root.dataset.address === undefined) reader(root, source, start, options);
  else addressed((first, drawn) => reader(root, source, { ...start, ...first }, { ...options, drawn }));
}
