"""Training on dask.distributed, where each worker has its part of a minibatch.

The sum of the parts is the paper's "one large update".

The weights, their velocity and their average stay here. At every update a worker gets its share of
the minibatch's queries and titles, the small weights, and of each W the rows that its texts touch,
at the point where (6) takes the gradient. It sends back the embeddings, or the outputs at all
words where these are compared. The cost, in which queries
and titles meet whoever has read them, is taken here, so that "every title of the minibatch" means
just that. The worker gets the error of its embeddings and sends back the gradient of its rows,
which are summed, clipped once, and make one update.

So per update travel, there and back, the touched rows of each W and the embeddings: what is not
touched never does. At the paper's scale those are some 19 MB a worker each way, so this pays across
machines with a quick network between them; on one machine, two threads are quicker. A gradient
changes nothing, so a step whose worker was lost is simply taken again by the workers left.
"""

import asyncio
import functools
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients.minibatch import errors_by
from lstm_edu.gradients.parallel import nothing_read
from lstm_edu.gradients.relevance import COSINE, Read
from lstm_edu.text.lanes import places, split

LOOK = 0.5  # seconds between two looks whether a worker that has not answered is still there
# seconds for a first worker to start, and a sixth of it for the others; a nanny brings a lost one
# back in a few, and on a busy machine in some more
WAIT = 120.0
CONNECT = 10  # seconds for a scheduler to answer
TRIES = 5  # of one step: what has cost five times its workers would cost all to come


class Share:
    """A worker's share of the step in work. It lives on the worker.

    From the reading of its texts until their error is back.
    """

    def __init__(self):
        self._read = None

    def read(self, cells, weights, batches, words=False):
        """Embeddings of each batch, in its order, and the outputs at all its words if wanted."""
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            results = [cell.forward(w, batch) for cell, w, batch in zip(cells, weights, batches)]
        self._read = cells, weights, batches, [tape for _, tape in results]
        return [Read(y, tape.y if words else None) for y, tape in results]

    def go_back(self, errors, method, truncate):
        """The gradient for each batch from the error of what `read` gave; see ``cell.backward``."""
        if self._read is None:
            raise ConnectionError("what was read here went with another process")
        work, self._read = self._read, None
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            return [
                cell.backward(w, batch, tape, e.y, truncate, errors_by(method, cell), e.words)
                for cell, w, batch, tape, e in zip(*work, errors)
            ]


def _distributed() -> Any:
    with from_extra("cluster", "cluster needs dask.distributed"):
        import distributed
    return distributed


@contextmanager
def connected(address):
    """A context that gives a client of the scheduler at ``address``.

    Raises InputError if none answers there.
    """
    Client = _distributed().Client
    if not address:  # for which dask would start workers of its own
        raise InputError("cluster: the address of the scheduler is empty")
    try:
        _reach(address)
        client = Client(address, timeout=CONNECT, direct_to_workers=True)
    except Exception as error:  # TypeError for tls:// without certificates, and more
        raise InputError(f"cluster: no scheduler answers at {address!r} ({error})") from None
    with client:
        yield client


def _reach(address):
    """Raise what keeps one from a scheduler at ``address``.

    Before there is a client: one that has failed leaves a thread to the collector, which may come
    while another is being made, and then waits for ever for a lock that this one holds.
    """
    distributed = _distributed()
    certificates = distributed.Security().get_connection_args("client")  # of dask's settings

    async def reach():
        # its own limit is of the connecting alone: what accepts and is silent would keep it waiting
        connecting = distributed.comm.connect(address, timeout=CONNECT, **certificates)
        comm = await asyncio.wait_for(connecting, CONNECT)
        await comm.close()

    with ThreadPoolExecutor(1) as thread:  # a notebook's own has a loop that runs
        thread.submit(asyncio.run, reach()).result()


def check(client):
    """Raise InputError unless this is a client of dask.distributed, connected, not asynchronous."""
    Client = _distributed().Client
    if not isinstance(client, Client) or client.asynchronous:
        what = "a dask.distributed.Client that is not asynchronous"
        arguments.refuse("cluster", client, what)
    if client.status != "running":
        raise InputError(f"cluster: its client is {client.status}; must be running")


def workers(client):
    """Share every minibatch of `lstm_edu.train` among the workers of a cluster.

    ``lstm_edu.train(model, pairs, workers=lstm_tools.cluster.workers(client))``. Each update is
    that of one process but for rounding, as sums are made in another order with each number of
    workers, and training makes more of that: after four epochs of the sample (LSTM(32), two
    workers, weights of at most 2.1) weights differed by up to 0.03 in float32, nDCG@10 by .004; in
    float64 by 1e-8. A worker that is lost costs its step, one that joins has a share from the next
    epoch on.

    Parameters
    ----------
    client : dask.distributed.Client
        Quickest if made with ``direct_to_workers=True``.

    Returns
    -------
    function
        What `lstm_edu.train` takes.

    Raises
    ------
    InputError
        This is no client, or a closed one; in training, if no worker is left.
    """
    check(client)
    return functools.partial(_workers, client)


@contextmanager
def _workers(client):
    """A context that gives a minibatch's gradient by the workers that the client has at the moment.

    It is called as `lstm_edu.gradients.minibatch.minibatch_gradient`.
    """
    shares = _found(client)
    try:
        yield functools.partial(gradient_by_workers, client, shares)
    finally:
        shares.clear()  # the last hold on what lives on the workers


def gradient_by_workers(
    client, shares, sides, examples, gamma, method="bptt", truncate=None, relevance=COSINE
):
    """As `lstm_edu.gradients.minibatch.minibatch_gradient`, by several workers.

    Parameters
    ----------
    client : dask.distributed.Client
    shares : dict
        By worker, its `Share` and the future of it. The lost are taken out.
    sides, examples, gamma, method, truncate, relevance
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
            return _in_parts(client, shares, sides, examples, gamma, method, truncate, relevance)
        except _Lost:
            pass
    raise InputError(f"cluster: a worker was lost in each of {TRIES} tries of the same step")


def _in_parts(client, shares, sides, examples, gamma, method, truncate, relevance):
    """A step; raises _Lost if a worker was."""
    batches = examples.queries, examples.documents
    ask, parts = functools.partial(_ask, client, shares), _parts(batches, shares)
    to_read = {worker: (*_to_read(sides, own), relevance.words) for worker, own in parts.items()}
    read = [nothing_read(*of_side, relevance) for of_side in zip(sides, batches)]
    for k, part, own in _each_part(parts, ask("read", to_read)):
        read[k].y[part.order] = own.y
        if relevance.words:
            read[k].words[places(batches[k], part)] = own.words
    l, read = relevance.cost_gradient(*read, examples, gamma)  # from here on its error

    def error(k, part):
        words = read[k].words[places(batches[k], part)] if relevance.words else None
        return Read(read[k].y[part.order], words)

    def errors(own):
        return [error(k, part) for k, part in own], method, truncate

    gradients = ask("go_back", {worker: errors(own) for worker, own in parts.items()})
    total = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
    for k, part, gradient in _each_part(parts, gradients):
        for name, g in gradient.items():
            total[k][name][part.touched if name in sides[k].cell.sparse else ...] += g
    return l, total


def _parts(batches, shares):
    """By worker, its parts of the batches, each with the number of its side, 0 or 1."""
    parts = {worker: [] for worker in shares}
    for k, batch in enumerate(batches):
        for worker, part in zip(parts, split(batch, len(parts))):
            parts[worker].append((k, part))
    return {worker: own for worker, own in parts.items() if own}


def _to_read(sides, parts):
    """What `Share.read` takes, of a worker's parts: of each W the rows that a part touches."""

    def weights(side, touched):
        return side.cell.map_sparse(lambda W: W[touched], side.weights)

    cells = [sides[k].cell for k, _ in parts]
    own_weights = [weights(sides[k], part.touched) for k, part in parts]
    return cells, own_weights, [part for _, part in parts]


def _each_part(parts, answers):
    """Every part of every worker: the number of its side, the part, and what was answered of it."""
    for worker, own in parts.items():
        for (k, part), answer in zip(own, answers[worker]):
            yield k, part, answer


class _Lost(Exception):
    pass


def _ask(client, shares, method, arguments):
    """What each worker's share answers, by worker.

    Those that do not are taken out, and _Lost is raised when all others have answered.
    """
    asked, answers = {}, {}
    with client.as_current():  # the client by which the shares are reached
        for worker, given in arguments.items():
            with suppress(RuntimeError):  # dask's word for a share whose worker is gone
                asked[worker] = getattr(shares[worker][0], method)(*given)
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
    """A new `Share` on each worker that there is, and the future of it.

    Raises InputError if there is none for a long time: of those that are just there all may be lost
    before they answer, and come back.
    """
    shares, until = {}, time.monotonic() + WAIT
    while not shares:
        asked, why = _asked_for_shares(client, until)
        with client.as_current():
            for worker, future in asked.items():
                share = _fetched(future, until)
                if share is not None:
                    shares[worker] = share, future
        if not shares and (client.status != "running" or time.monotonic() >= until):
            raise InputError(f"cluster: no worker is left{why}")
    return shares


def _fetched(future, until):
    """What is in a future; None if its worker has died."""
    while future.status == "finished" and time.monotonic() < until:
        try:
            return future.result(timeout=LOOK)
        except TimeoutError:
            pass
        except Exception:  # RuntimeError, KilledWorker: it has died since
            break
    return None


def _asked_for_shares(client, until):
    """Ask each worker for a new `Share`, and wait until they have it, or it is too late.

    Returns
    -------
    asked : dict
        By worker, the future of its share.
    why : str
        What is wrong with one that could not be made.
    """
    ask = functools.partial(client.submit, Share, actor=True, pure=False)
    asked, why = {}, ""
    while client.status == "running" and time.monotonic() < until:
        try:
            there = client.nthreads()
        except OSError:  # the scheduler is gone, which the client finds out in a while
            time.sleep(LOOK)
            break
        asked = {worker: asked.get(worker) or ask(workers=[worker]) for worker in there}
        status = [future.status for future in asked.values()]
        if "finished" in status:
            # the others are starting, too, or busy with something else
            until = min(until, time.monotonic() + WAIT / 6)
            if "pending" not in status:
                break
        failed = [future for future in asked.values() if future.status == "error"]
        why = f": {failed[0].exception()}" if failed else ""
        time.sleep(0.01)
    return asked, why
