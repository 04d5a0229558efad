from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from lstm_course import plots


def test_valley_draws_the_ways_and_their_cost():
    paths = {
        "one": np.array([[2.0, 1.0], [1.0, -1.0], [0.5, 0.1]]),
        "two": np.array([[2.0, 1.0], [-1.0, 0.5], [0.0, 0.2]]),
    }
    figure = plots.valley(paths, (1.0, 10.0))
    cost = figure.axes[3]
    for axis, line, (rule, path) in zip(figure.axes, cost.lines, paths.items()):
        np.testing.assert_allclose(axis.lines[1].get_xydata(), path)
        np.testing.assert_allclose(line.get_ydata(), [x * x / 2 + 5 * y * y for x, y in path])
        assert axis.get_title(loc="left") == line.get_label() == rule
        (left, right), (low, high) = axis.get_xlim(), axis.get_ylim()
        assert (
            left < path[:, 0].min()
            and path[:, 0].max() < right
            and low < path[:, 1].min()
            and path[:, 1].max() < high
        )


def test_valley_in_a_frame_stays_in_it():
    figure = plots.valley(
        {"out": np.array([[1.0, 1.0], [100.0, -100.0]])}, (1.0, 10.0), ((-2, -1), (2, 1))
    )
    assert (
        figure.axes[0].get_xlim() == (-2, 2)
        and figure.axes[0].get_ylim() == (-1, 1)
        and figure.axes[3].get_ylim() == (1e-6, 1e7)
    )


def test_schedule_draws_mu_the_speed_and_its_limit():
    left, right = plots.schedule([0.9, 0.995, 0.995, 0.9], [1.0, 2.0, 3.0, 4.0]).axes
    assert left.lines[0].get_ydata().tolist() == [0.9, 0.995, 0.995, 0.9]
    assert right.lines[0].get_ydata().tolist() == [1, 2, 3, 4]
    assert right.lines[1].get_ydata() == pytest.approx([10, 200, 200, 10])
    assert [text.get_text() for text in left.texts] == ["0.9", "0.995"] and right.get_ylim()[
        1
    ] > 200


@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_by_epoch_draws_mean_and_range_and_names_every_line(apart):
    rng = np.random.default_rng(0)
    values = {str(k): 0.2 + apart * k / 10 + 0.01 * rng.random((3, 5)) for k in range(6)}
    figure = plots.by_epoch({"gamma": values, "n": {"1": np.zeros((3, 5))}}, "nDCG@10")
    axis = figure.axes[0]
    assert (
        axis.get_ylim() == figure.axes[1].get_ylim()
        and axis.get_ylabel() == "nDCG@10"
        and axis.get_title(loc="left") == "gamma"
    )
    for line, band, runs in zip(axis.lines, axis.collections, values.values()):
        np.testing.assert_allclose(
            line.get_xydata(), np.column_stack([range(1, 6), runs.mean(axis=0)])
        )
        edge = band.get_paths()[0].vertices
        for epoch in range(1, 6):
            at = edge[edge[:, 0] == epoch, 1]
            assert at.min() == pytest.approx(
                runs[:, epoch - 1].min()
            ) and at.max() == pytest.approx(runs[:, epoch - 1].max())
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    assert {text.get_text() for text in axis.texts} == set(values)
    assert all(
        text.xy == (5, pytest.approx(values[text.get_text()][:, -1].mean())) for text in axis.texts
    )
    # without the line to it
    heights = sorted(
        Text.get_window_extent(text, renderer).intervaly.tolist() for text in axis.texts
    )
    assert all(low[1] <= high[0] + 1 for low, high in pairwise(heights))


def test_values_of_a_setting_go_from_dark_to_light():
    axis = plots.by_epoch({"n": {name: np.ones((2, 3)) for name in "abcd"}}, "cost").axes[0]
    light = [to_rgb(line.get_color()) @ np.array([0.299, 0.587, 0.114]) for line in axis.lines]
    assert light == sorted(light) and light[-1] < 0.75
    assert len({line.get_linestyle() for line in axis.lines}) == 4
