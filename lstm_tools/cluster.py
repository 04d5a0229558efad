"""Training on dask.distributed: each worker computes the gradient of a part of a minibatch.

With the sum of these gradients, the training process makes what the paper calls "one large update".

The weights, their velocity and their running average stay in the training process. For each update,
a worker gets its share of the minibatch's queries and titles, the rows of each W that these texts
use, and all other weights, at the point where (6) takes the gradient. It sends back the embeddings,
or the outputs at all words if words are aligned. The training process computes the cost, which
compares all queries with all titles of the minibatch, and sends each worker the error of its
embeddings. The worker sends back its gradient. The sum of the gradients is clipped once.

So only the embeddings and the used rows of each W are transferred, in both directions. At the
paper's scale these are about 19 MB per worker each way, which is worthwhile across machines with a
fast network; on one machine, two threads are faster. Workers do not change weights, so if one is
lost, dask can compute its part again on another.
"""

import asyncio
import functools
import operator
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.gradients.parallel import joined, part_of, read_in_lanes
from lstm_edu.models.encoder import Side
from lstm_edu.text.lanes import split

LOOK = 0.5  # seconds between checks for workers
WAIT = 120.0  # seconds to wait for a worker; dask's nanny restarts a lost one much sooner
CONNECT = 10  # seconds to wait for a scheduler


def _distributed() -> Any:
    with from_extra("cluster", "cluster needs dask.distributed"):
        import distributed
    return distributed


@contextmanager
def connected(address):
    """Return a context manager for a client that is connected to the scheduler at ``address``.

    Raises InputError if no scheduler answers.
    """
    Client = _distributed().Client
    if not address:  # without an address, dask would start a local cluster
        raise InputError("cluster: the address of the scheduler is empty")
    try:
        _reach(address)
        client = Client(address, timeout=CONNECT, direct_to_workers=True)
    except Exception as error:  # raised, for example, for tls:// without certificates
        raise InputError(f"cluster: no scheduler answers at {address!r} ({error})") from None
    with client:
        yield client


def _reach(address):
    """Connect to the scheduler at ``address`` once, or raise an error.

    Call this before making a client, because a client that fails to connect leaves a thread, which
    can deadlock with the next client.
    """
    distributed = _distributed()
    # use the certificates in dask's settings
    certificates = distributed.Security().get_connection_args("client")

    async def reach():
        # the timeout of `connect` does not cover a server that accepts but never answers
        connecting = distributed.comm.connect(address, timeout=CONNECT, **certificates)
        comm = await asyncio.wait_for(connecting, CONNECT)
        await comm.close()

    # in another thread, because a notebook's thread already runs an event loop
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, reach()).result()


def workers(client):
    """Return a function that shares each minibatch of `lstm_edu.train` among a cluster's workers.

    Use it as ``lstm_edu.train(model, pairs, workers=lstm_tools.cluster.workers(client))``. Each
    update equals that of one process except for rounding, because the order of a sum depends on the
    number of workers. Training amplifies the difference: after four epochs on the sample (LSTM(32),
    two workers, weights up to 2.1) in float32, weights differed by up to 0.03 and nDCG@10 by .004;
    in float64, weights differed by up to 1e-8. If a worker is lost, its part of the update is
    computed again; a worker that joins gets a share from the next epoch on.

    Parameters
    ----------
    client : dask.distributed.Client
        Fastest if made with ``direct_to_workers=True``.

    Returns
    -------
    function
        For the argument ``workers`` of `lstm_edu.train`.

    Raises
    ------
    InputError
        ``client`` is not a synchronous dask client, or is closed. During training: no worker is
        left.
    """
    Client = _distributed().Client
    if not isinstance(client, Client) or client.asynchronous:
        arguments.refuse("cluster", client, "a dask.distributed.Client that is not asynchronous")
    if client.status != "running":
        raise InputError(f"cluster: its client is {client.status}; must be running")
    return functools.partial(_workers, client)


@contextmanager
def _workers(client):
    """Return a context manager for a function that computes gradients on the current workers.

    The function is called like `lstm_edu.gradients.minibatch.minibatch_gradient`.
    """
    try:
        client.wait_for_workers(1, timeout=WAIT)
        n = len(client.nthreads())
    except OSError as error:
        raise InputError(f"cluster: no worker is left ({error})") from None
    yield functools.partial(minibatch_gradient, read=functools.partial(_read, client, n))


def _read(client, n, threads, sides, batches, words):
    """Run forward passes like `lstm_edu.gradients.parallel.read_in_lanes`, but on n workers."""
    shares = [[] for _ in range(n)]  # per worker, a list of (side, part of its batch)
    for k, batch in enumerate(batches):
        for share, part in zip(shares, split(batch, n)):
            share.append((k, part))
    shares = [share for share in shares if share]
    every = [part for share in shares for part in share]

    # let dask choose workers, because it would wait forever for a named worker that is lost
    submit = functools.partial(client.submit, pure=False)
    sent = [zip(*(_sent(sides[k], part) for k, part in share)) for share in shares]
    read = [submit(functools.partial(_read_parts, *share, words)) for share in sent]
    forward = [submit(operator.itemgetter(0), future) for future in read]
    outputs = joined(sides, batches, words, zip(every, _answers(client, forward)))

    def go_back(errors, *how):
        sent = ([part_of(errors[k], batches[k], part) for k, part in share] for share in shares)
        back = [
            submit(functools.partial(_go_back, share, *how), future)
            for share, future in zip(sent, read)
        ]
        total = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
        for (k, part), gradient in zip(every, _answers(client, back)):
            for name, g in gradient.items():
                rows = part.touched if name in sides[k].cell.sparse else ...
                total[k][name][rows] += g
        return total

    return outputs, go_back


def _sent(side, part):
    """Reduce a side's weights to the rows of W that a part of its batch uses.

    Returns
    -------
    side : Side
    part
        The part of the batch, with its trigrams renumbered to the rows of the reduced W.
    """
    rows, part = part.compact()
    at = Side(side.cell, side.cell.map_sparse(lambda W: W[rows], side.weights))
    return at, part._replace(order=np.arange(len(part.order)))


def _read_parts(*given):
    """Run forward passes on a worker, which keeps the function for the backward passes."""
    with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
        return read_in_lanes(map, *given)


def _go_back(errors, method, truncate, read):
    """Run the backward passes on the worker that ran the forward passes in `_read_parts`."""
    with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
        return read[1](errors, method, truncate)


def _answers(client, futures):
    """Wait for futures whose results are lists, and return the concatenated lists.

    Raises InputError if there is no worker for `WAIT` seconds.
    """
    distributed, until = _distributed(), time.monotonic() + WAIT
    try:
        while True:
            with suppress(TimeoutError), client.as_current():
                distributed.wait(futures, timeout=LOOK)
                return [answer for answers in client.gather(futures) for answer in answers]
            if client.nthreads():
                until = time.monotonic() + WAIT
            elif time.monotonic() > until:
                raise TimeoutError(f"for {WAIT:g} seconds")
    except (OSError, distributed.KilledWorker, distributed.CancelledError) as error:
        raise InputError(f"cluster: no worker is left ({error})") from None
