"""The calendars of a job on the command line."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import job
from timegate.contracts.calendars import CalendarRuleContract

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
    """Excluded calendars come first; --defer holds for all of them."""
    api.will(ok(job(), 201))
    timegate("jobs", "create", "--name", "r", "--now", "--webhook", "https://e.example", *options)
    sent = [
        CalendarRuleContract.model_validate_json(json.dumps(rule)) for rule in api.body["calendars"]
    ]

    assert [(each.calendar, each.mode, each.action) for each in sent] == rules


@pytest.mark.parametrize(("written", "number"), [("bank=3", 3), ("bank=-1", -1)])
def test_a_job_keeps_to_a_business_day(
    api: FakeApi, timegate: Timegate, written: str, number: int
) -> None:
    """The rule of its calendar comes beside the excluded ones."""
    api.will(ok(job(), 201))
    words = ("jobs", "create", "--name", "r", "--now", "--webhook", "https://e.example")
    timegate(*words, "--exclude", "office", "--business-day", written)

    assert api.body["calendars"][1:] == [{"calendar": "bank", "business_day": number}]


@pytest.mark.parametrize("written", ["bank", "bank=", "bank=third", "bank=100", "bank=1.5"])
def test_a_business_day_is_a_number(api: FakeApi, timegate: Timegate, written: str) -> None:
    """Nothing is sent, and the option is named."""
    words = ("jobs", "create", "--name", "r", "--now", "--webhook", "https://e.example")
    outcome = timegate(*words, "--business-day", written)

    assert (outcome.code, api.calls) == (2, [])
    assert "--business-day" in outcome.err


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
        {"calendar": "bank", "mode": "exclude", "action": "skip", "business_day": -1},
    ]
    api.will(ok(job(calendars=rules)))

    shown = timegate("jobs", "get", "j").out

    assert "exclude office, only trading (defer), business day -1 of bank" in shown
