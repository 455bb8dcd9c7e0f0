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
EMPTY |= {"key_from": None}


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
        pytest.param(
            ["--rate-limit", "9/h", "--rate-key-from", "/customer"],
            {"per_hour": 9, "key_from": "/customer"},
            "9 an hour, for each /customer",
            id="for-each",
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
        pytest.param(["--rate-key-from", "/a"], id="pointer-of-nothing"),
    ],
)
def test_what_is_no_rate_is_a_mistake(timegate: Timegate, options: list[str]) -> None:
    """Before anything is sent."""
    outcome = timegate(*CREATE, *options)

    assert outcome.code == 2


def test_slots_of_each_key_are_asked_for_and_shown(timegate: Timegate, api: FakeApi) -> None:
    """The pointer stands behind the number of slots."""
    overlap = {"policy": "queue", "max_concurrent": 2, "concurrency_key": None}
    api.will(ok(job(overlap=overlap | {"key_from": "/customer"}), 201))
    options = ("--overlap", "queue", "--max-concurrent", "2", "--concurrency-key-from", "/customer")
    outcome = timegate(*CREATE, *options)

    assert api.body["overlap"] == {"policy": "queue", "max_concurrent": 2, "key_from": "/customer"}
    assert "queue, at most 2 at once, for each /customer" in outcome.out
