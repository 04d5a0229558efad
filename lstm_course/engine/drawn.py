"""Random inputs for the checks: weights, words, and texts with a cell's states."""

import numpy as np


def params_of(cell, rng, n_trigrams=5):
    """Draw a cell's weights and biases from a standard normal, keyed by the paper's names."""
    return cell.params(
        {name: rng.standard_normal(shape) for name, shape in cell.shapes(n_trigrams).items()}
    )


def lstm_by_names(gates, rng, n_cells=4, recurrent=0.7):
    """Draw an LSTM's parameters for the given gates and 6 trigrams, keyed by the paper's names."""
    shapes = {"W": (n_cells, 6), "Wrec": (n_cells, n_cells), "b": (n_cells,)}
    scales = {"W": 0.7, "Wrec": recurrent, "b": 0.7}
    every = [(name, k) for name in shapes for k in gates]
    return {name + k: scales[name] * rng.standard_normal(shapes[name]) for name, k in every}


def of_a_step(cell, seed):
    """Generate arguments for `cell.step`: normal weights, a word, and the previous state.

    Seed 4 draws c with a standard deviation of 6 instead of 1, to bring tanh(c) near -1 or 1.
    """
    rng = np.random.default_rng(seed)
    given = {"params": params_of(cell, rng), "l": rng.integers(0, 3, 5) * 1.0}
    before = {"y": rng.uniform(-1, 1, 4), "c": rng.normal(size=4) * (6 if seed == 4 else 1)}
    return given | {name: before[name] for name in cell.carries}


def random_text(rng, T, cell, n_trigrams=6):
    """Generate parameters of a cell, a text of T words, the states, and the gradient at y(T).

    The states are (T + 1, m) arrays keyed by name; row t is the state after word t.
    """
    p = params_of(cell, rng, n_trigrams)
    L = (rng.random((T, n_trigrams)) < 0.3).astype(float)
    states, zero = cell.read(p, L), np.zeros(cell.size)
    by_name = {
        name: np.array([zero, *(getattr(state, name) for state in states)])
        for name in states[0]._fields
    }
    return p, L, by_name, rng.normal(size=cell.size)
