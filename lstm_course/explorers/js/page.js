// A reader in a page. Its models and titles are scripts, because a page opened from a folder can
// load nothing else. If they are above this script in the page, the reader is drawn, at its final
// size, before the rest of the page is laid out.

// Make a source for the reader. `file` is the page's file name if the page itself contains the
// model, and undefined if the models are in scripts.
/** @type {(folder: string, models: Record<string, string>, file?: string) => Source} */
function fromScripts(folder, models, file) {
  /** @type {Record<string, Model>} */
  const ready = {};
  const names = Object.keys(models), [first] = names;
  /** @type {(name: string) => Model} */
  const modelOf = (name) => (ready[name] ??= unpacked(self.lstm_edu[name]));
  /** @type {(wanted: string[]) => Promise<any>[]} */
  const loads = (wanted) => ["titles", ...wanted].filter((name) => !isThere(name)).map((name) => loaded(folder, name));
  /** @type {Source} */
  const source = {
    models,
    names,
    own: null,
    scripts: file ? [] : names.map((name) => `${folder}${name}.js`),
    whose: file ? "this page’s" : "the course’s",
    files: () => {
      const { modelFrom, titlesFrom } = source.own ?? {};
      const scripts = names.map((name) => [name, file ?? `${name}.js`]);
      return { models: { ...Object.fromEntries(scripts), ...(modelFrom && { [first]: modelFrom }) }, titles: titlesFrom ?? file };
    },
    course: () => Promise.all(loads([first])).then(() => ({ model: modelOf(first), titles: self.lstm_edu.titles })),
    look(wanted) {
      const { own } = source;
      const seen = () =>
        wanted.map(([asked, name]) =>
          own && name === first ? look(own.model, asked, own.titles) : look(modelOf(name), asked, own ? null : self.lstm_edu.titles),
        );
      const all = loads(wanted.map(([, name]) => name));
      return all.length ? Promise.all(all).then(seen) : seen();
    },
  };
  return source;
}

// fill in each element such as
// <div class="reader" data-folder="…" data-models='{"lstm_32": "LSTM of 32 cells"}' data-query="…">
for (const root of document.querySelectorAll(".reader[data-models]")) {
  const { folder, models, query, title, compare, swap, measured, open, alone } = root.dataset;
  /** @type {Record<string, string>} */
  const start = { query, title, compare, swap };
  for (const name of Object.keys(start)) start[name] ??= "";
  const file = alone === undefined ? undefined : decodeURIComponent(location.pathname).split("/").at(-1);
  const source = fromScripts(folder, JSON.parse(models), file), options = { guided: !file, measured, open };
  if (root.dataset.address === undefined) reader(root, source, start, options);
  else addressed((first, drawn) => reader(root, source, { ...start, ...first }, { ...options, drawn }));
}
