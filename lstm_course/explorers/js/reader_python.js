// Lines of Python that compute the reader's numbers: the cosine, the framed column of the map, and
// the ten best titles.

const SAMPLE = '(lstm_edu.sample() / "titles.txt").read_text(encoding="utf-8").splitlines()';
// Eq. (2) for an LSTM without forget gate and peepholes, with some gates fixed
const HELD_READING = `y = c = np.zeros(model.cell.size)
for l in model.hashing.operator(query.split()).toarray():
    z = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "134"}
    i, yg, f = held.get("i", sigmoid(z["3"])), held.get("yg", np.tanh(z["4"])), held.get("f", 1)
    c = f * c + i * yg
    o = held.get("o", sigmoid(z["1"]))
    y = o * np.tanh(c)
R = lambda texts: model.similarity([y], model.encode_document(texts))[0]
print(*R([title]))`;
const HELD_BEST = "print(sorted(zip(R(titles), titles), key=lambda pair: -pair[0])[:10])";
/** @type {Record<string, string>} */
const CONSTANT = { shut: "0", open: "1" };

// Write the lines. `files` names the files of the models and, unless the titles are the sample's,
// of the titles. `states` has the name of the state in each map, `t` is the framed word's index.
/** @type {(wanted: Wanted, seen: Seen[], files: {models: Record<string, string>, titles?: string}, side: Side, states: string[], t: number) => string} */
function pythonOfReader(wanted, seen, files, side, states, t) {
  const opened = (file) => `from_page(${literal(file)})`, file = files.models[wanted[0][1]];
  const lines = ["from lstm_course.explorers import from_page", "", `page = ${opened(file)}`, "model = page.model"];
  if (wanted[0][0].hold) lines.unshift("import numpy as np", "from lstm_edu.cells.lstm import sigmoid");
  if (files.titles === file) lines.push("titles = page.titles");
  else if (!files.titles) lines.unshift("import lstm_edu"), lines.push(`titles = ${SAMPLE}`);
  else if (A_PAGE.test(files.titles)) lines.push(`titles = ${opened(files.titles)}.titles`);
  else lines.push(`lines = open(${literal(files.titles)}, encoding="utf-8-sig")`, "titles = [line.strip() for line in lines if line.strip()]");
  seen.forEach((one, k) => {
    const [{ hold }, name] = wanted[k], { query: q, document: d } = one;
    const [query, title] = [q, d].map(({ words, at }) => words.slice(0, at + 1).join(" "));
    const held = Object.entries(holdsOf(hold)).map(([gate, how]) => `"${gate}": ${CONSTANT[how] ?? `page.means["${gate}"]`}`);
    if (k && name !== wanted[0][1]) lines.push("", `model = ${opened(files.models[name])}.model`);
    lines.push("", `query, title = ${literal(query)}, ${literal(title)}`);
    const of = side === "query" ? "query" : 'title, "document"', isThere = typeof q.cosines[q.at] === "number";
    if (held.length) lines.push(`p, held = model.query.params, {${held.join(", ")}}`, HELD_READING);
    else if (isThere) lines.push("print(*model.score(query, [title]))");
    if (held.length && side === "query") lines.push(`print(${states[k]})`);
    else if (one[side].words.length) lines.push(`print(model.trace(${of}).${states[k]}[${t}])`);
    if (one.best?.length) lines.push(held.length ? HELD_BEST : "for best, R in model.rank(query, titles)[:10]:\n    print(R, best)");
  });
  return lines.join("\n");
}
