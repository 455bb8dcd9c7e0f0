"""``timegate runs cancel --pending``."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, failed_row, operation, run, runs_page

Timegate = Callable[..., Outcome]

PENDING = {
    "job_id": None,
    "name": "nightly*",
    "tags": {"team": "a"},
    "from": None,
    "to": "2026-11-22T00:00:00.000Z",
}
STARTED = operation(kind="cancel_runs", parameters={"filter": PENDING})


def test_criteria_become_the_filter_of_an_operation(api: FakeApi, timegate: Timegate) -> None:
    """An absent option is not sent."""
    api.will(ok(STARTED))
    outcome = timegate(
        *("runs", "cancel", "--pending", "--name", "nightly*", "--tag", "team=a", "--yes"),
        *("--until", "2026-11-22T00:00:00Z"),
    )

    assert outcome.code == 0, outcome.err
    assert api.asked == ["POST /v1/runs/cancel"]
    assert api.body == {
        "filter": {"name": "nightly*", "tags": {"team": "a"}, "to": "2026-11-22T00:00:00.000Z"}
    }
    assert "name nightly*, tags team=a, to 2026-11-22 00:00:00" in outcome.out


def test_a_dry_run_counts_and_changes_nothing(api: FakeApi, timegate: Timegate) -> None:
    """The job's waiting and queued runs are counted, and no request changes one."""
    api.will(runs_page([failed_row(state="waiting")]))
    outcome = timegate("runs", "cancel", "--pending", "--job", JOB_ID, "--dry-run")

    assert outcome.code == 0, outcome.err
    assert [each.partition("?")[0] for each in api.asked] == ["GET /v1/runs"]
    assert "state=waiting&state=queued" in api.asked[0]
    assert "1 run has not begun." in outcome.out


def test_one_run_is_cancelled_as_before(api: FakeApi, timegate: Timegate) -> None:
    """By its id."""
    api.will(ok(run("cancelled")))
    outcome = timegate("runs", "cancel", RUN_ID)

    assert (outcome.code, api.asked) == (0, [f"POST /v1/runs/{RUN_ID}/cancel"])


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--pending",),
        ("--pending", RUN_ID),
        (RUN_ID, "--job", "nightly"),
        (RUN_ID, "--wait"),
    ],
)
def test_what_is_meant_must_be_plain(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """One run, or the pending ones of jobs that are named."""
    outcome = timegate("runs", "cancel", *options)

    assert (outcome.code, api.asked) == (2, [])
