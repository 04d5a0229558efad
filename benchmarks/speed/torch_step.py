"""One training step in PyTorch eager: what `lstm_edu` does by hand, on the same deduplicated words,
as well as plain PyTorch allows.

It shares every shortcut: each distinct title read once; W l by one sparse product for the distinct
words alone; the gates side by side; sentences that fall out of the batch after their last word;
leaves for the touched rows of W and no others. Sentences that end are split off and joined at the
end, and the tokens' rows are gathered once and split by time: the derivative of either is a copy,
where that of a slice fills a matrix of zeros.

Its update is kinder than the exact one: of W it moves the touched rows alone, and the rest does not
coast.
"""

import warnings

import numpy as np
import torch
from torch.nn import functional

from lstm_edu.training import nesterov

NAMES = "W", "Wrec", "b"
warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")


def prepare(examples):
    """A minibatch as tensors; not part of the step, as the batch is not of ours."""
    return {
        "sides": prepare_sides(examples),
        "query": torch.from_numpy(examples.query),
        "candidates": torch.from_numpy(np.column_stack([examples.clicked, examples.unclicked])),
    }


def prepare_sides(examples):
    """Both sides' texts as tensors."""
    return [_side(batch) for batch in (examples.queries, examples.documents)]


def _side(batch):
    touched, batch = batch.compact()
    Wh = batch.Wh
    return {
        "Wh": torch.sparse_csr_tensor(
            *(torch.from_numpy(part.astype(np.int32)) for part in (Wh.indptr, Wh.indices)),
            torch.from_numpy(Wh.data),
            Wh.shape,
            check_invariants=False,
        ),
        "token": torch.from_numpy(batch.token.astype(np.int64)),
        "n": np.diff(batch.offsets).tolist(),
        "place": torch.from_numpy(np.argsort(batch.order)),
        "touched": torch.from_numpy(touched),
    }


def embed(W, Wrec, b, side):
    """Embeddings of one side's distinct texts, none of them empty,
    by an LSTM without forget gate and peepholes.
    """
    P = torch.sparse.mm(side["Wh"], W) + b
    ended, y, c = [], None, 0
    for z in P.index_select(0, side["token"]).split(side["n"]):
        if y is not None:
            n = len(z)
            if len(y) > n:
                y, last = y.split([n, len(y) - n])
                ended.append(last)
            z, c = torch.addmm(z, y, Wrec), c[:n]
        o, i, yg = z.chunk(3, 1)
        c = c + torch.sigmoid(i) * torch.tanh(yg)
        y = torch.sigmoid(o) * torch.tanh(c)
    return torch.cat([*ended, y][::-1]).index_select(0, side["place"])


def cost_and_gradient(weights, minibatch, gamma):
    """The summed cost (4)-(5), and its gradient for both sides' weights,
    two lists in the order of NAMES.
    """
    leaves = [[w.detach().requires_grad_() for w in side] for side in weights]
    q, d = (
        functional.normalize(embed(*side, read), dim=1)
        for side, read in zip(leaves, minibatch["sides"])
    )
    of_query = q.index_select(0, minibatch["query"])[:, None]
    R = (of_query * functional.embedding(minibatch["candidates"], d)).sum(2)
    exponents = gamma * (R[:, 1:] - R[:, :1])
    cost = torch.logsumexp(functional.pad(exponents, (1, 0)), 1).sum()
    gradient = torch.autograd.grad(cost, [*leaves[0], *leaves[1]])
    return cost.detach(), (gradient[: len(NAMES)], gradient[len(NAMES) :])


class Training:
    """Weights and velocities that start as a model's, and Algorithm 1 on them.

    Parameters
    ----------
    model : DualEncoder
        Of LSTMs without forget gate and peepholes.
    settings : dict
        As `lstm_edu.training.loop`'s.
    """

    def __init__(self, model, settings):
        self.settings = settings
        self.weights = [
            [torch.from_numpy(side.weights[name].copy()) for name in NAMES]
            for side in (model.query, model.document)
        ]
        self.velocity = [[torch.zeros_like(w) for w in side] for side in self.weights]

    def step(self, minibatch, k, n_updates):
        """Update k: look ahead, gradient, clip, correct."""
        mu, ahead = nesterov.momentum(self.settings["momentum"], k, n_updates), []
        for weights, velocity, side in zip(self.weights, self.velocity, minibatch["sides"]):
            coasting = [
                velocity[0].index_select(0, side["touched"]).mul_(mu),
                *(v.mul_(mu) for v in velocity[1:]),
            ]
            at = [
                weights[0].index_select(0, side["touched"]).add_(coasting[0]),
                *(w.add_(v) for w, v in zip(weights[1:], coasting[1:])),
            ]
            ahead.append((coasting, at))
        cost, gradient = cost_and_gradient(
            [at for _, at in ahead], minibatch, self.settings["gamma"]
        )
        for weights, velocity, side, (coasting, at), g in zip(
            self.weights, self.velocity, minibatch["sides"], ahead, gradient
        ):
            norm = float(torch.sqrt(sum((part * part).sum() for part in g)))
            step = self.settings["step_size"] * min(1, self.settings["clip"] / norm)
            for v, w, part in zip(coasting, at, g):
                v.sub_(part, alpha=step)
                w.sub_(part, alpha=step)
            velocity[0].index_copy_(0, side["touched"], coasting[0])
            weights[0].index_copy_(0, side["touched"], at[0])
        return float(cost)
