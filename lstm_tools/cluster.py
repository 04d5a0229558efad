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
from lstm_edu.gradients.minibatch import minibatch_gradient, read_whole
from lstm_edu.gradients.parallel import joined, part_of
from lstm_edu.models.encoder import Side
from lstm_edu.text.lanes import split

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
        self._go_back = None

    def read(self, *given):
        """Read texts, as `lstm_edu.gradients.minibatch.read_whole`."""
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            outputs, self._go_back = read_whole(*given)
        return outputs

    def go_back(self, *given):
        """Return each gradient from the errors of what `read` returned."""
        if self._go_back is None:
            raise ConnectionError("what was read here went with another process")
        go_back, self._go_back = self._go_back, None
        with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
            return go_back(*given)


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


def gradient_by_workers(client, shares, *step):
    """As `lstm_edu.gradients.minibatch.minibatch_gradient`, by several workers.

    Parameters
    ----------
    client : dask.distributed.Client
    shares : dict
        By worker, its `Share` and the future of it. The lost are taken out.
    *step
        As there; sparse weights have only the rows that ``examples`` touch.

    Raises
    ------
    InputError
        No worker is left, or one was lost in every try.
    """
    read = functools.partial(_read, client, shares)
    for _ in range(TRIES):
        if not shares:
            shares.update(_found(client))
        try:
            return minibatch_gradient(*step, read=read)
        except _Lost:
            pass
    raise InputError(f"cluster: a worker was lost in each of {TRIES} tries of the same step")


def _read(client, shares, sides, batches, words):
    """As `lstm_edu.gradients.minibatch.read_whole`, by workers; raises _Lost if one was."""
    parts = {worker: [] for worker in shares}  # of each worker: the number of the side, the part
    for k, batch in enumerate(batches):
        for worker, part in zip(shares, split(batch, len(shares))):
            parts[worker].append((k, part))
    parts = {worker: own for worker, own in parts.items() if own}
    ask = functools.partial(_ask, client, shares)

    def to_read(own):
        return *zip(*(_sent(sides[k], part) for k, part in own)), words

    def each(answers):
        for worker, own in parts.items():
            yield from zip(own, answers[worker])

    answers = ask("read", {worker: to_read(own) for worker, own in parts.items()})
    outputs = joined(sides, batches, words, each(answers))

    def go_back(errors, *how):
        def to_go_back(own):
            return [part_of(errors[k], batches[k], part) for k, part in own], *how

        gradients = ask("go_back", {worker: to_go_back(own) for worker, own in parts.items()})
        total = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
        for (k, part), gradient in each(gradients):
            for name, g in gradient.items():
                rows = part.touched if name in sides[k].cell.sparse else ...
                total[k][name][rows] += g
        return total

    return outputs, go_back


def _sent(side, part):
    """What a worker gets to read a part: a side with the rows that the part touches, and these."""
    rows, part = part.compact()
    at = Side(side.cell, side.cell.map_sparse(lambda W: W[rows], side.weights))
    return at, part._replace(order=np.arange(len(part.order)))


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
