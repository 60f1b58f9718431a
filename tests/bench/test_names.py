"""Benches that can be run by name."""

from __future__ import annotations

from importlib import import_module

from bench.__main__ import names


def test_every_bench_that_can_be_named_has_figures() -> None:
    found = names()
    assert {"turns", "recordings", "matching"} <= set(found)
    assert all(callable(import_module(f"bench.{name}").figures) for name in found)
