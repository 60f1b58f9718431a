"""Every error that this project raises on purpose, in one tree.

A message is one sentence or two: the observation, the rule or limit, and what to do. The command line prints
it as it stands and exits with the class's `exit_code`; the page shows it with the class's `status`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.printable import one_line

if TYPE_CHECKING:
    from companion.core.contract import Violation


class CompanionError(Exception):
    """The root: anything that a person can do something about."""

    exit_code = 1
    """Exit status of the command line: 1 unreadable or refused, 2 wrong usage."""
    status = 422
    """HTTP status of the answer."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        super().__init_subclass__()
        if status is not None:
            cls.status = status

    def __str__(self) -> str:
        """The message in one line; files and strangers may have put anything into it."""
        return one_line(super().__str__())


class WrongUsage(CompanionError, status=400):
    """The call itself is wrong: an unknown game, option or domain."""

    exit_code = 2


class BadOptions(WrongUsage):
    """An option that the game does not have, or a value out of its bounds."""


class BadFile(CompanionError, status=400):
    """A file that was given cannot be read, or holds something else."""


class BadConfiguration(BadFile):
    """A configuration file that cannot be read, or that sets what there is not."""


class BadPlan(BadFile):
    """A table plan that cannot be read, or whose zones contradict each other."""


class BadCalibration(BadFile):
    """A calibration file that cannot be read or written, or that was made for something else."""


class BadRecord(BadFile):
    """A written record of a game that cannot be read."""


class MoveError(CompanionError):
    """A move that was not made; the position is unchanged."""


class BadNotation(MoveError):
    """A text that is no move of this game in any position."""


class BadEvent(MoveError):
    """An event that the position does not expect: a roll when a move is due, a tile that is not in the bag."""


class AmbiguousMove(MoveError):
    """A text that two or more legal moves share."""


class IllegalMove(MoveError, status=409):
    """A move that breaks rules.

    Args:
        breaches: Every rule that it breaks, never empty.
    """

    def __init__(self, breaches: Sequence[Violation]) -> None:
        self.breaches = tuple(breaches)
        super().__init__(" ".join(f"{breach.rule}: {breach.text}" for breach in self.breaches))


class GameOver(MoveError, status=409):
    """An event after the end of the game."""


class StaleCommand(CompanionError, status=409):
    """A command that was made looking at an older state of the table."""


class RoundNotDue(CompanionError, status=409):
    """A round of an evening that cannot be paired now."""


class JournalError(CompanionError):
    """A journal that cannot be opened, read or written; it is unchanged."""


class DamagedJournal(JournalError):
    """A damaged journal: cut, overwritten, or with a foreign schema."""


class BrokenChain(JournalError):
    """A journal row that does not follow from the row before it."""


class DatabaseAway(JournalError):
    """A server's database that does not answer now, and may again."""


class Diverged(JournalError):
    """Two journals that hold different rows of one game."""


class BackupError(CompanionError):
    """A backup that cannot be written, or that lacks its contents; no file was changed."""


class SeeError(CompanionError):
    """Something about a picture or a camera."""


class UnreadablePicture(SeeError):
    """A file or upload that is not a picture that can be decoded within the limits."""


class NoTable(SeeError):
    """The markers of the table were not found."""


class WrongTable(SeeError):
    """The table in the picture is not the one that was shown empty."""


class NoBoard(SeeError):
    """The table is there, but the board that the reader looks for is not on it."""


class CameraError(SeeError):
    """A camera, file or stream that cannot be opened, or that stopped delivering pictures."""


class DeviceError(CompanionError, status=503):
    """Something about a dice tower or an LED board."""


class PortError(DeviceError):
    """A serial port that cannot be opened, or that went away."""


class WrongDevice(DeviceError):
    """Something answers on the port, but not the device or the protocol version that was expected."""


class LinkDown(DeviceError):
    """A request that stayed unanswered after every try; whether the device carried it out is unknown."""


class DeviceRestarted(DeviceError):
    """The device was reset while a request was on its way; whether it was carried out is unknown."""


class RequestRefused(DeviceError):
    """The device refused the request; its state is unchanged."""
