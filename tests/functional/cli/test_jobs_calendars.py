"""The calendars of a job on the command line."""

import json
from collections.abc import Callable

import pytest

from api.contracts.calendars import CalendarRuleContract
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import job

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (("--exclude", "office"), [("office", "exclude", "skip")]),
        (("--only", "trading", "--defer"), [("trading", "only", "defer")]),
        (
            ("--exclude", "a", "--only", "c", "--exclude", "b"),
            [("a", "exclude", "skip"), ("b", "exclude", "skip"), ("c", "only", "skip")],
        ),
    ],
    ids=str,
)
def test_a_job_follows_calendars(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], rules: list[tuple[str, ...]]
) -> None:
    """Those that it excludes first; --defer holds for all of them."""
    api.will(ok(job(), 201))
    timegate("jobs", "create", "--name", "r", "--now", "--webhook", "https://e.example", *options)
    sent = [
        CalendarRuleContract.model_validate_json(json.dumps(rule)) for rule in api.body["calendars"]
    ]

    assert [(each.calendar, each.mode, each.action) for each in sent] == rules


def test_deferring_needs_a_calendar(api: FakeApi, timegate: Timegate) -> None:
    """Nothing is left out that could be deferred."""
    outcome = timegate(
        *("jobs", "create", "--name", "r", "--now", "--webhook", "https://e.example", "--defer")
    )

    assert (outcome.code, api.calls) == (2, [])


def test_a_jobs_calendars_are_shown(api: FakeApi, timegate: Timegate) -> None:
    """In a few words."""
    rules = [
        {"calendar": "office", "mode": "exclude", "action": "skip"},
        {"calendar": "trading", "mode": "only", "action": "defer"},
    ]
    api.will(ok(job(calendars=rules)))

    assert "exclude office, only trading (defer)" in timegate("jobs", "get", "j").out
