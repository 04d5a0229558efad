"""Training on dask.distributed: each worker has its part of a minibatch, and the sum is the paper's "one large update".

The weights, their velocity and their average stay here. At every update a worker gets its share of the minibatch's queries and titles,
the small weights, and of each W the rows that its texts touch, at the point where (6) takes the gradient. It sends back the
embeddings. The cost, in which queries and titles meet whoever has read them, is taken here, so that "every title of the minibatch" means just that.
The worker gets the error of its embeddings and sends back the gradient of its rows, which are summed, clipped once, and make one update.

So per update travel, there and back, the touched rows of each W and the embeddings: what is not touched never does. At the paper's scale
those are some 19 MB a worker each way, so this pays across machines with a quick network between them; on one machine, two threads are quicker. A
gradient changes nothing, so a step whose worker was lost is simply taken again by the workers left.
"""

import functools
import time
from contextlib import contextmanager

import numpy as np

from ..cells.cell import is_by_rows
from ..files import InputError
from ..gradients.minibatch import cost_gradient, errors_by
from ..text.lanes import split
from ..threads import one_blas_thread

LOOK = 0.5  # seconds between two looks whether a worker that has not answered is still there
WAIT = 30.0  # seconds for a first worker to start, and a sixth of it for the others; a nanny brings a lost one back in a few
CONNECT = 10  # seconds for a scheduler to answer
TRIES = 5  # of one step: what has cost five times its workers would cost all to come


class Share:
    """A worker's share of the step in work, from the reading of its texts until their error is back. It lives on the worker."""

    def __init__(self):
        self._read = None

    def read(self, cells, weights, batches):
        """Embeddings of each batch, in its order; see ``cell.forward``."""
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            results = [cell.forward(w, batch) for cell, w, batch in zip(cells, weights, batches)]
        self._read = cells, weights, batches, [tape for _, tape in results]
        return [y for y, _ in results]

    def go_back(self, errors, method, truncate):
        """The gradient of the weights for each batch from the error of its embeddings; see ``cell.backward``."""
        if self._read is None:
            raise ConnectionError("what was read here went with another process")
        work, self._read = self._read, None
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            return [
                cell.backward(w, batch, tape, dy, truncate, errors_by(method, cell))
                for cell, w, batch, tape, dy in zip(*work, errors)
            ]


def _client_class():
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "cluster: needs dask.distributed; pip install 'lstm_edu[cluster]'"
        ) from None
    return Client


@contextmanager
def connected(address):
    """A context that gives a client of the scheduler at ``address``; raises InputError if none answers there."""
    Client = _client_class()
    try:
        client = Client(address, timeout=CONNECT, direct_to_workers=True)
    except (OSError, ValueError) as error:
        raise InputError(f"cluster: no scheduler answers at {address!r} ({error})") from None
    with client:
        yield client


def check(client):
    """Raise InputError unless this is a client of dask.distributed that is connected and waits for its answers."""
    Client = _client_class()
    if not isinstance(client, Client) or client.asynchronous:
        raise InputError(
            f"cluster: {client!r:.60}; must be None or a dask.distributed.Client that is not asynchronous"
        )
    if client.status != "running":
        raise InputError(f"cluster: its client is {client.status}; must be running")


@contextmanager
def workers(client):
    """A context that gives a function as `lstm_edu.gradients.minibatch.minibatch_gradient`, done by the client's workers of the moment."""
    shares = _found(client)
    try:
        yield functools.partial(minibatch_gradient, client, shares)
    finally:
        shares.clear()  # the last hold on what lives on the workers


def minibatch_gradient(client, shares, sides, examples, gamma, method="bptt", truncate=None):
    """As `lstm_edu.gradients.minibatch.minibatch_gradient`, by several workers.

    Parameters
    ----------
    client : dask.distributed.Client
    shares : dict
        By worker, its `Share` and the future of it. The lost are taken out.
    sides, examples, gamma, method, truncate
        As there; of each W only the rows that ``examples`` touch.

    Raises
    ------
    InputError
        No worker is left, or one was lost in every try.
    """
    for _ in range(TRIES):
        if not shares:
            shares.update(_found(client))
        try:
            return _in_parts(client, shares, sides, examples, gamma, method, truncate)
        except _Lost:
            pass
    raise InputError(f"cluster: a worker was lost in each of {TRIES} tries of the same step")


def _in_parts(client, shares, sides, examples, gamma, method, truncate):
    """A step; raises _Lost if a worker was."""
    batches = examples.queries, examples.documents
    work = {
        worker: [] for worker in shares
    }  # by worker, the sides and the batches that it has to read
    for k, batch in enumerate(batches):
        for worker, part in zip(work, split(batch, len(work))):
            work[worker].append((k, part))
    work = {worker: tuple(zip(*parts)) for worker, parts in work.items() if parts}

    def packed(k, touched):
        return {name: w[touched] if is_by_rows(name) else w for name, w in sides[k].weights.items()}

    embeddings = _ask(
        client,
        shares,
        "read",
        {
            worker: (
                [sides[k].cell for k in which],
                [packed(k, part.touched) for k, part in zip(which, parts)],
                parts,
            )
            for worker, (which, parts) in work.items()
        },
    )
    y = [
        np.empty((len(batch.order), side.cell.size), side.dtype)
        for side, batch in zip(sides, batches)
    ]
    for worker, (which, parts) in work.items():
        for k, part, own in zip(which, parts, embeddings[worker]):
            y[k][part.order] = own
    l, dy = cost_gradient(*y, examples, gamma)
    gradients = _ask(
        client,
        shares,
        "go_back",
        {
            worker: ([dy[k][part.order] for k, part in zip(which, parts)], method, truncate)
            for worker, (which, parts) in work.items()
        },
    )
    total = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
    for worker, (which, parts) in work.items():
        for k, part, gradient in zip(which, parts, gradients[worker]):
            for name, g in gradient.items():
                total[k][name][part.touched if is_by_rows(name) else ...] += g
    return l, total


class _Lost(Exception):
    pass


def _ask(client, shares, method, arguments):
    """What each worker's share answers, by worker. Those that do not are taken out, and _Lost is raised when all others have answered."""
    asked, answers = {}, {}
    with client.as_current():  # the client by which the shares are reached
        for worker, given in arguments.items():
            try:
                asked[worker] = getattr(shares[worker][0], method)(*given)
            except RuntimeError:  # dask's word for a share whose worker is gone
                pass
    for worker, answer in asked.items():
        while worker not in answers:
            try:
                answers[worker] = answer.result(timeout=LOOK)
            except TimeoutError:
                if client.status != "running" or shares[worker][1].status != "finished":
                    break
            except OSError:
                break
    lost = arguments.keys() - answers.keys()
    for worker in lost:
        shares.pop(worker)[1].cancel()
    if lost:
        raise _Lost
    return answers


def _found(client):
    """A new `Share` on each worker that there is, and the future of it; raises InputError if there is none."""
    made, until, why = {}, time.monotonic() + WAIT, ""
    while client.status == "running" and time.monotonic() < until:
        try:
            there = client.nthreads()
        except OSError:  # the scheduler is gone, which the client finds out in a while
            break
        made = {
            worker: made.get(worker)
            or client.submit(Share, actor=True, workers=[worker], pure=False)
            for worker in there
        }
        status = [future.status for future in made.values()]
        if "finished" in status:
            until = min(
                until, time.monotonic() + WAIT / 6
            )  # the others are starting, too, or busy with something else
            if "pending" not in status:
                break
        why = next(
            (f": {future.exception()}" for future in made.values() if future.status == "error"), ""
        )
        time.sleep(0.01)
    shares = {}
    with client.as_current():
        for worker, future in made.items():
            try:
                if future.status == "finished":
                    shares[worker] = future.result(timeout=WAIT / 6), future
            except Exception:  # RuntimeError, TimeoutError, KilledWorker: it has died since
                pass
    if not shares:
        raise InputError(f"cluster: no worker is left{why}")
    return shares
