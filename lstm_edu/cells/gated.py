"""The base of LSTM and GRU: gates with concatenated weights."""

from typing import Any

from .cell import Recurrent


class Gated(Recurrent):
    """A recurrent cell whose gates' weights are concatenated: one product computes all gates.

    Attributes
    ----------
    suffixes : dict
        For each gate, in the order of the columns, the suffix of its parameters' names.
    """

    suffixes: dict[str, Any]

    @property
    def columns(self):
        """The columns of the weights that belong to each gate."""
        m = self.n_cells
        return {gate: slice(k * m, (k + 1) * m) for k, gate in enumerate(self.suffixes)}

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored."""
        m, width = self.n_cells, len(self.suffixes) * self.n_cells
        return {"W": (n_trigrams, width), "Wrec": (m, width), "b": (width,)}

    def params(self, weights):
        """Return each gate's weights by the paper's names and orientation, as views."""
        return {
            f"{name}{self.suffixes[gate]}": weights[name][..., part].T
            for name in ("W", "Wrec", "b")
            for gate, part in self.columns.items()
        }
