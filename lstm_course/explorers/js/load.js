// A page opened from a folder can load only scripts, so models and texts are scripts, each of which
// stores its content in self.lstm_edu, under the script's file name.

/** @type {Record<string, Promise<any>>} */
const loads = {};
/** @type {(name: string) => boolean} */
const isThere = (name) => self.lstm_edu?.[name] !== undefined;

// Load a script and wait for its content; after a failure the next call tries again.
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
