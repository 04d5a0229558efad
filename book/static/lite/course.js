// The course's part of JupyterLite: it saves, downloads and deletes answers, and starts a kernel per
// notebook. JupyterLite loads this file, not bundled, as a container of webpack's module federation.
{
  const {contentsStorageName: NAME} =
    JSON.parse(document.getElementById("jupyter-config-data").textContent);
  const FORGET = `forget ${NAME}`;
  const SURE = "Delete all answers, files and settings that this browser keeps for the course?\n\n"
    + "Download your answers first, and close the course's other tabs.";
  let shared;

  /** @type {(name: string) => Promise<any>} */
  const use = async (name) => (await /** @type {any} */ (Object.values(shared[name])[0]).get())();

  /** @type {(request: IDBRequest) => Promise<any>} */
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  const encode = (text) => new TextEncoder().encode(text);

  const bytes = ({format, content}) => format === "base64"
    ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    : encode(format === "json" ? `${JSON.stringify(content, null, 1)}\n` : content);

  // List the files that JupyterLite has stored, as [path, bytes].
  const stored = async () => {
    const database = await done(indexedDB.open(NAME));
    const files = await done(database.transaction("files").objectStore("files").getAll());
    database.close();
    return files.filter(({type}) => type !== "directory").map((file) => [file.path, bytes(file)]);
  };

  // ---- a zip archive without compression

  const REMAINDERS = Uint32Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = (n >>> 1) ^ (n & 1 ? 0xedb88320 : 0);
    return n;
  });
  const crc = (data) => ~data.reduce((sum, byte) => REMAINDERS[(sum ^ byte) & 255] ^ (sum >>> 8), -1);
  const words = (...numbers) => new Uint8Array(Uint16Array.from(numbers).buffer);
  const long = (number) => [number & 65535, number >>> 16];

  const zip = (files) => {
    const entries = [], index = [], now = new Date(), n = files.length;
    const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
    const date = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
    let at = 0, size = 0;
    for (const [path, data] of files) {
      const name = encode(path), length = long(data.length);
      // version 2.0, names in UTF-8, no compression
      const about = [20, 0x800, 0, time, date, ...long(crc(data)), ...length, ...length, name.length, 0];
      entries.push(words(0x4b50, 0x0403, ...about), name, data);
      index.push(words(0x4b50, 0x0201, 20, ...about, 0, 0, 0, 0, 0, ...long(at)), name);
      at += 30 + name.length + data.length;
      size += 46 + name.length;
    }
    const end = words(0x4b50, 0x0605, 0, 0, n, n, ...long(size), ...long(at), 0);
    return new Blob([...entries, ...index, end], {type: "application/zip"});
  };

  // ---- the commands

  const download = async ({commands}) => {
    await commands.execute("docmanager:save-all");
    const files = await stored(), link = document.createElement("a");
    if (!files.length) return alert("There is nothing to download: you have changed no notebook.");
    link.href = URL.createObjectURL(zip(files));
    link.download = `answers-${new Date().toISOString().slice(0, 10)}.zip`;
    link.click();
  };

  // Reload, and let `init` delete: an open notebook would be saved again.
  const forget = async ({commands}) => {
    if (!confirm(SURE)) return;
    await commands.execute("docmanager:save-all");
    sessionStorage.setItem(FORGET, "yes");
    location.reload();
  };

  // JupyterLite finds a notebook's kernel by the notebook's name, which a lesson's exercises share.
  const nameByPath = (sessions) => {
    const startNew = sessions.startNew.bind(sessions);
    sessions.startNew = (asked, how) => startNew({...asked, name: asked.path}, how);
  };

  // Save once a second. JupyterLab's autosave may start before the last save has ended, and then
  // asks which of the two to keep.
  const save = async (shell) => {
    for (const {context} of shell.widgets("main"))
      if (context?.model?.dirty) await context.save().catch(console.warn);
    setTimeout(save, 1000, shell);
  };

  const activate = async (app, mainMenu) => {
    nameByPath(app.serviceManager.sessions);
    save(app.shell);
    const {Menu} = await use("@lumino/widgets");
    const menu = new Menu({commands: app.commands});
    menu.title.label = "Answers";
    for (const [name, action] of Object.entries({download, forget})) {
      const command = `answers:${name}`, label = `${name[0].toUpperCase()}${name.slice(1)} my answers`;
      app.commands.addCommand(command, {label, execute: () => action(app)});
      menu.addItem({command});
    }
    mainMenu.addMenu(menu, true, {rank: 1000});
  };

  // JupyterLab waits for `init` before it starts.
  const init = async (scope) => {
    shared = scope;
    if (!sessionStorage.getItem(FORGET)) return;
    sessionStorage.removeItem(FORGET);
    await done(indexedDB.deleteDatabase(NAME));
    for (const key of Object.keys(localStorage)) // guesses: book/static/site/predict.js
      if (key.startsWith("predict ")) localStorage.removeItem(key);
  };

  const get = async () => {
    const {IMainMenu} = await use("@jupyterlab/mainmenu");
    return () => ({id: "lstm_edu:course", autoStart: true, requires: [IMainMenu], activate});
  };

  const {_JUPYTERLAB = {}} = /** @type {any} */ (window);
  Object.assign(window, {_JUPYTERLAB: {..._JUPYTERLAB, lstm_edu: {init, get}}});
}
