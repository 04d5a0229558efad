"""Estimate a lower bound on the time of a training step from this machine's measured rates.

    floor = flops / (matrix-multiply rate) + bytes / (memory bandwidth)

Floating-point operations are counted only for the products with W_rec. For one side of a minibatch
(its queries or its titles) with m cells, g gates and R words that follow another word:

    flops = 3 · 2 R m g m               forward, backward through time, the gradient of W_rec

The bytes count all arrays that must be written to memory and read again, each once, with 4 bytes
per number. For N words, D distinct words, and t touched rows of W, the numbers are:

    N m ((g + 2) 2 + g + 2 g)           o, i, y_g, tanh(c), y written and read;
                                        the word's W l read; the gates' errors written and read
    D m g 4                             W l of the distinct words, and its gradient,
                                        written and read
    t m g 8                             W and its velocity read and written,
                                        the look-ahead and the gradient written and read

Not counted are indices, the cost, element-wise arithmetic (the time of tanh is given separately),
and the arithmetic of the sparse products, which wait for memory. A step may be faster than this
estimate if arrays stay in the cache between uses.
"""

import numpy as np

from . import paper_scale

REPEATS = 15


def counts(batch, cell):
    """Count the floating-point operations, bytes and tanh evaluations per step for one side."""
    n, m, g = len(batch.token), cell.n_cells, len(cell.columns)
    recurrent = n - int(batch.offsets[1])
    numbers = n * m * (5 * g + 4) + batch.Wh.shape[0] * m * g * 4 + len(batch.touched) * m * g * 8
    return {"flops": 6 * recurrent * m * g * m, "bytes": 4 * numbers, "tanh": n * m * (g + 1)}


def rates(batch, cell, threads):
    """Measure floating-point operations, bytes and tanh evaluations per second with two threads.

    Each thread multiplies matrices with the shapes of half a batch, at all positions.
    """
    m, width = cell.n_cells, len(cell.columns) * cell.n_cells
    n = [int(k) // 2 for k in np.diff(batch.offsets)[1:] if k > 1]
    rng = np.random.default_rng(0)

    def arrays(_):
        made = {
            "Wrec": (m, width),
            "y": (sum(n), m),
            "dz": (sum(n), width),
            "x": (1 << 16,),
            "far": (1 << 24,),
        }
        made = {name: rng.standard_normal(shape, np.float32) for name, shape in made.items()}
        return made | {f"{name} out": np.zeros_like(made[name]) for name in made}

    def products(a):
        for k in n:
            np.matmul(a["y"][:k], a["Wrec"], out=a["dz out"][:k])
            np.matmul(a["dz"][:k], a["Wrec"].T, out=a["y out"][:k])
        np.matmul(a["y"].T, a["dz"], out=a["Wrec out"])

    def copies(a):
        np.copyto(a["far out"], a["far"])

    def tanhs(a):
        for _ in range(16):
            np.tanh(a["x"], out=a["x out"])

    both = list(map(arrays, range(2)))
    ways = {"flops": products, "bytes": copies, "tanh": tanhs}
    taken = paper_scale.in_turn(
        {name: lambda k, way=way: list(threads(way, both)) for name, way in ways.items()}, REPEATS
    )
    amounts = {
        "flops": 6 * sum(n) * m * width,
        "bytes": 2 * both[0]["far"].nbytes,
        "tanh": 16 << 16,
    }
    return {name: 2 * amount / min(taken[name]) * 1e3 for name, amount in amounts.items()}


def floor(batches, cell, threads):
    """Compute a step's lower bound in milliseconds, its parts, and this machine's rates."""
    sides = [counts(batch, cell) for batch in batches]
    total = {name: sum(side[name] for side in sides) for name in sides[0]}
    rate = rates(batches[1], cell, threads)
    ms = {name: 1e3 * total[name] / rate[name] for name in total}
    return {
        "floor_ms": round(ms["flops"] + ms["bytes"], 2),
        "products_ms": round(ms["flops"], 2),
        "traffic_ms": round(ms["bytes"], 2),
        "tanh_ms": round(ms["tanh"], 2),
        "gigaflops": round(total["flops"] / 1e9, 3),
        "megabytes": round(total["bytes"] / 1e6, 1),
        "gigaflops_a_second": round(rate["flops"] / 1e9, 1),
        "gigabytes_a_second": round(rate["bytes"] / 1e9, 1),
    }
