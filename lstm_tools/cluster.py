"""Training on dask.distributed, where each worker has its part of a minibatch.

The sum of the parts is the paper's "one large update".

The weights, their velocity and their average stay here. At every update a worker gets its share of
the minibatch's queries and titles, the small weights, and of each W the rows that its texts touch,
at the point where (6) takes the gradient. It sends back the embeddings, or the outputs at all words
where these are compared. The cost, in which all queries meet all titles, is computed here, so that
"every title of the minibatch" means just that. The worker gets the error of its embeddings and
sends back the gradient of its rows; the parts are summed, clipped once, and make one update.

So an update sends the touched rows of each W and the embeddings, there and back, and no other rows.
At the paper's scale those are some 19 MB per worker each way, so this pays across machines with a
quick network between them; on one machine, two threads are quicker. A gradient changes nothing, so
dask computes the part of a lost worker again on those that are left.
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
from lstm_edu.gradients.minibatch import minibatch_gradient, read_whole
from lstm_edu.gradients.parallel import joined, part_of
from lstm_edu.models.encoder import Side
from lstm_edu.text.lanes import split

LOOK = 0.5  # seconds between two looks whether there is a worker to wait for
WAIT = 120.0  # seconds without any worker; a nanny brings a lost one back in a few
CONNECT = 10  # seconds for a scheduler to answer


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
    """Raise whatever keeps one from a scheduler at ``address``.

    Before there is a client: one that has failed leaves a thread to the collector, which may come
    while another is being made, and then waits for ever for a lock that this one holds.
    """
    distributed = _distributed()
    certificates = distributed.Security().get_connection_args("client")  # of dask's settings

    async def reach():
        # connect's own limit doesn't count the wait for a server that accepts and is silent
        connecting = distributed.comm.connect(address, timeout=CONNECT, **certificates)
        comm = await asyncio.wait_for(connecting, CONNECT)
        await comm.close()

    with ThreadPoolExecutor(1) as thread:  # a notebook's own has a loop that runs
        thread.submit(asyncio.run, reach()).result()


def workers(client):
    """Share every minibatch of `lstm_edu.train` among the workers of a cluster.

    ``lstm_edu.train(model, pairs, workers=lstm_tools.cluster.workers(client))``. Each update is
    that of one process but for rounding, as sums are made in another order with each number of
    workers, and training makes more of that: after four epochs of the sample (LSTM(32), two
    workers, weights of at most 2.1) weights differed by up to 0.03 in float32, nDCG@10 by .004; in
    float64 by 1e-8. A worker that is lost costs its part of a step, one that joins has a share from
    the next epoch on.

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
    Client = _distributed().Client
    if not isinstance(client, Client) or client.asynchronous:
        allowed = "a dask.distributed.Client that is not asynchronous"
        arguments.refuse("cluster", client, allowed)
    if client.status != "running":
        raise InputError(f"cluster: its client is {client.status}; must be running")
    return functools.partial(_workers, client)


@contextmanager
def _workers(client):
    """A context that gives a minibatch's gradient by the workers that the client has at the moment.

    It is called as `lstm_edu.gradients.minibatch.minibatch_gradient`.
    """
    try:
        client.wait_for_workers(1, timeout=WAIT)
        n = len(client.nthreads())
    except OSError as error:
        raise InputError(f"cluster: no worker is left ({error})") from None
    yield functools.partial(minibatch_gradient, read=functools.partial(_read, client, n))


def _read(client, n, sides, batches, words):
    """As `lstm_edu.gradients.minibatch.read_whole`, in n parts by workers."""
    parts = [[] for _ in range(n)]  # each with the number of its side
    for k, batch in enumerate(batches):
        for own, part in zip(parts, split(batch, n)):
            own.append((k, part))
    parts = [own for own in parts if own]
    every = [part for own in parts for part in own]

    # where is dask's choice: it waits for ever for a named worker that is lost
    submit = functools.partial(client.submit, pure=False)
    sent = [zip(*(_sent(sides[k], part) for k, part in own)) for own in parts]
    read = [submit(functools.partial(_read_parts, *own, words)) for own in sent]
    there = [submit(operator.itemgetter(0), future) for future in read]
    outputs = joined(sides, batches, words, zip(every, _answers(client, there)))

    def go_back(errors, *how):
        sent = ([part_of(errors[k], batches[k], part) for k, part in own] for own in parts)
        back = [
            submit(functools.partial(_go_back, own, *how), future)
            for own, future in zip(sent, read)
        ]
        total = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
        for (k, part), gradient in zip(every, _answers(client, back)):
            for name, g in gradient.items():
                rows = part.touched if name in sides[k].cell.sparse else ...
                total[k][name][rows] += g
        return total

    return outputs, go_back


def _sent(side, part):
    """Return a side with the rows that a part touches, and the part in terms of these."""
    rows, part = part.compact()
    at = Side(side.cell, side.cell.map_sparse(lambda W: W[rows], side.weights))
    return at, part._replace(order=np.arange(len(part.order)))


def _read_parts(*given):
    """Read parts on a worker, where the way back stays."""
    with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
        return read_whole(*given)


def _go_back(errors, method, truncate, read):
    """Return the gradients of parts on a worker."""
    with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
        return read[1](errors, method, truncate)


def _answers(client, futures):
    """Return all that some futures list, in one list.

    Raises InputError if there is no worker for a long time.
    """
    distributed, until = _distributed(), time.monotonic() + WAIT
    try:
        while True:
            with suppress(TimeoutError), client.as_current():
                distributed.wait(futures, timeout=LOOK)
                return [answer for own in client.gather(futures) for answer in own]
            if client.nthreads():
                until = time.monotonic() + WAIT
            elif time.monotonic() > until:
                raise TimeoutError(f"for {WAIT:g} seconds")
    except (OSError, distributed.KilledWorker, distributed.CancelledError) as error:
        raise InputError(f"cluster: no worker is left ({error})") from None
