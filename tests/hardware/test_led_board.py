"""The LED board: the wanted picture, whatever happens to the device, and nobody ever waits."""

from __future__ import annotations

import re

import pytest

from hardware import picture
from hardware.die_faces import Color
from hardware.led_board import LedBoard
from hardware.lights import LEGAL, REFUSED, Flash
from hardware.simulated.devices import SimulatedBoard
from simulation.firmware.simulated import Simulated
from simulation.hardware.figures import longest_call_ms
from simulation.hardware.virtual_wire import NOISES, VirtualWire

CELLS = {f"c{at}": (at,) for at in range(36)}


class Table:
    """A board of 36 cells on a simulated strip."""

    def __init__(self, noise: str = "clean", leds: int = 36, **settings: object) -> None:
        self.board = LedBoard(CELLS, clock=lambda: self.wire.now_s, **settings)  # type: ignore[arg-type]
        self.peer = Simulated("board")
        self.device = self.peer.device = SimulatedBoard(leds)
        self.wire = VirtualWire(self.board, self.peer, noise=NOISES[noise], step_s=0.005)
        self.wire.ready()

    def wait_for_quiet(self, limit_s: float = 5.0) -> None:
        self.wire.until(lambda: self.board.settled, limit_s)

    def lit(self) -> dict[int, Color]:
        return {at: color for at, color in enumerate(self.device.strip) if color != picture.DARK}


def test_legal_cells_light_up_and_nothing_else() -> None:
    table = Table()
    table.board.legal(["c3", "c17", "seat0.hand"])
    table.wait_for_quiet()
    assert table.lit() == {3: LEGAL, 17: LEGAL}
    table.board.legal(["c4"])
    table.wait_for_quiet()
    assert table.lit() == {4: LEGAL}
    table.board.dark()
    table.wait_for_quiet()
    assert table.lit() == {}


def test_the_latest_wish_wins() -> None:
    table = Table()
    for cell in range(36):
        table.board.legal([f"c{cell}"])
    before = table.wire.link.counters.requests
    table.wait_for_quiet()
    assert table.lit() == {35: LEGAL}
    assert table.wire.link.counters.requests - before <= 4


def test_a_refused_cell_flashes_and_the_picture_stays() -> None:
    table = Table()
    table.board.legal(["c3"])
    table.wait_for_quiet()
    table.board.refused(["c5", "c6"], duration_ms=400)
    table.wire.run(0.05)
    assert table.lit() == {3: LEGAL, 5: REFUSED, 6: REFUSED}
    table.wire.run(0.6)
    assert table.lit() == {3: LEGAL}


def test_a_flash_together_with_a_new_picture_comes_after_it() -> None:
    table = Table()
    table.board.refused(["c1"])
    table.board.legal(["c2"])
    table.wire.run(0.1)
    assert table.lit() == {1: REFUSED, 2: LEGAL}


def test_a_flash_that_could_not_be_sent_soon_is_dropped() -> None:
    table = Table()
    table.wait_for_quiet()
    table.wire.cut = True
    table.wire.run(0.9)
    table.board.refused(["c1"])
    table.wire.run(3.0)
    table.wire.cut = False
    table.wire.run(0.5)
    assert table.lit() == {}


def test_a_refused_place_without_lights_flashes_nothing() -> None:
    table = Table()
    table.wait_for_quiet()
    table.board.refused(["seat1.hand"])
    table.wire.run(0.1)
    assert table.lit() == {}


def test_spots_can_have_colors_of_their_own() -> None:
    table = Table()
    table.board.paint({"c0": (1, 2, 3), "c1": (4, 5, 6), "bag": (7, 7, 7)})
    table.wait_for_quiet()
    assert table.lit() == {0: (1, 2, 3), 1: (4, 5, 6)}


@pytest.mark.parametrize("noise", ["clean", "all-1e-3"])
def test_a_reset_brings_the_picture_back_without_being_asked(noise: str) -> None:
    table = Table(noise)
    table.board.legal(["c7", "c8"])
    table.wait_for_quiet()
    table.device.reset()
    assert table.lit() == {}
    table.wire.run(3.0)
    assert table.lit() == {7: LEGAL, 8: LEGAL}


def test_a_strip_that_shows_something_else_heals_by_itself() -> None:
    table = Table()
    table.board.legal(["c7"])
    table.wait_for_quiet()
    table.device._held[20] = (99, 99, 99)
    table.wire.run(6.0)
    assert table.device.held == picture.lit(36, [7], LEGAL)
    assert table.board.healed == 1


def test_a_picture_wanted_while_the_cable_is_out_is_shown_when_it_is_back() -> None:
    table = Table()
    table.wait_for_quiet()
    table.wire.cut = True
    table.board.legal(["c9"])
    table.wire.run(20.0)
    assert not table.board.settled
    table.wire.cut = False
    table.wire.link.start(table.wire.now_s)
    table.wait_for_quiet()
    assert table.lit() == {9: LEGAL}


@pytest.mark.parametrize("leds", [20, 64])
def test_a_strip_of_another_length_shows_what_fits(leds: int) -> None:
    table = Table(leds=leds)
    table.board.legal(["c3", "c30"])
    table.wait_for_quiet()
    assert table.lit() == {at: LEGAL for at in (3, 30) if at < leds}
    assert table.wire.link.counters.refused == 0


def test_a_device_that_refuses_is_not_asked_all_the_time() -> None:
    table = Table()
    table.device.leds = 0
    table.board.legal(["c3"])
    table.wire.run(10.0)
    assert 5 <= table.wire.link.counters.refused <= 12


def test_the_owners_limit_dims_the_picture_and_says_so() -> None:
    table = Table(limit_ma=100)
    table.board.show(((255, 255, 255),) * 36)
    table.wait_for_quiet()
    assert table.board.dimmed
    assert re.fullmatch(
        r"36 of 36 lights are lit, about \d+ mA. They are dimmed to stay within the limit.", table.board.sentence
    )
    assert table.board.current_ma is not None
    assert table.board.current_ma <= 100
    assert max(table.lit()[0]) < 20
    table.board.dark()
    table.wait_for_quiet()
    assert not table.board.dimmed
    assert table.board.sentence == "0 of 36 lights are lit, about 36 mA."


def test_before_the_first_picture_nothing_is_known_to_be_lit() -> None:
    assert LedBoard({"c0": (0,)}).sentence == "No picture is on the strip yet."


def test_a_limit_of_the_device_is_told_as_well() -> None:
    table = Table(limit_ma=100_000)
    table.board.show(((255, 255, 255),) * 36)
    table.wait_for_quiet()
    assert table.board.dimmed


def test_a_picture_of_the_wrong_length_is_refused_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="A picture of 35 lights for a strip of 36"):
        Table().board.show(picture.dark(35))


def test_n9_calls_return_at_once_on_a_port_that_hangs() -> None:
    assert longest_call_ms(200, hangs_s=2.0) < 1000  # a write hangs all the while; most calls take microseconds


def test_a_flash_has_lights_a_color_and_a_time() -> None:
    table = Table()
    table.wait_for_quiet()
    table.board.flash(Flash((1, 2), (5, 5, 5), 10_000))
    table.wire.run(0.05)
    assert table.lit() == {1: (5, 5, 5), 2: (5, 5, 5)}
