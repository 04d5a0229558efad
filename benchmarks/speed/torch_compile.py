"""Time the forward and backward pass of Eq. (2) in PyTorch: eager, compiled, and nn.LSTM.

    python -m benchmarks.speed.torch_compile [--json FILE]

- eager: the step line by line, in a loop over the words;
- compiled: the same function after `torch.compile`, for one size of minibatch;
- nn.LSTM: one call. It has a forget gate, so it multiplies four gates instead of our three.

The input of all three is a vector per word, as long as the embedding; they compute its gradient and
that of both matrices. They are timed alternately, by the processor time of one thread, which other
programs hardly change. Lesson 14 reads the ratios. The script needs the extra `bench`, and a C++
compiler for `torch.compile`. The seconds to compile are elapsed time, which other programs
lengthen.
"""

import time

import numpy as np

from lstm_edu._util.files import from_extra

from ..experiments import experiment
from .paper_scale import in_turn

with from_extra("bench", "torch_compile.py needs PyTorch"):
    import torch

# numbers of texts, of words per text, and of cells
SIZES = {"paper": (2048, 8, 96), "classroom": (512, 8, 32)}
ROUNDS = 40


def read(x, W, Wrec):
    """Compute y(T) as an (N, m) tensor from the texts' word vectors, a (T, N, m) tensor."""
    y = c = torch.zeros(x.shape[1], Wrec.shape[0])
    for z in x @ W:
        o, i, yg = (z + y @ Wrec).chunk(3, 1)
        c = c + torch.sigmoid(i) * torch.tanh(yg)
        y = torch.sigmoid(o) * torch.tanh(c)
    return y


def measure(N, T, m, rounds=ROUNDS):
    """Time the three implementations and the compilation for N texts of T words and m cells."""
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(m, m, bias=False)
    x, W, Wrec = torch.randn(T, N, m), torch.randn(m, 3 * m) / m**0.5, 0.05 * torch.randn(m, 3 * m)
    given = [w.requires_grad_() for w in (x, W, Wrec)]
    inputs = {
        "eager": (read, *given),
        "compiled": (torch.compile(read), *given),
        "nn.LSTM": (lambda x, *_: lstm(x)[1][0][0], x, *lstm.parameters()),
    }

    def step(way):
        function, *given = inputs[way]
        y = function(*given)
        return y, *torch.autograd.grad((y * y).sum(), given)

    began = time.perf_counter()
    found = step("compiled")
    seconds = time.perf_counter() - began
    # check that the implementations give the same result
    for ours, theirs in zip(step("eager"), found):
        assert torch.allclose(ours, theirs, atol=1e-3 * float(ours.detach().abs().max()))
    ways = {way: lambda k, way=way: step(way) for way in inputs}
    times = in_turn(ways, rounds, pause=0, clock=time.process_time)
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


if __name__ == "__main__":
    args = experiment.options(__doc__)
    torch.set_num_threads(1)
    figures = {size: measure(*numbers) for size, numbers in SIZES.items()}
    experiment.write(args.json, {"torch": torch.__version__} | figures)
