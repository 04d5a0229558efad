"""The cosine (3) with a loss other than (5), for lessons 15 and 16."""

from lstm_edu.gradients import cost
from lstm_edu.gradients.plain import Read
from lstm_edu.gradients.relevance import Cosine
from lstm_edu.text.batch import sums


class WithLoss(Cosine):
    """The cosine (3), with a given loss in place of (5).

    Attributes
    ----------
    loss : function
        Takes R, (N, n_titles), the `Examples` and gamma; returns the loss of each pair, (N,), and
        the gradient of the losses' sum with respect to R.
    """

    def __init__(self, loss):
        self.loss = loss

    def cost_gradient(self, q, d, examples, gamma):
        """Compute the pairs' losses, and the gradient of the sum; see `Cosine.cost_gradient`."""
        unit_q, length_q = cost.normalise(q.y[examples.query])
        unit_d, length_d = cost.normalise(d.y)
        R = unit_q @ unit_d.T
        l, dR = self.loss(R, examples, gamma)
        along = dR * R
        dyq = (dR @ unit_d - along.sum(axis=1)[:, None] * unit_q) / length_q
        dyd = (dR.T @ unit_q - along.sum(axis=0)[:, None] * unit_d) / length_d
        return l, (Read(sums(examples.query, len(q.y), dyq.dtype) @ dyq), Read(dyd))
