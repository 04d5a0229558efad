"""What `torch.compile` makes of the step of Eq. (2): reading and its way back, in PyTorch's three
ways. Lesson 14 reads the figures::

    python benchmarks/torch_compile.py --json benchmarks/torch_compile.json

- eager: the step line by line, in a loop over the words;
- compiled: the same function after `torch.compile`, for one size of minibatch;
- nn.LSTM: one call, packed or not is no matter here. It has a forget gate, so four products for
  our three: divide by 4/3 to compare.

All three get W l(t) + b and give the gradient of it and of Wrec. The ways take turns, so that
what else the machine does falls on all alike: read the ratios, not the milliseconds. Needs the
extra `bench`, and for `torch.compile` a C++ compiler.
"""

import argparse
import datetime
import json
import time

import numpy as np

from lstm_edu import files
from lstm_edu.files import from_extra

with from_extra("bench", "torch_compile.py needs PyTorch"):
    import torch

# texts, words each, cells
SIZES = {"paper": (2048, 8, 96), "classroom": (512, 8, 32)}
ROUNDS = 40


def read(P, Wrec):
    """y after the last word, from W l(t) + b of all words and texts, (T, N, 3 m)."""
    y = c = torch.zeros(P.shape[1], Wrec.shape[0])
    for z in P:
        o, i, yg = (z + y @ Wrec).chunk(3, 1)
        c = c + torch.sigmoid(i) * torch.tanh(yg)
        y = torch.sigmoid(o) * torch.tanh(c)
    return y


def by_nn_lstm(m):
    """The same by `torch.nn.LSTM`, which is handed W l(t): its own W is the identity."""
    lstm = torch.nn.LSTM(4 * m, m, bias=False)
    lstm.weight_ih_l0 = torch.nn.Parameter(torch.eye(4 * m), requires_grad=False)

    def read(P, _):
        _, (y, _) = lstm(P)
        return y[0]

    return read, lstm.weight_hh_l0


def measure(N, T, m, rounds=ROUNDS):
    """Milliseconds of each way, interleaved, and what compiling took."""
    torch.manual_seed(0)
    P, Wrec = torch.randn(T, N, 3 * m), 0.05 * torch.randn(m, 3 * m)
    wide = torch.randn(T, N, 4 * m)
    nn_read, nn_weight = by_nn_lstm(m)
    inputs = {
        "eager": (read, P.requires_grad_(), Wrec.requires_grad_()),
        "compiled": (torch.compile(read), P, Wrec),
        "nn.LSTM": (nn_read, wide.requires_grad_(), nn_weight),
    }

    def step(way):
        function, *given = inputs[way]
        y = function(*given)
        return y, *torch.autograd.grad((y * y).sum(), given)

    began = time.perf_counter()
    found = step("compiled")
    seconds = time.perf_counter() - began
    for ours, theirs in zip(step("eager"), found):  # what is timed computes the same
        assert torch.allclose(ours, theirs, atol=1e-3 * float(ours.detach().abs().max()))
    times = {way: [] for way in inputs}
    for _ in range(rounds):
        for way, of_way in times.items():
            began = time.perf_counter()
            step(way)
            of_way.append(1e3 * (time.perf_counter() - began))
    ratios = {
        way: np.quantile(np.divide(of_way, times["eager"]), [0.25, 0.5, 0.75]).round(2).tolist()
        for way, of_way in times.items()
    }
    return {
        "texts": N,
        "words": T,
        "cells": m,
        "rounds": rounds,
        "eager_ms": round(float(np.median(times["eager"])), 2),
        "seconds_to_compile": round(seconds, 1),
        "ratios": ratios,
    }


def shown(figures):
    """The figures as a table: the median ratio and its quartiles."""
    lines = []
    for size in SIZES:
        of_size = figures[size]
        lines.append(
            f"{size}: {of_size['texts']} texts of {of_size['words']} words, {of_size['cells']} "
            f"cells; {of_size['seconds_to_compile']} s to compile"
        )
        for way, (low, middle, high) in of_size["ratios"].items():
            lines.append(f"  {way:10} {middle:5.2f} of eager ({low:.2f} to {high:.2f})")
    return "\n".join(lines)


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    given = parser.parse_args()
    if given.json:
        files.check_writable(given.json)
    torch.set_num_threads(2)
    figures = {"date": str(datetime.date.today()), "torch": torch.__version__}
    figures |= {size: measure(*numbers) for size, numbers in SIZES.items()}
    print(shown(figures))
    if given.json:
        files.write_text(given.json, json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
