"""``timegate jobs create --rate-limit``."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import job

Timegate = Callable[..., Outcome]

CREATE = ("jobs", "create", "--name", "crm", "--every", "1h", "--webhook", "https://example.com/")
EMPTY = {"per_second": None, "per_minute": None, "per_hour": None, "burst": 1, "key": None}


@pytest.mark.parametrize(
    ("options", "asked", "shown"),
    [
        pytest.param(["--rate-limit", "10/s"], {"per_second": 10}, "10 a second", id="second"),
        pytest.param(["--rate-limit", "1/h"], {"per_hour": 1}, "1 an hour", id="hour"),
        pytest.param(
            ["--rate-limit", "100/min", "--rate-burst", "5", "--rate-key", "crm"],
            {"per_minute": 100, "burst": 5, "key": "crm"},
            "100 a minute, 5 at once, with all of crm",
            id="everything",
        ),
    ],
)
def test_a_limit_is_asked_for_and_shown(
    timegate: Timegate, api: FakeApi, options: list[str], asked: dict[str, Any], shown: str
) -> None:
    """The output says it in people's words."""
    api.will(ok(job(rate_limit=EMPTY | asked), 201))
    outcome = timegate(*CREATE, *options)

    assert api.body["rate_limit"] == asked
    assert shown in outcome.out


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--rate-limit", "10"], id="of-what"),
        pytest.param(["--rate-limit", "0/s"], id="never"),
        pytest.param(["--rate-limit", "1/day"], id="unknown-period"),
        pytest.param(["--rate-burst", "3"], id="burst-of-nothing"),
        pytest.param(["--rate-key", "crm"], id="key-of-nothing"),
    ],
)
def test_what_is_no_rate_is_a_mistake(timegate: Timegate, options: list[str]) -> None:
    """Before anything is sent."""
    outcome = timegate(*CREATE, *options)

    assert outcome.code == 2
