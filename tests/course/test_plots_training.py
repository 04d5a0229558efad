import numpy as np
import pytest
from drawn import names_are_apart, texts, ys
from matplotlib.colors import to_rgb

from lstm_course import plots


def test_valley_draws_the_ways_and_their_cost():
    ways = [(2.0, 1.0), (1.0, -1.0), (0.5, 0.1)], [(2.0, 1.0), (-1.0, 0.5), (0.0, 0.2)]
    paths = dict(zip(("one", "two"), map(np.array, ways)))
    *maps, _, cost = plots.valley(paths, (1.0, 10.0)).axes
    for axis, line, (rule, path) in zip(maps, cost.lines, paths.items()):
        np.testing.assert_allclose(axis.lines[1].get_xydata(), path)
        np.testing.assert_allclose(ys(line), [x * x / 2 + 5 * y * y for x, y in path])
        assert axis.get_title(loc="left") == line.get_label() == rule
        ends = np.array([axis.get_xlim(), axis.get_ylim()])
        assert (ends[:, 0] < path.min(axis=0)).all() and (path.max(axis=0) < ends[:, 1]).all()


def test_valley_in_a_frame_stays_in_it():
    out = {"out": np.array([[1.0, 1.0], [100.0, -100.0]])}
    figure = plots.valley(out, (1.0, 10.0), ((-2, -1), (2, 1)))
    assert figure.axes[0].get_xlim() == (-2, 2) and figure.axes[0].get_ylim() == (-1, 1)
    assert figure.axes[3].get_ylim() == (1e-6, 1e7)


def test_schedule_draws_mu_the_speed_and_its_limit():
    left, right = plots.schedule([0.9, 0.995, 0.995, 0.9], [1.0, 2.0, 3.0, 4.0]).axes
    assert ys(left.lines[0]) == [0.9, 0.995, 0.995, 0.9] and texts(left) == ["0.9", "0.995"]
    speed, limit = right.lines[:2]
    assert ys(speed) == [1, 2, 3, 4] and ys(limit) == pytest.approx([10, 200, 200, 10])
    assert right.get_ylim()[1] > 200


@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_by_epoch_draws_mean_and_range_and_names_every_line(apart):
    rng = np.random.default_rng(0)
    values = {str(k): 0.2 + apart * k / 10 + 0.01 * rng.random((3, 5)) for k in range(6)}
    axis, other = plots.by_epoch({"gamma": values, "n": {"1": np.zeros((3, 5))}}, "nDCG@10").axes
    assert axis.get_ylim() == other.get_ylim()
    assert (axis.get_ylabel(), axis.get_title(loc="left")) == ("nDCG@10", "gamma")
    for line, band, runs in zip(axis.lines, axis.collections, values.values()):
        means = np.column_stack([range(1, 6), runs.mean(axis=0)])
        np.testing.assert_allclose(line.get_xydata(), means)
        edge = band.get_paths()[0].vertices
        for epoch, run in enumerate(runs.T, start=1):
            at = edge[edge[:, 0] == epoch, 1]
            assert (at.min(), at.max()) == pytest.approx((run.min(), run.max()))
    assert set(texts(axis)) == set(values) and names_are_apart(axis)
    for text in axis.texts:
        assert text.xy == (5, pytest.approx(values[text.get_text()][:, -1].mean()))


def test_values_of_a_setting_go_from_dark_to_light():
    axis = plots.by_epoch({"n": {name: np.ones((2, 3)) for name in "abcd"}}, "cost").axes[0]
    light = [to_rgb(line.get_color()) @ np.array([0.299, 0.587, 0.114]) for line in axis.lines]
    assert light == sorted(light) and light[-1] < 0.75
    assert len({line.get_linestyle() for line in axis.lines}) == 4
