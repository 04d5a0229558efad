// Unpack a model packed by lstm_course/explorers/weights.py: int8 with a scale per row, in base64.

/** @type {(base64: string) => ArrayBuffer} */
function bytesOf(base64) {
  const letters = atob(base64), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes.buffer;
}

// Unpack an array: integers, which are multiplied by their row's scale, or float32 numbers.
/** @type {(packed: Packed) => Float64Array} */
function numbersOf({ int8, scale, float32 }) {
  if (float32 !== undefined) return Float64Array.from(new Float32Array(bytesOf(float32)));
  const whole = new Int8Array(bytesOf(int8)), scales = new Float32Array(bytesOf(scale));
  const width = whole.length / scales.length, numbers = new Float64Array(whole.length);
  scales.forEach((x, row) => {
    for (let k = row * width; k < (row + 1) * width; k++) numbers[k] = whole[k] * x;
  });
  return numbers;
}

// Unpack the titles' rounded embeddings and lengths. With many cells, two numbers share a byte.
const FEW = 24;
/** @type {(packed: {vectors?: string, size: number}) => {vectors: Int8Array, lengths: Float64Array}} */
function vectorsOf({ vectors, size }) {
  const bytes = new Uint8Array(bytesOf(vectors));
  const whole = size < FEW ? new Int8Array(bytes.buffer) : new Int8Array(2 * bytes.length);
  if (size >= FEW)
    bytes.forEach((two, k) => {
      whole[2 * k] = (two >> 4) - 8;
      whole[2 * k + 1] = (two & 15) - 8;
    });
  const lengths = new Float64Array(whole.length / size);
  for (let k = 0; k < whole.length; k++) lengths[Math.floor(k / size)] += whole[k] ** 2;
  return { vectors: whole, lengths: lengths.map((x) => Math.sqrt(x) || 1) };
}

// Unpack the parameters of the query or document side, keyed by the paper's names. The packed gates
// of an LSTM are side by side, in the paper's order: 1 output, 2 forget, 3 input gate, 4 y_g.
/** @type {(packed: PackedModel, arrays: Record<string, Packed>) => Params} */
function parametersOf(packed, arrays) {
  /** @type {Params} */
  const numbers = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, numbersOf(array)]),
  );
  const { cell, size } = packed;
  if (cell === "RNN") {
    /** @type {(data: Float64Array) => Matrix} */
    const matrix = (data) => ({ data, width: size, start: 0, size });
    return { W: matrix(numbers.W), Wrec: matrix(numbers.Wrec), b: numbers.b };
  }
  const gates = numbers.b.length === 4 * size ? [1, 2, 3, 4] : [1, 3, 4];
  const { W, Wrec, b, ...p } = numbers; // p has the peepholes, which need no splitting by gate
  gates.forEach((k, place) => {
    const part = { width: gates.length * size, start: place * size, size };
    p[`W${k}`] = { data: W, ...part };
    p[`Wrec${k}`] = { data: Wrec, ...part };
    p[`b${k}`] = b.slice(place * size, (place + 1) * size);
  });
  return p;
}

/** @type {(packed: PackedModel) => Model} */
function unpacked(packed) {
  const letters = [...packed.trigrams], columns = new Map(); // all trigrams in one string
  for (let k = 0; k < letters.length; k += 3) columns.set(letters.slice(k, k + 3).join(""), k / 3);
  return {
    ...packed,
    step: STEPS[packed.cell],
    met: new Map(), // cached embeddings, keyed by title
    column: columns,
    query: parametersOf(packed, packed.query),
    document: parametersOf(packed, packed.document),
    ...(packed.vectors && vectorsOf(packed)),
  };
}
