"""How the training's one command goes on from weights that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def random_net(torch: Any) -> Any:
    """Returns a net of which no two layers are alike, as in a trained one."""
    from vision.readers.pyramids.training import contour_net

    torch.manual_seed(1)
    net = contour_net.TrainedContourNet()
    with torch.no_grad():
        for weights in net.parameters():
            weights += torch.rand_like(weights) / 10
    return net


def bias(file: Path) -> Any:
    from vision.readers.pyramids.training import contour_net
    from vision.readers.pyramids.training.learning import go_on

    net = contour_net.TrainedContourNet()
    go_on(net, file)
    return net.told.bias.detach()


def test_contours_that_go_on_from_their_own_file_end_halfway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torch: Any
) -> None:
    from vision.readers.pyramids.training import contour_net, learning
    from vision.readers.pyramids.training.__main__ import Training

    def one_more(net: Any, *_: object) -> Any:
        """A training that ends with one more in each log odds."""
        with torch.no_grad():
            net.told.bias += 1
        return net

    monkeypatch.setattr(learning, "learn", one_more)
    kept, other = tmp_path / "kept.npz", tmp_path / "other.npz"
    contour_net.export(random_net(torch), kept)
    before = bias(kept)
    training = Training([], [], [], minutes=0.0, steps=0, seed=1)
    training.contours([], kept, other)
    assert torch.allclose(bias(other), before + 1), "into another file it ends where it has learned to"
    training.contours([], kept, kept)
    assert torch.allclose(bias(kept), before + 0.5)


def test_a_folder_without_labeled_pictures_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], torch: Any
) -> None:
    """Folders of tables or games stand beside each other in one that holds no picture itself."""
    from vision.readers.pyramids.training.__main__ import main

    monkeypatch.setattr("sys.argv", ["training", str(tmp_path), "--out", str(tmp_path / "out"), "--anew"])
    with pytest.raises(SystemExit):
        main()
    assert f"{tmp_path} holds no labeled picture of pyramids." in capsys.readouterr().err
