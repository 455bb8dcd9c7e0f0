"""Rules for all tests: the same generated examples everywhere, and deep tests in their courses.

``TIMEGATE_PROPERTIES=all`` draws new examples.
"""

import gc
import os

import pytest

from tests.examples import ALL, freeze_local_constants, load_profile

# A test makes thousands of objects, and most are gone with it: circles are looked for less often.
gc.set_threshold(50_000)
load_profile()
if not ALL:
    freeze_local_constants(pytest.MonkeyPatch())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave deep tests to the courses of ``make test-deep``, which set ``TIMEGATE_DEEP=all``."""
    if os.environ.get("TIMEGATE_DEEP") == "all":
        return
    deep = [each for each in items if each.get_closest_marker("deep")]
    config.hook.pytest_deselected(items=deep)
    items[:] = [each for each in items if not each.get_closest_marker("deep")]


def pytest_collection_finish() -> None:
    """Keep what was collected out of the search for circles: it stays until the end."""
    gc.freeze()
