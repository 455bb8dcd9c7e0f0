"""Generated examples are the same on every machine; ``TIMEGATE_PROPERTIES=all`` draws new ones."""

import gc

import pytest

from tests.examples import ALL, freeze_local_constants, load_profile

# A test makes thousands of objects, and most are gone with it: circles are looked for less often.
gc.set_threshold(50_000)
load_profile()
if not ALL:
    freeze_local_constants(pytest.MonkeyPatch())


def pytest_collection_finish() -> None:
    """Keep what was collected out of the search for circles: it stays until the end."""
    gc.freeze()
