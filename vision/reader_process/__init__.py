"""Eyes in a process of their own: a hanging or crashed one is ended and restarted, without effect on others."""

from vision.reader_process.calibrator import RemoteCalibrator
from vision.reader_process.reader_process import ReaderProcess, TimeLimits

__all__ = ["ReaderProcess", "RemoteCalibrator", "TimeLimits"]
