"""Every error that this project raises on purpose, in one tree.

A message has one or two sentences: the observation, the rule or limit, and what to do. The command line prints the
message unchanged and exits with the class's `exit_code`; the page shows it with the class's `status`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.printable import one_line

if TYPE_CHECKING:
    from companion.core.contract import Violation


class CompanionError(Exception):
    """The root of all errors that a person can do something about."""

    exit_code = 1
    """Exit status of the command line: 1 for unreadable or refused input, 2 for wrong usage."""
    status = 422
    """HTTP status of the answer."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        super().__init_subclass__()
        if status is not None:
            cls.status = status

    def __str__(self) -> str:
        """Returns the message in one line, because files and strangers may have put any character into it."""
        return one_line(super().__str__())


class WrongUsage(CompanionError, status=400):
    """A call that is wrong in itself: an unknown game, option or domain."""

    exit_code = 2


class BadOptions(WrongUsage):
    """An option that the game does not have, or a value out of its bounds."""


class BadFile(CompanionError, status=400):
    """A given file that cannot be read, or that has other contents than expected."""


class BadConfiguration(BadFile):
    """A configuration file that cannot be read, or that sets an unknown option."""


class BadPlan(BadFile):
    """A table plan that cannot be read, or whose zones contradict each other."""


class BadCalibration(BadFile):
    """A calibration file that cannot be read or written, or that was made for something else."""


class BadRecord(BadFile):
    """A written record of a game that cannot be read."""


class MoveError(CompanionError):
    """A move that was not made; the position is unchanged."""


class BadNotation(MoveError):
    """A text that is not a move of this game in any position."""


class BadEvent(MoveError):
    """An event that the position does not expect: a roll when a move is due, a tile that is not in the bag."""


class AmbiguousMove(MoveError):
    """A text that fits two or more legal moves."""


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
    """A command from a page that showed an older state of the table."""


class RoundNotDue(CompanionError, status=409):
    """A round of an evening that cannot be paired yet."""


class JournalError(CompanionError):
    """A journal that cannot be opened, read or written; it is unchanged."""


class DamagedJournal(JournalError):
    """A damaged journal: cut, overwritten, or with a foreign schema."""


class BrokenChain(JournalError):
    """A journal row that does not follow from the row before it."""


class DatabaseAway(JournalError):
    """A server's database that does not answer now, but may answer later."""


class Diverged(JournalError):
    """Two journals that hold different rows of one game."""


class BackupError(CompanionError):
    """A backup that cannot be written, or that is incomplete; no file was changed."""


class SeeError(CompanionError):
    """A problem with a picture or a camera."""


class UnreadablePicture(SeeError):
    """A file or upload that cannot be decoded as a picture within the limits."""


class NoTable(SeeError):
    """A picture in which the markers of the table were not found."""


class WrongTable(SeeError):
    """A picture that shows another table than the one that was shown empty."""


class NoBoard(SeeError):
    """A table without the board that the reader looks for."""


class CameraError(SeeError):
    """A camera, file or stream that cannot be opened, or that stopped delivering pictures."""


class DeviceError(CompanionError, status=503):
    """A problem with a dice tower or an LED board."""


class PortError(DeviceError):
    """A serial port that cannot be opened, or that was unplugged."""


class WrongDevice(DeviceError):
    """A device on the port that is not the expected one, or that speaks another protocol version."""


class LinkDown(DeviceError):
    """A request that stayed unanswered after every try; the device may or may not have carried it out."""


class DeviceRestarted(DeviceError):
    """A device that restarted during a request; it may or may not have carried the request out."""


class RequestRefused(DeviceError):
    """A request that the device refused; its state is unchanged."""
