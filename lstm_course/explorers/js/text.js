// Conversion of a text to a model's input, as in lstm_edu/text/hashing.py: words, and the letter
// trigrams of each.

// White space as defined by Python's str.split(), which differs from \s.
const SPACE =
  /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

// Convert to lower case and Unicode normal form.
/** @type {(text: string) => string} */
function oneSpelling(text) {
  const oneForm = (/** @type {string} */ word) => {
    const unified = word.normalize("NFKC").replaceAll(" ", "");
    return unified.normalize("NFKC").toLowerCase().normalize("NFKC");
  };
  return text.split(SPACE).map(oneForm).join(" ");
}

/** @type {(text: string) => string[]} */
function wordsOf(text) {
  return oneSpelling(text).split(SPACE).filter(Boolean);
}

// Split a word into its letter trigrams, such as "good" into #go goo ood od#.
/** @type {(word: string) => string[]} */
function letterTrigrams(word) {
  // split into code points, some of which are two units in JavaScript
  const marked = [...`#${oneSpelling(word)}#`];
  return marked.slice(2).map((_, k) => marked.slice(k, k + 3).join(""));
}

// Return l: the columns of the known trigrams, with their counts.
/** @type {(trigrams: string[], column: Map<string, number>) => Counts} */
function counted(trigrams, column) {
  /** @type {Counts} */
  const l = new Map();
  for (const trigram of trigrams) {
    const k = column.get(trigram);
    if (k !== undefined) l.set(k, (l.get(k) ?? 0) + 1);
  }
  return l;
}
