"""The cost of `skip_thought_trainer`'s model, in a form that autograd can differentiate.

The model has an encoder and two decoders, which share the embeddings and the softmax. The cost is
the cross-entropy of the decoded words.
"""

# autograd creates its functions at run time, so pyright does not know them:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

import numpy  # for arrays of integers, where autograd's array() is slow
from scipy.special import expit

from lstm_edu.gradients.autodiff import defvjp, defvjp_argnums, primitive, sparse_product
from lstm_edu.gradients.autodiff import numpy as np
from lstm_edu.text.batch import sums

from . import skip_thought_encoder as encoder
from .skip_thought_encoder import part


def cost(weights, triples):
    """Compute the cross-entropy of both predicted neighbours, averaged over encoded sentences.

    Parameters
    ----------
    weights : dict of arrays
    triples : list of (before, read, after)
        Sentences as lists of row numbers of ``Wemb``; all middle sentences (``read``) have the same
        length.
    """
    before, read, after = zip(*triples)
    ctx = encode(weights, numpy.array(read).T)
    states, targets = [], []
    for prefix, sentences in (("decoder_f", after), ("decoder_b", before)):
        state, target = decode(part(weights, prefix), weights["Wemb"], sentences, ctx)
        states.append(state)
        targets.append(target)
    logits = np.dot(np.concatenate(states), weights["ff_logit_W"]) + weights["ff_logit_b"]
    return cross_entropy(logits, np.concatenate(targets)) / len(triples)


def encode(weights, ids):
    """Return the concatenated last states of one or two encoders.

    Parameters
    ----------
    weights : dict of arrays
    ids : (n_words, N) of int
        Row numbers of ``Wemb`` for the words of N sentences of equal length.

    Returns
    -------
    (N, n_units)
    """
    x, last = look_up(weights["Wemb"], ids), []
    for prefix, X in (("encoder", x), ("encoder_r", x[::-1])):
        if f"{prefix}_U" in weights:
            p = part(weights, prefix)
            last.append(gru(X, np.zeros((ids.shape[1], len(p["Ux"])), X.dtype), *p.values())[-1])
    return np.concatenate(last, axis=1)


def decode(p, Wemb, sentences, ctx):
    """Compute the decoder's states, and return them with the words to predict from them.

    Returns
    -------
    states : (n, n_units)
        The state before each word of each sentence, and before the end token.
    ids : (n,) of int
        The row number in ``Wemb`` of each of these words and end tokens.
    """
    lengths = numpy.array([len(sentence) for sentence in sentences])
    longest = 1 + max(lengths.tolist())
    # pad with row 0, the end token
    ids = numpy.array([sentence + [0] * (longest - len(sentence)) for sentence in sentences]).T
    # the decoder's input before the first word
    nothing = np.zeros((1, len(sentences), Wemb.shape[1]), Wemb.dtype)
    H = gru(np.concatenate([nothing, look_up(Wemb, ids[:-1])]), ctx, *p.values())
    said = numpy.flatnonzero((numpy.arange(longest)[:, None] <= lengths).ravel())
    states = sparse_product(sums(said, ids.size, Wemb.dtype).T, np.reshape(H, (ids.size, -1)))
    return states, ids.ravel()[said]


gru = primitive(encoder.gru)


def _gru_vjp(argnums, H, args, kwargs):
    """Return the GRU's hand-derived backward pass, which is six times as fast as autograd's."""
    X, h, W, U, b, Wx, Ux, bx = args

    def backward(dH):
        n, before = len(Ux), np.concatenate([h[None], H[:-1]])
        gates, V = expit(X @ W + before @ U + b), before @ Ux
        r, u = gates[..., :n], gates[..., n:]
        c = np.tanh(X @ Wx + r * V + bx)
        dgates, dz, dh = np.empty_like(gates), np.empty_like(H), np.zeros_like(h)
        for t in reversed(range(len(X))):
            dh = dh + dH[t]
            dz[t] = dh * (1 - u[t]) * (1 - c[t]) * (1 + c[t])
            dgates[t, :, :n] = dz[t] * V[t] * r[t] * (1 - r[t])
            dgates[t, :, n:] = dh * (before[t] - c[t]) * u[t] * (1 - u[t])
            dh = dh * u[t] + dgates[t] @ U.T + (dz[t] * r[t]) @ Ux.T
        x, y, zg, z = (array.reshape(-1, array.shape[-1]) for array in (X, before, dgates, dz))
        zx = (dz * r).reshape(z.shape)
        dX = dgates @ W.T + dz @ Wx.T
        of_gates = x.T @ zg, y.T @ zg, zg.sum(axis=0)
        of_candidate = x.T @ z, y.T @ zx, z.sum(axis=0)
        found = dX, dh, *of_gates, *of_candidate
        return [found[k] for k in argnums]

    return backward


defvjp_argnums(gru, _gru_vjp)


def look_up(Wemb, ids):
    """Look up word vectors with a differentiable sparse product; return (n_words, N, word_size)."""
    found = sparse_product(sums(ids.ravel(), len(Wemb), Wemb.dtype).T, Wemb)
    return np.reshape(found, (*ids.shape, -1))


@primitive
def cross_entropy(logits, targets):
    """Sum -log softmax of the (n, n_words) logits at the (n,) targets."""
    z = logits - logits.max(axis=1, keepdims=True)
    return (numpy.log(numpy.exp(z).sum(axis=1)) - z[numpy.arange(len(targets)), targets]).sum()


def _cross_entropy_vjp(ans, logits, targets):
    def backward(g):
        d = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        d /= d.sum(axis=1, keepdims=True)
        d[numpy.arange(len(targets)), targets] -= 1
        return g * d

    return backward


defvjp(cross_entropy, _cross_entropy_vjp, None)
