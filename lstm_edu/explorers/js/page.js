// A reader in a page: its model and titles are scripts that lie beside the page, for a page that is
// opened from a folder may load nothing else.

const loads = {};

// A script's content, which it keeps under its file's name in lstm_edu.
function loaded(folder, name) {
  return (loads[name] ??= new Promise((done, failed) => {
    const script = element("script", { src: `${folder}${name}.js` });
    script.onload = () => done(self.lstm_edu[name]);
    script.onerror = () => failed(Error(`${script.src} is missing.`));
    document.head.append(script);
  }));
}

function fromScripts(folder, models) {
  const ready = {};
  let titles;
  const get = async (name) => {
    titles = await loaded(folder, "titles");
    ready[name] = unpacked(await loaded(folder, name));
  };
  const seen = (wanted) => wanted.map(([asked, name]) => look(ready[name], asked, titles));
  const lookAt = (wanted) => {
    const missing = wanted.map(([, name]) => name).filter((name) => !ready[name]);
    return missing.length ? Promise.all(missing.map(get)).then(() => seen(wanted)) : seen(wanted);
  };
  return { models, names: Object.keys(models), look: lookAt };
}

// <div class="reader" data-folder="…" data-models='{"lstm_32": "LSTM of 32 cells"}' data-query="…">
function startAll() {
  for (const root of document.querySelectorAll(".reader[data-models]")) {
    const { folder, models, query, title, compare, swap } = root.dataset;
    const start = { query, title, compare, swap };
    for (const name of Object.keys(start)) start[name] ??= "";
    reader(root, fromScripts(folder, JSON.parse(models)), start);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
else startAll();
