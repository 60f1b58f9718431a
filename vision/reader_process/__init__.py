"""Eyes in a process of their own: one that hangs or crashes is ended and started again, and nothing else is touched."""

from vision.reader_process.calibrator import RemoteCalibrator
from vision.reader_process.reader_process import ReaderProcess, TimeLimits

__all__ = ["ReaderProcess", "RemoteCalibrator", "TimeLimits"]
