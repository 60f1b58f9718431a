"""What training keeps is what reading runs and what a later training goes on from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vision.image.packed_net import load_net

SIDES = {"seen": {2: "h", 3: "w"}, "said": {2: "h", 3: "w"}}


def small(torch: Any, channels: int = 3) -> Any:
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(channels, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 2, 1))
    net.train()
    for _ in range(5):
        net(torch.randn(4, channels, 8, 8) * 2 + 1)
    return net.eval()


def test_reading_says_what_training_said(tmp_path: Path, torch: Any) -> None:
    from vision.readers.pyramids.training.learning import keep

    torch.manual_seed(1)
    net = small(torch)
    seen = torch.randn(1, 3, 24, 32)
    before = net(seen).detach().numpy()
    keep(net, tmp_path / "net.npz", torch.zeros(1, 3, 16, 16), SIDES)
    again = load_net(tmp_path / "net.npz")
    again.setInput(seen.numpy())
    out = again.forward()
    assert out.shape == before.shape
    assert np.abs(out - net(seen).detach().numpy()).max() < 1e-4
    assert np.abs(out - before).max() < 0.05 * np.abs(before).max()


def test_a_net_with_more_inputs_goes_on_as_if_it_had_none_of_them(tmp_path: Path, torch: Any) -> None:
    from vision.readers.pyramids.training.learning import go_on, keep

    torch.manual_seed(2)
    narrow = small(torch, 3)
    keep(narrow, tmp_path / "net.npz", torch.zeros(1, 3, 16, 16), SIDES)
    wide = small(torch, 5)
    go_on(wide, tmp_path / "net.npz")
    seen = torch.randn(1, 5, 16, 16)
    assert torch.allclose(wide(seen), narrow(seen[:, :3]), atol=1e-5)


def test_without_a_file_nothing_changes(tmp_path: Path, torch: Any) -> None:
    from vision.readers.pyramids.training.learning import go_on, halfway

    net = small(torch)
    before = net(torch.ones(1, 3, 8, 8))
    go_on(net, tmp_path / "missing.npz")
    halfway(net, tmp_path / "missing.npz")
    assert torch.equal(net(torch.ones(1, 3, 8, 8)), before)


def test_halfway_is_the_mean_of_what_a_net_is_and_was(tmp_path: Path, torch: Any) -> None:
    from vision.readers.pyramids.training.learning import go_on, halfway, keep

    torch.manual_seed(3)
    before, now = small(torch), small(torch)
    keep(before, tmp_path / "net.npz", torch.zeros(1, 3, 16, 16), SIDES)
    go_on(before, tmp_path / "net.npz")  # as it was rounded
    first, second = (dict(net.named_parameters())["3.bias"].detach().clone() for net in (before, now))
    halfway(now, tmp_path / "net.npz")
    assert torch.allclose(dict(now.named_parameters())["3.bias"], (first + second) / 2)
