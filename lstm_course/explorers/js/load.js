// A page that is opened from a folder may load only scripts: each stores its content in lstm_edu,
// under its file's name.

/** @type {Record<string, Promise<any>>} */
const loads = {};
/** @type {(name: string) => boolean} */
const isThere = (name) => self.lstm_edu?.[name] !== undefined;

// Wait until a script has done so; after a failure the next call tries again.
/** @type {(folder: string, name: string) => Promise<any>} */
function loaded(folder, name) {
  return (loads[name] ??= new Promise((done, failed) => {
    const script = element("script", { src: `${folder}${name}.js` });
    const fail = () => {
      delete loads[name];
      script.remove();
      failed(Error(`${script.src} can't be loaded. Try again.`));
    };
    script.onload = () => (isThere(name) ? done(name) : fail());
    script.onerror = fail;
    document.head.append(script);
  }));
}
