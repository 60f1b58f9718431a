"""Measurements that back the figures in docs/speed.md: one file a bench, run by `python -m bench [NAME...]`.

Times are processor time of this process, so that other work on the machine does not count; contestants take turns and
medians are printed, because the same machine varies by a fifth from minute to minute.
"""

import companion  # noqa: F401 - it sets numpy's threads, as in the program itself, before numpy is imported
