// Load Pyodide from a folder, mount folders of this machine, and run Python; JSON in, JSON out.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { folder, packages, mounts, source, given } = JSON.parse(fs.readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const quiet = () => {};
const python = await loadPyodide({
  indexURL: folder,
  env: { PYTHONDONTWRITEBYTECODE: "1", MPLBACKEND: "agg" },
  stdout: quiet,
  stderr: quiet,
});
await python.loadPackage(packages, { messageCallback: quiet, errorCallback: quiet });
for (const [there, here] of Object.entries(mounts)) {
  python.mountNodeFS(there, here);
}
python.globals.set("given", JSON.stringify(given));
console.log(await python.runPythonAsync(source));
