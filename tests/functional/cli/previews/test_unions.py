"""Unions and manual jobs on the command line."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import job

Timegate = Callable[..., Outcome]


def test_repeated_patterns_make_a_union(api: FakeApi, timegate: Timegate) -> None:
    """Options of cron belong to each member, bounds to all of them."""
    api.will(ok(job(), 201))
    timegate(
        *("jobs", "create", "--name", "r", "--webhook", "https://e.example"),
        *("--cron", "0 9 * * 1-5", "--cron", "0 11 * * 6", "--timezone", "Europe/Berlin"),
        *("--gap", "skip", "--max-runs", "7"),
    )

    assert api.body["schedule"] == {
        "kind": "union",
        "any_of": [
            {"kind": "cron", "cron": pattern, "timezone": "Europe/Berlin", "gap": "skip"}
            for pattern in ("0 9 * * 1-5", "0 11 * * 6")
        ],
        "max_runs": 7,
    }


def test_a_job_may_be_manual(api: FakeApi, timegate: Timegate) -> None:
    """It has no option that says when."""
    api.will(ok(job(), 201))
    timegate("jobs", "create", "--name", "r", "--manual", "--webhook", "https://e.example")

    assert api.body["schedule"] == {"kind": "manual"}
