"""Train a small Skip-Thought model (Kiros et al. 2015), to use instead of the authors' files.

As in the authors' code, the last state of the encoder is the first state of two decoders. These
GRUs predict each word of the next sentence (``decoder_f``) and of the previous one (``decoder_b``)
from the words before it. They share the embeddings ``Wemb`` and the softmax ``ff_logit``. The cost
is the cross-entropy of both decoders. The model "uni" has one encoder; "bi" has two of half the
size, of which the second reads right to left. Adam updates the weights. The encoders do not read
the end-of-sentence token, because `lstm_tools.table_iv.skip_thought_encoder.encode` does not read
it either.

`train` holds out a part of the passages, and stops when their cost no longer falls. The same
held-out cost chose the settings below on the sample's sentences; no ranking was used. The cost is
3.21 per word with 128 units and 128 numbers per word ("uni", seed 0), and 3.26 with 64 numbers per
word. With 64 numbers per word and one more change it is 3.30 (64 units), 3.35 (step size 0.005),
3.60 (step size 0.02), and 3.34 (minibatches of 32).
"""

# autograd creates its functions at run time, so pyright does not know them:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from collections import Counter

from lstm_edu._util.files import InputError
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients.autodiff import numpy as np
from lstm_edu.gradients.autodiff import value_and_grad
from lstm_edu.readers import read_passages
from lstm_edu.text.hashing import words
from lstm_edu.training import adam

from .skip_thought_cost import cost
from .skip_thought_encoder import END, UNKNOWN, Model, part, shapes

N_UNITS = 128  # units of "uni"; "bi" has two GRUs of half the size
WORD_SIZE = 128  # size of the word embeddings
N_WORDS = 5000  # size of the vocabulary; rarer words and words seen once become UNKNOWN
EPOCHS, BATCH_SIZE, STEP_SIZE = 20, 64, 0.01
LONGEST = 30  # sentences are cut after this many words, as in the authors' code
HELD_OUT = 0.1  # share of the passages to hold out
PATIENCE = 2  # training stops after this many epochs without a lower held-out cost


def train(path, seed=0):
    """Train both models, uni and bi, on a file of consecutive sentences.

    A tenth of the passages of three or more sentences is held out. Training ends when their cost
    has not fallen for two epochs, and the weights with the lowest cost are returned. With fewer
    than ten such passages, none is held out and training continues to the last epoch.

    Parameters
    ----------
    path : str
        A file with one sentence per line and an empty line between passages.
    seed : int

    Returns
    -------
    Model

    Raises
    ------
    InputError
        No passage has three sentences.
    """
    passages = [
        [words(sentence)[:LONGEST] for sentence in passage] for passage in read_passages(path)
    ]
    # hold out only passages with at least three sentences
    whole = [k for k, passage in enumerate(passages) if len(passage) > 2]
    mixed = np.random.default_rng([seed, 3]).permutation(whole)
    held = set(mixed[: int(HELD_OUT * len(whole))].tolist())
    kept = [passage for k, passage in enumerate(passages) if k not in held]
    counts = Counter(word for passage in kept for sentence in passage for word in sentence)
    known = [END, UNKNOWN, *(word for word, n in counts.most_common(N_WORDS) if n > 1)]
    row = {word: k for k, word in enumerate(known)}
    triples, held = _triples(kept, row), _triples([passages[k] for k in sorted(held)], row)
    if not triples:
        raise InputError(
            f"{path}: no passage has three sentences; "
            "Skip-Thought learns from a sentence's two neighbours"
        )
    encoders, tables = [], []
    for prefixes in (["encoder"], ["encoder", "encoder_r"]):
        rng = np.random.default_rng([seed, len(prefixes)])
        weights = start(len(known), WORD_SIZE, N_UNITS, prefixes, rng)
        with one_blas_thread():
            weights = _fit(weights, triples, held, rng)
        encoders.append([part(weights, prefix) for prefix in prefixes])
        tables.append(weights["Wemb"])
    return Model(*encoders, *tables, row)


def _triples(passages, row):
    ids = [
        [[row.get(word, row[UNKNOWN]) for word in sentence] for sentence in passage]
        for passage in passages
    ]
    return [triple for passage in ids for triple in zip(passage, passage[1:], passage[2:])]


def start(n_words, word_size, n_units, prefixes, rng):
    """Draw initial weights like the authors: recurrent ones orthogonal, others uniform, biases 0.

    Returns
    -------
    dict of arrays
        Weights, keyed by the authors' names.
    """

    def uniform(*shape):
        return rng.uniform(-0.1, 0.1, shape)

    def orthogonal(n, columns):
        blocks = range(columns // n)
        return np.hstack([np.linalg.svd(rng.standard_normal((n, n)))[0] for _ in blocks])

    weights = {"Wemb": uniform(n_words, word_size)}
    sizes = {prefix: n_units // len(prefixes) for prefix in prefixes}
    draw = {"W": uniform, "U": orthogonal, "b": lambda *shape: np.zeros(shape)}
    for prefix, n in (sizes | {"decoder_f": n_units, "decoder_b": n_units}).items():
        for name, shape in shapes(word_size, n).items():
            weights[f"{prefix}_{name}"] = draw[name[0]](*shape)
    return weights | {"ff_logit_W": uniform(n_units, n_words), "ff_logit_b": np.zeros(n_words)}


def _fit(weights, triples, held, rng):
    """Train until the cost of the held-out sentences stops falling; return the best weights."""
    gradient, costs, best, k = value_and_grad(cost), [], None, 0
    # weights and Adam's moving averages are float64, only gradients are float32
    m, v = ({name: np.zeros_like(w) for name, w in weights.items()} for _ in range(2))
    for _ in range(EPOCHS):
        for batch in _batches(triples, rng):
            k += 1
            _, g = gradient(_cast(weights, np.float32), batch)
            adam.correct(weights, m, v, _cast(g, float), STEP_SIZE, k, None)
        if held:
            now, batches = _cast(weights, np.float32), _batches(held, np.random.default_rng(0))
            costs.append(sum(float(cost(now, batch)) * len(batch) for batch in batches))
            if costs[-1] == min(costs):
                best = now
            elif min(costs) < min(costs[-PATIENCE:]):
                break
    return best or _cast(weights, np.float32)


def _cast(arrays, dtype):
    return {name: array.astype(dtype) for name, array in arrays.items()}


def _batches(triples, rng):
    """Draw minibatches of triples whose middle sentences have equal lengths."""
    by_length, batches = {}, []
    for triple in triples:
        by_length.setdefault(len(triple[1]), []).append(triple)
    for alike in by_length.values():
        mixed = [alike[j] for j in rng.permutation(len(alike))]
        batches += [mixed[j : j + BATCH_SIZE] for j in range(0, len(mixed), BATCH_SIZE)]
    return [batches[j] for j in rng.permutation(len(batches))]
