"""A planted bug: a small change of one function, and the suite that has to notice it."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.mutation.suites import Suite

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Mutant:
    """One bug."""

    name: str
    plant: Plant
    #: Has to fail with the bug, and passes without it.
    suite: Suite
    #: Quick enough for every run of the tests.
    fast: bool = True
