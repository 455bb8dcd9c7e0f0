"""``timegate jobs list --due-within``: jobs that run soon, the first to run first."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, page
from tests.functional.cli.samples import JOB_ID, job

Timegate = Callable[..., Outcome]
IDS = [f"{letter}{JOB_ID[1:]}" for letter in "abcde"]
#: The tests' clock shows 07:00.
NEXT = [
    "2026-11-21T08:00:00.000Z",
    "2026-11-21T08:00:00.001Z",
    None,
    "2026-11-21T07:30:00.000Z",
    "2026-11-21T06:59:00.000Z",
]
JOBS = [job(job_id=each, next_run_at=at) for each, at in zip(IDS, NEXT, strict=True)]


def test_jobs_that_are_due_soon_are_listed_in_their_order(api: FakeApi, timegate: Timegate) -> None:
    """Every page is read; overdue jobs are listed, and none that is due a millisecond later."""
    api.will(page(JOBS[:3], "c"), page(JOBS[3:]))
    found = timegate("jobs", "list", "--due-within", "1h", "--status", "active", "--json").json

    assert [each["job_id"] for each in found["items"]] == [IDS[4], IDS[3], IDS[0]]
    assert found["next_cursor"] is None
    assert api.asked == [
        "GET /v1/jobs?status=active&limit=100",
        "GET /v1/jobs?status=active&limit=100&cursor=c",
    ]


@pytest.mark.parametrize("more", [("--limit", "5"), ("--cursor", "c"), ("--all",)], ids=str)
def test_a_page_of_them_is_refused(api: FakeApi, timegate: Timegate, more: tuple[str, ...]) -> None:
    """Pages have the order of creation."""
    outcome = timegate("jobs", "list", "--due-within", "1h", *more)

    assert (outcome.code, api.calls) == (2, [])
    assert "'--due-within': it reads every page" in " ".join(outcome.err.split())


@pytest.mark.parametrize("span", ["2912000d", "99999999d", "999999999999d"])
def test_a_span_beyond_the_calendar_takes_every_job_that_has_a_next_run(
    api: FakeApi, timegate: Timegate, span: str
) -> None:
    """No instant is later than the last one that there is."""
    api.will(page(JOBS))
    outcome = timegate("jobs", "list", "--due-within", span, "--json")

    assert len(outcome.json["items"]) == 4
