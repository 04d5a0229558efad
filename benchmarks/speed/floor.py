"""The least time that a training step can take on this machine:
its arithmetic and its traffic over measured rates.

    floor = flops / (matrix-multiply rate) + bytes / (memory bandwidth)

Floating-point operations are those of the products with W_rec. For one side with m cells, g gates
and R words that follow another word:

    flops = 3 · 2 R m g m               forward, the errors back through time, the gradient of W_rec

Least bytes, 4 a number, are those of arrays that must go to memory and back, each written and read
once. For N words read, of which D are distinct, and rows W of which t are touched:

    N m ((g + 2) 2 + g + 2 g)           o, i, y_g, tanh(c), y kept and read again;
                                        the word's W l read; the gates' errors written and read
    D m g 4                             W l of the distinct words, and its gradient,
                                        written and read
    t m g 8                             W and its velocity read and written,
                                        looked ahead and gradient written and read

Not counted: indices, the cost, tanh and the other element-wise arithmetic (tanh alone is given
beside the floor), and the arithmetic of the sparse products, which wait for memory. Arrays that
stay in the cache from one use to the next can be quicker than this floor has them.
"""

import time

import numpy as np

REPEATS = 15


def counts(batch, cell):
    """Floating-point operations and least bytes of a step on one side, and how many tanh."""
    n, m, g = len(batch.token), cell.n_cells, len(cell.columns)
    recurrent = n - int(batch.offsets[1])
    numbers = n * m * (5 * g + 4) + batch.Wh.shape[0] * m * g * 4 + len(batch.touched) * m * g * 8
    return {"flops": 6 * recurrent * m * g * m, "bytes": 4 * numbers, "tanh": n * m * (g + 1)}


def rates(batch, cell, threads):
    """What two threads together reach at their best: floating-point operations,
    bytes and tanh a second.

    The products have the shapes that a batch's two halves ask for, all times and all three kinds.
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

    done, both = {}, list(map(arrays, range(2)))
    for name, way, amount in (
        ("flops", products, 6 * sum(n) * m * width),
        ("bytes", copies, 2 * both[0]["far"].nbytes),
        ("tanh", tanhs, 16 << 16),
    ):
        seconds = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            list(threads(way, both))
            seconds.append(time.perf_counter() - start)
        done[name] = 2 * amount / min(seconds)
    return done


def floor(batches, cell, threads):
    """Milliseconds of the floor, and what it is made of."""
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
