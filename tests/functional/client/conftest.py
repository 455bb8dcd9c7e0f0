"""The API that clients talk to."""

import pytest

from tests.functional.cli.fake_api import FakeApi


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()
