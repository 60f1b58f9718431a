"""Devices on a serial line: ports, the reliable link, dice tower and LED board.

tower = DiceTower(tell, sensors=5)
line = connect(tower, "/dev/ttyACM0")
...
line.status.sentence
line.close()
"""

from __future__ import annotations

from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12, Color, DieFaces
from hardware.doctor import Finding, examine
from hardware.led_board import LedBoard
from hardware.lights import LEGAL, REFUSED, Flash, Lights
from hardware.line import PAIRED, SIMULATED, LinkStatus, SerialLine, connect, simulate
from hardware.link import Counters
from hardware.picture import Picture
from hardware.ports import Pairing, Pairings, PortInfo, candidates, known_ports
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from hardware.tower import ButtonPressed, DiceTower, RollBegan, RollEnded, TowerDie, TowerEvent

__all__ = [
    "LEGAL",
    "PAIRED",
    "REFUSED",
    "SIMULATED",
    "SPECTRUM_D6",
    "SPECTRUM_D12",
    "ButtonPressed",
    "Color",
    "Counters",
    "DiceTower",
    "DieFaces",
    "Finding",
    "Flash",
    "LedBoard",
    "Lights",
    "LinkStatus",
    "Pairing",
    "Pairings",
    "Picture",
    "PortInfo",
    "RollBegan",
    "RollEnded",
    "SerialLine",
    "SimulatedBoard",
    "SimulatedTower",
    "TowerDie",
    "TowerEvent",
    "candidates",
    "connect",
    "examine",
    "known_ports",
    "simulate",
]
