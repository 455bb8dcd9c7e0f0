"""Settings of Hypothesis for every test that generates its input."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tests.courses import COURSE, Course

#: Examples differ from run to run, and there are as many as a course of ``make test-deep`` has.
ALL = os.environ.get("TIMEGATE_PROPERTIES") == "all"
#: Collect constants of loaded modules, as Hypothesis does unless it is kept from it.
collect_local_constants = providers._get_local_constants


def load_profile() -> None:
    """Load the profile that every test's settings start from.

    A busy machine fails no test: no example has a deadline, and slow generation is no error. A
    failure of random examples prints a line that repeats it.
    """
    settings.register_profile(
        "timegate",
        max_examples=25 if COURSE is Course.SHORT else 100,
        derandomize=not ALL,
        deadline=None,
        database=None,
        print_blob=ALL,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("timegate")


def freeze_local_constants(patch: pytest.MonkeyPatch) -> None:
    """Let Hypothesis take no constants from modules of this project.

    It collects them from the loaded local modules. The tests that ran before in the same process
    decide which these are; derandomized examples would depend on them as well.
    """
    nothing = Constants()
    patch.setattr(providers, "_get_local_constants", lambda: nothing)
    providers.CONSTANTS_CACHE.cache.clear()


def some(examples: int) -> int:
    """Count the examples of a property: four times as many in its course, fewer before.

    A sixth are drawn in the wide course, and a ninth in the short one.
    """
    if ALL:
        return 4 * examples
    return max(2, examples // (9 if COURSE is Course.SHORT else 6))
