"""Rules for all tests: the same generated examples everywhere, and the tests of one course.

``TIMEGATE_PROPERTIES=all`` draws new examples.
"""

import gc
from pathlib import Path

import pytest

from tests.courses import COURSE, first_course, passes_over
from tests.examples import ALL, freeze_local_constants, load_profile

# A test makes thousands of objects, and most are gone with it: circles are looked for less often.
gc.set_threshold(50_000)
load_profile()
if not ALL:
    freeze_local_constants(pytest.MonkeyPatch())


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Import no module of which this course has no test."""
    return passes_over(collection_path, COURSE) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of this course."""
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for each in items:
        (kept if first_course(each) <= COURSE else left).append(each)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    """Keep what was collected out of the search for circles: it stays until the end."""
    gc.freeze()
