import numpy as np
import pytest
from drawn import artists, legend, texts, ticks, widths
from matplotlib.patches import FancyBboxPatch

from lstm_course import plots

SIDES = [rf"$\mathbf{{y}}_{{{name}}}(T_{{{name}}})$" for name in ("Q", "D^+", "D^-_1", "D^-_n")]


def in_a_line(axis):
    return [" ".join(text.split()) for text in texts(axis)]


def test_click_signal_names_every_text_its_embedding_and_its_click():
    unclicked = ["a title that nobody clicked", "another", "third"]
    axis = plots.click_signal("a query", "the clicked title", unclicked).axes[0]
    shown = in_a_line(axis)
    assert {"a query", "n = 3 negative samples", "positive sample"} <= set(shown)
    at = [text.get_position()[0] for text in artists(axis) if text.get_text()]
    place, clicks = (
        dict(zip(shown, at)),
        {x: text for text, x in zip(shown, at) if "click:" in text},
    )
    assert clicks[place["the clicked title"]] == "click: 1"
    assert place["the clicked title"] == place["$R(Q,D^+)$"]
    assert place["a query"] == place[r"$\mathbf{y}_{Q}(T_{Q})$"]
    for j, title in enumerate(unclicked, start=1):  # each over its own title
        assert clicks[place[title]] == "click: 0"
        own = f"$R(Q,D^-_{j})$", rf"$\mathbf{{y}}_{{D^-_{j}}}(T_{{D^-_{j}}})$"
        assert {place[name] for name in own} == {place[title]}


def test_whole_model_sends_an_error_back_to_every_text():
    shown = in_a_line(plots.whole_model().axes[0])
    assert {*SIDES} < set(shown)
    assert {rf"$\delta_{{{name}}}$" for name in ("Q", "D^+", "D^-_1", "D^-_n")} < set(shown)
    for name in ("D^+", "D^-_1", "D^-_n"):
        assert rf"$P({name}\,|\,Q)$" in shown and f"$R(Q,{name})$" in shown
    # from each cosine one to the query
    assert shown.count(r"$\delta_Q$") == shown.count("cosine (3)") == 3
    assert shown.count(r"weights $\Lambda_D$") == 3 and shown.count(r"weights $\Lambda_Q$") == 1


@pytest.mark.parametrize(
    "figure",
    [plots.click_signal("a query", "a title", ["one", "two"]), plots.whole_model()],
    ids=["Fig. 3", "Fig. 13"],
)
def test_drawings_stay_inside(figure):
    """What lies outside the axis is cut off in the notebook."""
    axis = figure.axes[0]
    figure.draw_without_rendering()
    frame = axis.get_window_extent().padded(1)
    boxes = [patch for patch in axis.patches if isinstance(patch, FancyBboxPatch)]
    for artist in [*axis.texts, *boxes]:
        box = artist.get_window_extent()
        assert frame.contains(*box.min) and frame.contains(*box.max), artist


def test_loss_curves_are_equation_5():
    left, right = plots.loss_curves([1, 10], [1, 4], gamma=5).axes
    for axis, curves in ((left, [(1, 1), (10, 1)]), (right, [(5, 1), (5, 4)])):
        # told apart in grey, too
        assert len({line.get_linestyle() for line in axis.lines[:2]}) == 2
        for line, (gamma, n) in zip(axis.lines, curves):
            delta = line.get_xdata()
            assert (delta[0], delta[-1]) == (-2, 2)
            assert line.get_ydata() == pytest.approx(np.log(1 + n * np.exp(-gamma * delta)))
    assert legend(right) == ["n = 1", "n = 4"]


def test_shares_show_cosines_and_what_each_is_pushed():
    names = ["clicked", "near", "far"]
    R, a = np.array([0.5, 0.25, -0.5]), np.array([-3.0, -1.0])
    left, right = plots.shares(names, R, a).axes
    assert widths(left) == list(R) and widths(right) == [-4, 3, 1] and ticks(left) == names
    assert texts(right) == ["−4.00", "+3.00", "+1.00"]
    assert left.patches[0].get_y() > left.patches[1].get_y() > left.patches[2].get_y()
    assert left.patches[0].get_hatch() and not left.patches[1].get_hatch()


def test_shares_that_are_equal_or_nothing_are_said_so():
    figure = plots.shares(list("abcd"), np.array([0.9, 0.8, 0.7, 0.1]), np.array([-1.0, -1.0, 0.0]))
    assert texts(figure.axes[1])[1:] == ["+1.00", "+1.00", "+0.00"]
    assert "most is against 2 alike: 1 each" in figure.get_label()


def test_push_shows_the_drawn_titles_their_shares_and_their_places_on_the_curve():
    R, gamma = np.array([0.5, 0.25, -0.5, 0.75]), 5
    figure = plots.push(["clicked", "near", "far", "ahead"], R, gamma, 2)
    left, right, curve = figure.axes
    e = np.exp(-gamma * (0.5 - R[1:3]))
    share = gamma * e / (1 + e.sum())
    assert widths(left) == list(R) and len(right.texts) == 3
    assert widths(right)[:3] == pytest.approx([-share.sum(), *share])
    assert ticks(left) == ["clicked", "near", "far", "(ahead)"]
    assert right.get_ylim() == left.get_ylim()
    line, points = curve.lines[:2]
    for x, y in (line.get_xydata().T, points.get_xydata().T):
        assert y == pytest.approx(np.log(1 + np.exp(-gamma * x)))
    assert list(points.get_xdata()) == [0.25, 1.0]
    assert figure.get_suptitle() == (
        f"γ = 5, n = 2:  P of the clicked title {1 / (1 + e.sum()):.0%},  "
        f"cost l = {np.log(1 + e.sum()):.2f}  (a guess: 1.10)"
    )
