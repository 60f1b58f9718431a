"""What all tests share: made-up examples are the same in every run, and a busy machine is no failure.

Longer searches for new examples: `HYPOTHESIS_PROFILE=search python -m pytest`.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
