"""Generated examples are the same on every machine; ``TIMEGATE_PROPERTIES=all`` draws new ones."""

import pytest

from tests.examples import ALL, freeze_local_constants, load_profile

load_profile()
if not ALL:
    freeze_local_constants(pytest.MonkeyPatch())
