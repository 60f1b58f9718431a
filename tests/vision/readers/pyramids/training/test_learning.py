"""A net learns with the weights that reading will have, and keeps its exact ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.image.packed_net import quantized


def exact(torch: Any) -> Any:
    return torch.tensor([0.3, 0.1004, -0.2, 1.0]).reshape(1, 4, 1, 1)


def net(torch: Any) -> Any:
    made = torch.nn.Conv2d(4, 1, 1, bias=False)
    with torch.no_grad():
        made.weight.copy_(exact(torch))
    return made


def test_rounded_weights_are_those_of_a_file_and_exact_ones_come_back(torch: Any) -> None:
    from vision.readers.pyramids.training.learning import rounded

    one = net(torch)
    with rounded(one):
        whole, scale = quantized(exact(torch).numpy())
        assert np.array_equal(one.weight.detach().numpy(), whole * scale.reshape(-1, 1, 1, 1))
        one(torch.ones(1, 4, 2, 2)).sum().backward()
    assert torch.equal(one.weight.detach(), exact(torch))
    assert one.weight.grad is not None
    assert torch.equal(one.weight.grad, torch.full((1, 4, 1, 1), 4.0))


def test_the_last_part_of_a_course_is_learned_with_rounded_weights(torch: Any) -> None:
    """Near the end the net is only ever asked with weights on the grid of whole numbers."""
    from vision.readers.pyramids.training.learning import Course, learn

    seen = []

    def loss_on(one: Any, batch: list[float]) -> Any:
        weights = one.weight.detach().numpy()
        whole, scale = quantized(weights)
        seen.append(np.allclose(weights, whole * scale.reshape(-1, 1, 1, 1), atol=1e-7))
        return ((one(torch.ones(1, 4, 1, 1)) - batch[0]) ** 2).sum()

    learn(net(torch), Course(0.01, 1, 0.0, 0.9), loss_on, lambda random: [float(random.normal())], 10, 20, 1)
    assert len(seen) == 20
    assert not all(seen[:12])
    assert all(seen[14:])
