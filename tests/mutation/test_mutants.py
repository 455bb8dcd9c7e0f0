"""Every planted bug is noticed: a suite that cannot fail proves nothing."""

import os

import pytest
from hypothesis.errors import FlakyFailure

from tests.mutation.mutant import Mutant
from tests.mutation.mutants import MUTANTS
from tests.mutation.suites import Suite

pytestmark = pytest.mark.wide

_ALL = os.environ.get("TIMEGATE_MUTANTS") == "all"
_CHOSEN = [mutant for mutant in MUTANTS if _ALL or mutant.fast]
_SUITES = list(dict.fromkeys(mutant.suite for mutant in _CHOSEN))


@pytest.mark.parametrize("mutant", _CHOSEN, ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_noticed(mutant: Mutant) -> None:
    """The suite that is named for it fails while the bug is there."""
    with pytest.MonkeyPatch.context() as patch:
        noticed: Exception | None = None
        try:
            mutant.suite(lambda: mutant.plant(patch))
        except (AssertionError, FlakyFailure) as error:
            noticed = error

    assert noticed is not None


@pytest.mark.parametrize("suite", _SUITES, ids=range(len(_SUITES)))
def test_the_same_suite_passes_without_a_bug(suite: Suite) -> None:
    """So it was the bug that failed it."""
    suite(lambda: None)
