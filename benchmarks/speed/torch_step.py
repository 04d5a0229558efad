"""Compute a minibatch's gradient in PyTorch eager, with the same shortcuts as `lstm_edu`.

Each distinct title is read once; one sparse product computes W l, for distinct words only; the
gates' weights are in one matrix; sentences leave the batch after their last word; only the touched
rows of W have a gradient. Finished sentences are split off and concatenated at the end, and the
words' rows are gathered once and split by position, because the derivative of a split is a copy,
whereas the derivative of a slice fills a matrix of zeros.
"""

import warnings

import numpy as np
import torch
from torch.nn import functional

NAMES = "W", "Wrec", "b"
warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")


def embed(weights, batch):
    """Embed a batch of distinct, non-empty texts with an LSTM; return an (n_texts, m) tensor."""
    W, Wrec, b = weights
    rows, columns = (
        torch.from_numpy(part.astype(np.int32)) for part in (batch.Wh.indptr, batch.Wh.indices)
    )
    parts = rows, columns, torch.from_numpy(batch.Wh.data)
    Wh = torch.sparse_csr_tensor(*parts, batch.Wh.shape, check_invariants=False)
    token = torch.from_numpy(batch.token.astype(np.int64))
    P = torch.sparse.mm(Wh, W) + b
    ended, y, c = [], None, 0
    for z in P.index_select(0, token).split(np.diff(batch.offsets).tolist()):
        if y is not None:
            n = len(z)
            if len(y) > n:
                y, last = y.split([n, len(y) - n])
                ended.append(last)
            z, c = torch.addmm(z, y, Wrec), c[:n]
        o, i, yg = z.chunk(3, 1)
        c = c + torch.sigmoid(i) * torch.tanh(yg)
        y = torch.sigmoid(o) * torch.tanh(c)
    place = torch.from_numpy(np.argsort(batch.order))
    return torch.cat([*ended, y][::-1]).index_select(0, place)


def gradient(sides, examples, gamma, *_, **__):
    """Compute costs and gradient, like `lstm_edu.gradients.minibatch.minibatch_gradient`."""
    leaves = [
        [torch.from_numpy(side.weights[name]).requires_grad_() for name in NAMES] for side in sides
    ]
    batches = examples.queries, examples.documents
    q, d = (functional.normalize(embed(*both), dim=1) for both in zip(leaves, batches))
    query, clicked = torch.from_numpy(examples.query), torch.from_numpy(examples.clicked)
    if examples.unclicked.dtype == bool:  # unclicked titles are given as a mask
        R = (q @ d.T).index_select(0, query)
        exponents = gamma * (R - R.gather(1, clicked[:, None]))
        # the clicked title's exponent 0 gives the 1 in log(1 + sum over unclicked titles)
        known = torch.from_numpy(~examples.unclicked).scatter(1, clicked[:, None], False)
        exponents = exponents.masked_fill(known, -torch.inf)
    else:
        rows = np.column_stack([examples.clicked, examples.unclicked])
        candidates = torch.from_numpy(rows)
        of_query = q.index_select(0, query)[:, None]
        R = (of_query * functional.embedding(candidates, d)).sum(2)
        exponents = gamma * (R - R[:, :1])
    l = torch.logsumexp(exponents, 1)
    gradients = torch.autograd.grad(l.sum(), [*leaves[0], *leaves[1]])
    found = [g.numpy() for g in gradients]
    n = len(NAMES)
    return l.detach().numpy(), [dict(zip(NAMES, found[k : k + n])) for k in (0, n)]
