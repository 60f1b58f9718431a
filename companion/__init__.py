"""Companion: a referee for real tabletop games.

The linear algebra library beneath numpy reads its number of threads once, when numpy is first imported, so it is set
here. The matrices are small: a second thread would wait more than it works, and slow down the readers of other tables.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
