"""Companion: a referee for real tabletop games.

The linear algebra beneath numpy reads its number of threads once, when numpy is first imported, so it is set here. What
is multiplied is small: a second thread would wait more than it works, and take the time of other tables' readers.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
