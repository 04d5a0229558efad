"""The cosine, Eq. (3), the click-through loss, Eq. (4)-(5), and the gradient of the loss.

Shapes: N pairs, n unclicked titles per pair, M distinct titles, embeddings of length m. The
gradient is with respect to the embeddings; BPTT continues from there.
"""

import warnings

import numpy as np
import scipy.sparse

from .._util import arguments

LARGEST_GAMMA = 1e9  # its square fits in float32


def normalise(y):
    """Scale embeddings to length 1; return the unit vectors and the lengths.

    An embedding whose squared length underflows counts as zero. Its length is returned as infinity,
    so that its cosines and their gradient are 0.

    Returns
    -------
    unit : (N, m)
    norm : (N, 1)
    """
    # allow NaN and infinity, because training checks the cost after each epoch
    y = arguments.array("y", y, "N", "m", finite=False)
    norm = np.sqrt(np.sum(y * y, axis=-1, keepdims=True))
    zero = norm < np.sqrt(np.finfo(y.dtype).tiny)
    if zero.any():
        warn_of_zeros(zero)
        norm = np.where(zero, np.asarray(np.inf, y.dtype), norm)
    return y / norm, norm


def warn_of_zeros(zero):
    """Warn about zero embeddings, marked by ``zero``, an (N,) or (N, 1) mask."""
    warnings.warn(
        f"{int(zero.sum())} of {len(zero)} embeddings are zero, their cosine is taken as 0: "
        "texts without a known letter trigram?",
        stacklevel=3,
    )


def cosine(yq, yd):
    """Compute R(Q, D) of Eq. (3) as an (n_queries, n_documents) array."""
    yq, yd = arguments.vectors(yq=yq, yd=yd)
    return np.clip(normalise(yq)[0] @ normalise(yd)[0].T, -1, 1)


def loss(delta, gamma, among=True):
    """Compute l_r of Eq. (5) and alpha_{r,j} of Eq. (8) without overflow.

    Parameters
    ----------
    delta : (N, n)
        Delta_{r,j} = R(Q_r, D_r+) - R(Q_r, D_{r,j}-).
    gamma : float
    among : (N, n) of bool, optional
        Which entries of delta belong to unclicked titles of the pair; others do not count. All do
        by default.

    Returns
    -------
    l : (N,)
        The loss of each pair, in nats.
    alpha : (N, n)
        dl_r / dDelta_{r,j}, which is never positive; the minus sign before it in (7) is a mistake.
    """
    delta, gamma, among = _checked(delta, gamma, among)
    exponent = np.where(among, -gamma * delta, -np.inf)
    largest = np.maximum(exponent.max(axis=1, initial=0, keepdims=True), 0)
    e = np.exp(exponent - largest)
    total = np.exp(-largest) + e.sum(axis=1, keepdims=True)
    return (largest + np.log(total))[:, 0], -gamma * e / total


def _checked(delta, gamma, among):
    """Check and convert the arguments of `loss`."""
    delta = arguments.array("delta", delta, "N", "n", finite=False)
    if not (isinstance(among, (bool, np.bool_)) and among):
        among = arguments.flags("among", among, "N", "n")
        if among.shape != delta.shape:
            arguments.refuse("among", among, f"of the shape of delta, {delta.shape}")
    return delta, checked_gamma(gamma), among


def checked_gamma(gamma):
    """Return gamma as a float; raise InputError unless 0 < gamma <= `LARGEST_GAMMA`."""
    return arguments.number("gamma", gamma, 0, LARGEST_GAMMA, above=True)


def cost_gradient(yq, yd, clicked, unclicked, gamma):
    """Compute the pairs' losses, and the gradient of their sum with respect to the embeddings.

    Parameters
    ----------
    yq : (N, m)
        The embedding of each pair's query.
    yd : (M, m)
        The embeddings of the titles.
    clicked : (N,) of int
        Each pair's clicked title, a row of yd.
    unclicked : (N, n) of int, or (N, M) of bool
        Each pair's unclicked titles, as rows of yd or as one flag per row.
    gamma : float

    Returns
    -------
    l : (N,)
    dyq : (N, m)
        v_Q of Eq. (15), weighted by alpha and summed over the pair's titles.
    dyd : (M, m)
        v_D of Eq. (15), weighted by alpha and summed over the pairs with this title.
    """
    q, q_norm = normalise(yq)
    d, d_norm = normalise(yd)
    of_cosines = cosines_with_all if unclicked.dtype == bool else cosines_with_drawn
    l, dR, by_query, by_title = of_cosines(q, d, clicked, unclicked, gamma)
    # Eq. (15) with a = R / (b c): v_Q = b c y_D - a b^3 c y_Q = (y_D/|y_D| - R y_Q/|y_Q|) / |y_Q|
    dyq = (dR @ d - by_query[:, None] * q) / q_norm
    dyd = (dR.T @ q - by_title[:, None] * d) / d_norm
    return l, dyq, dyd


def cosines_with_drawn(q, d, clicked, unclicked, gamma):
    """Compute the loss and its gradient with respect to the cosines.

    Each pair has n drawn unclicked titles.

    Parameters
    ----------
    q, d : (N, m), (M, m)
        The embeddings of each pair's query and of the titles, scaled to length 1.
    clicked, unclicked, gamma
        As for `cost_gradient`.

    Returns
    -------
    l : (N,)
    dR : sparse array, (N, M)
        The gradient of the summed loss with respect to R of each pair's query with each title. It
        is 0 for titles outside the pair.
    by_query, by_title : (N,), (M,)
        The elementwise product dR R, summed over the titles and over the queries, respectively.
    """
    candidates = np.column_stack([clicked, unclicked])
    R = np.einsum("rm,rjm->rj", q, d[candidates])
    l, alpha = loss(R[:, :1] - R[:, 1:], gamma)
    dR = np.column_stack([alpha.sum(axis=1), -alpha])
    dR_R, title = dR * R, candidates.ravel()
    by_title = np.bincount(title, dR_R.ravel(), minlength=len(d)).astype(d.dtype)
    parts = dR.ravel(), title, np.arange(len(q) + 1) * candidates.shape[1]
    of_all_titles = scipy.sparse.csr_array(parts, shape=(len(q), len(d)))
    return l, of_all_titles, dR_R.sum(axis=1), by_title


def cosines_with_all(q, d, clicked, unclicked, gamma):
    """Do the same as `cosines_with_drawn` for flags of unclicked titles; dR is dense."""
    R = q @ d.T
    l, dR = loss_gradient(R, clicked, unclicked, gamma)
    dR_R = dR * R
    return l, dR, dR_R.sum(axis=1), dR_R.sum(axis=0)


def loss_gradient(R, clicked, unclicked, gamma):
    """Compute the loss of each pair, and the gradient of the summed loss with respect to R.

    Parameters
    ----------
    R : (N, M)
        R of each pair's query with each title.
    clicked, unclicked, gamma
        As for `cost_gradient`.

    Returns
    -------
    l : (N,)
    dR : (N, M)
    """
    pair = np.arange(len(R))
    of_clicked = R[pair, clicked][:, None]
    if unclicked.dtype == bool:
        l, alpha = loss(of_clicked - R, gamma, unclicked)
        dR = -alpha
    else:  # subtract.at, because a title may be drawn twice
        drawn = pair[:, None], unclicked
        l, alpha = loss(of_clicked - R[drawn], gamma)
        dR = np.zeros_like(R)
        np.subtract.at(dR, drawn, alpha)
    dR[pair, clicked] += alpha.sum(axis=1)
    return l, dR
