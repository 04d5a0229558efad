"""What `torch.compile` makes of the step of Eq. (2): reading and its way back, in PyTorch's three
ways. Lesson 14 reads the figures.

    python -m benchmarks.speed.torch_compile [--json FILE]

- eager: the step line by line, in a loop over the words;
- compiled: the same function after `torch.compile`, for one size of minibatch;
- nn.LSTM: one call. It has a forget gate, so it multiplies four gates where we have three.

All three get word vectors as long as the embedding, and give the gradient of these and of both
matrices. The ways take turns, and the time taken is the processor's of one thread, so that what
else the machine does hardly counts: read the ratios. Needs the extra `bench`, and for
`torch.compile` a C++ compiler; compiling is waited for, so that its seconds are those of a machine
that did other work, too.
"""

import time

import numpy as np

from lstm_edu._util.files import from_extra

from ..experiments import experiment

with from_extra("bench", "torch_compile.py needs PyTorch"):
    import torch

# texts, words each, cells
SIZES = {"paper": (2048, 8, 96), "classroom": (512, 8, 32)}
ROUNDS = 40


def read(x, W, Wrec):
    """y after the last word, from the vectors of all words and texts, (T, N, m)."""
    y = c = torch.zeros(x.shape[1], Wrec.shape[0])
    for z in x @ W:
        o, i, yg = (z + y @ Wrec).chunk(3, 1)
        c = c + torch.sigmoid(i) * torch.tanh(yg)
        y = torch.sigmoid(o) * torch.tanh(c)
    return y


def measure(N, T, m, rounds=ROUNDS):
    """Milliseconds of each way, interleaved, and what compiling took."""
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
    for ours, theirs in zip(step("eager"), found):  # what is timed computes the same
        assert torch.allclose(ours, theirs, atol=1e-3 * float(ours.detach().abs().max()))
    times = {way: [] for way in inputs}
    for _ in range(rounds):
        for way, of_way in times.items():
            began = time.process_time()
            step(way)
            of_way.append(1e3 * (time.process_time() - began))
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


def main():
    args = experiment.options(__doc__)
    torch.set_num_threads(1)
    figures = {size: measure(*numbers) for size, numbers in SIZES.items()}
    experiment.write(args.json, {"torch": torch.__version__} | figures)


if __name__ == "__main__":
    main()
