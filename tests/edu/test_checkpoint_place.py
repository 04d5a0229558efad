"""A checkpoint's place that another writes to: neither what is theirs nor the training is lost."""

import errno
import os

import pytest
from conftest import needs
from refusal import refused
from small_log import PAIRS, SETTINGS, new_model

import lstm_edu
from lstm_edu import train
from lstm_edu._util import files

TAKEN = "m.npz: something else is there by now, and is left as it is; this training stops, and its "


@pytest.fixture
def whole(tmp_path):
    """What the training writes if it is left alone."""
    (tmp_path / "alone").mkdir()
    train(new_model(), PAIRS, checkpoint=tmp_path / "alone" / "m.npz", **SETTINGS)
    return (tmp_path / "alone" / "m.npz").read_bytes()


def at_epoch(epoch, do):
    """A callback that does something after this epoch, before it is saved."""

    def callback(model, history):
        if len(history["cost"]) == epoch:
            do()

    return callback


def beside(path):
    """The one other model that is there."""
    (other,) = {*path.parent.glob("m.*")} - {path}
    return other


@pytest.mark.parametrize("how", [{}, {"overwrite": True}, {"resume": True}], ids=str)
@pytest.mark.parametrize("epoch", [1, 2, 6])
def test_a_model_of_others_is_left_and_the_training_kept_beside_it(tmp_path, whole, epoch, how):
    path = tmp_path / "m.npz"
    if "overwrite" in how:
        path.write_text("to be replaced", encoding="utf-8")
    other = at_epoch(epoch, lambda: new_model(seed=9).save(path))
    with refused(TAKEN) as error:
        train(new_model(), PAIRS, checkpoint=path, callback=other, **how, **SETTINGS)
    assert (lstm_edu.load(path).query.weights["W"] == new_model(seed=9).query.weights["W"]).all()
    kept = beside(path)
    assert str(error.value).endswith(f"checkpoint is {kept}")
    assert len(lstm_edu.load(kept).training["history"]["cost"]) == epoch
    train(new_model(), PAIRS, checkpoint=kept, resume=True, **SETTINGS)
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("format", ["npz", "safetensors"])
def test_two_trainings_at_one_place(tmp_path, format):
    """The second begins and ends while the first is in its first epoch."""
    if format == "safetensors":
        pytest.importorskip("safetensors")
    path = tmp_path / f"m.{format}"
    second = SETTINGS | {"seed": 3, "optimizer": "adam"}
    within = at_epoch(1, lambda: train(new_model(), PAIRS, checkpoint=path, **second))
    with refused("is left as it is"):
        train(new_model(), PAIRS, checkpoint=path, callback=within, **SETTINGS)
    training = lstm_edu.load(path).training
    assert training["finished"] and training["settings"]["seed"] == 3
    assert lstm_edu.load(beside(path)).training["settings"]["seed"] == SETTINGS["seed"]


def test_two_that_go_on_from_one_checkpoint(tmp_path, whole):
    """Both are the same training, so that neither has anything to lose."""
    path, go_on = tmp_path / "m.npz", dict(resume=True, **SETTINGS)
    stop = at_epoch(2, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        train(new_model(), PAIRS, checkpoint=path, callback=stop, **SETTINGS)
    within = at_epoch(4, lambda: train(new_model(), PAIRS, checkpoint=path, **go_on))
    with refused(TAKEN):
        train(new_model(), PAIRS, checkpoint=path, callback=within, **go_on)
    assert path.read_bytes() == whole
    train(new_model(), PAIRS, checkpoint=beside(path), **go_on)
    assert beside(path).read_bytes() == whole


def test_a_checkpoint_that_is_gone_is_written_again(tmp_path, whole):
    path = tmp_path / "m.npz"
    gone = at_epoch(3, lambda: path.rename(tmp_path / "epoch_2.npz"))
    train(new_model(), PAIRS, checkpoint=path, callback=gone, **SETTINGS)
    assert path.read_bytes() == whole
    assert len(lstm_edu.load(tmp_path / "epoch_2.npz").training["history"]["cost"]) == 2


@needs("links for every user")
@pytest.mark.parametrize("is_there", [False, True])
def test_a_link_to_a_checkpoint(tmp_path, whole, is_there):
    path, link = tmp_path / "m.npz", tmp_path / "link.npz"
    link.symlink_to(path)
    if is_there:
        path.write_text("to be replaced", encoding="utf-8")
    train(new_model(), PAIRS, checkpoint=link, overwrite=is_there, **SETTINGS)
    assert link.is_symlink() and path.read_bytes() == whole
    path.unlink()
    taken = at_epoch(2, lambda: path.write_text("mine", encoding="utf-8"))
    with refused("link.npz: something else is there by now"):
        train(new_model(), PAIRS, checkpoint=link, callback=taken, **SETTINGS)
    assert link.is_symlink() and path.read_text(encoding="utf-8") == "mine"


@pytest.fixture(params=["links", "no links", "no os.link"])
def links(request, monkeypatch):
    """A file system with links, and one without; and a browser's Python."""
    link = os.link

    def none(source, to, **how):
        if not str(source).startswith("/proc/"):  # by which a file without a name gets one
            raise OSError(errno.EPERM, "Operation not permitted")
        link(source, to, **how)

    if request.param == "no links":
        monkeypatch.setattr(os, "link", none)
    if request.param == "no os.link":
        monkeypatch.delattr(os, "link")
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


@pytest.mark.usefixtures("links")
def test_a_file_is_created_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "m.npz"
    written = files.replace(path, lambda file: file.write(b"first"), None)
    assert path.read_bytes() == b"first" and written == files.digest(path)
    with pytest.raises(files.TakenError):
        files.replace(path, lambda file: file.write(b"second"), None)
    monkeypatch.setattr(files, "stamp", lambda path: None)  # it comes after the look
    with pytest.raises(files.TakenError):
        files.replace(path, lambda file: file.write(b"second"), None)
    assert path.read_bytes() == b"first" and os.listdir(tmp_path) == ["m.npz"]


def test_what_is_written_while_it_is_looked_at_is_not_replaced(tmp_path, monkeypatch):
    path, look = tmp_path / "m.npz", files.digest
    own = files.replace(path, lambda file: file.write(b"first"), None)

    def digest(looked_at):
        found = look(looked_at)
        if looked_at == os.path.realpath(path):
            path.write_bytes(b"theirs")
        return found

    monkeypatch.setattr(files, "digest", digest)
    with pytest.raises(files.TakenError):
        files.replace(path, lambda file: file.write(b"second"), own)
    assert path.read_bytes() == b"theirs" and os.listdir(tmp_path) == ["m.npz"]
