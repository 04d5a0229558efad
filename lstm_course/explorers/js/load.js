// A page that is opened from a folder may load scripts and nothing else: each keeps its content
// under its file's name in lstm_edu.

/** @type {Record<string, Promise<any>>} */
const loads = {};
/** @type {(name: string) => boolean} */
const isThere = (name) => self.lstm_edu?.[name] !== undefined;

// Until a script has done so.
/** @type {(folder: string, name: string) => Promise<any>} */
function loaded(folder, name) {
  return (loads[name] ??= new Promise((done, failed) => {
    const script = element("script", { src: `${folder}${name}.js` });
    script.onload = done;
    script.onerror = () => failed(Error(`${script.src} is missing.`));
    document.head.append(script);
  }));
}
