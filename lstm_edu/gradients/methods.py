"""The cost and its gradient: derived by hand, computed with autograd, or as the paper prints it."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._util import arguments
from .._util.files import InputError
from .._util.threads import one_blas_thread
from . import cost
from .minibatch import check_method, examples_of, minibatch_gradient

Method = Literal["bptt", "autograd", "printed"]
METHODS = "bptt", "autograd", "printed"


def cost_and_gradient(
    model: Any,
    queries: Sequence[str],
    clicked: Sequence[str],
    unclicked: Sequence[Sequence[str]],
    gamma: float = 10.0,
    method: Method = "bptt",
    truncate: int | None = None,
) -> tuple[float, dict[str, dict[str, NDArray]]]:
    """Compute the summed cost of the examples, Eq. (4)-(5), and its gradient.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    queries, clicked : list of str
    unclicked : list of lists of str
        n titles for each query.
    gamma : float
        The factor of the cosine differences in (5), which must be positive.
    method : {"bptt", "autograd", "printed"}
        "bptt" is the exact gradient, derived by hand; "autograd" is the same gradient, by automatic
        differentiation; "printed" is the gradient that the appendix prints, which for an LSTM,
        Eq. (14)-(44), is an approximation (`lstm_edu.gradients.printed.errors` lists the missing
        terms).
    truncate : int, optional
        The maximum number of steps that errors go back from a text's last word, so that the last
        ``truncate + 1`` words contribute. There is no limit if None.

    Returns
    -------
    cost : float
        In nats.
    gradient : dict
        Arrays such as ``gradient["query"]["Wrec3"]``, with the names and shapes of
        ``model.query.params``.

    Raises
    ------
    InputError
        An argument is out of range, the lists' lengths do not match, or the cell lacks this
        gradient.
    """
    arguments.model(model)
    method, gamma = arguments.choice("method", method, METHODS), cost.checked_gamma(gamma)
    truncate = check_method(model, method, truncate)
    texts = check_lists(queries, clicked, unclicked)
    with one_blas_thread():
        if method == "autograd":
            from . import autodiff  # imported here because importing autograd is slow

            total, pair = autodiff.cost_and_gradient(model, *texts, gamma, truncate)
        else:
            total, pair = _by_hand(model, texts, gamma, method, truncate)
    return float(total), {"query": pair[0], "document": pair[1]}


def check_lists(queries, clicked, unclicked):
    """Check the texts of `cost_and_gradient` and return them as lists."""
    queries, clicked = arguments.texts("queries", queries), arguments.texts("clicked", clicked)
    unclicked = arguments.lists_of_texts("unclicked", unclicked)
    arguments.same_number(queries=queries, clicked=clicked, unclicked=unclicked)
    if len({len(titles) for titles in unclicked}) != 1:
        raise InputError("unclicked: must be lists of the same number of titles, at least one list")
    return queries, clicked, unclicked


def _by_hand(model, texts, gamma, method, truncate):
    """Compute the cost and each side's gradient, a dict keyed by the weights' names in the paper.

    The gradient is zero for trigrams that are not in the texts.
    """
    sides, examples = (model.query, model.document), examples_of(model, *texts)
    how = gamma, method, truncate, model.relevance
    l, gradient = minibatch_gradient(sides, examples, *how)
    gradients = []
    for side, batch, part in zip(sides, (examples.queries, examples.documents), gradient):
        full = dict(part)
        for name in model.cell.sparse:
            full[name] = np.zeros_like(side.weights[name])
            full[name][batch.touched] = part[name]
        gradients.append(model.cell.params(full))
    return l.sum(), gradients
