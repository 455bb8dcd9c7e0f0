"""``timegate runs reschedule --pending``."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, failed_row, operation, run, runs_page

Timegate = Callable[..., Outcome]

PENDING: dict[str, object] = {
    "job_id": None,
    "name": "nightly*",
    "tags": {},
    "from": None,
    "to": None,
}
STARTED = operation(
    kind="reschedule_runs",
    parameters={"filter": PENDING, "at": "2026-11-22T00:00:00.000Z", "spread_seconds": 600},
)


def test_criteria_and_instant_become_an_operation(api: FakeApi, timegate: Timegate) -> None:
    """An absent option is not sent."""
    api.will(ok(STARTED))
    outcome = timegate(
        *("runs", "reschedule", "--pending", "--name", "nightly*", "--yes"),
        *("--at", "2026-11-22T00:00:00Z", "--spread", "10m"),
    )

    assert outcome.code == 0, outcome.err
    assert api.asked == ["POST /v1/runs/reschedule"]
    assert api.body == {
        "filter": {"name": "nightly*"},
        "at": "2026-11-22T00:00:00.000Z",
        "spread_seconds": 600,
    }
    assert "name nightly*" in outcome.out
    assert "each within 10.0 min from then on" in outcome.out


def test_a_dry_run_counts_and_changes_nothing(api: FakeApi, timegate: Timegate) -> None:
    """The job's waiting and queued runs are counted, and no request changes one."""
    api.will(runs_page([failed_row(state="waiting")]))
    outcome = timegate(
        *("runs", "reschedule", "--pending", "--job", JOB_ID, "--delay", "2h", "--dry-run")
    )

    assert outcome.code == 0, outcome.err
    assert [each.partition("?")[0] for each in api.asked] == ["GET /v1/runs"]
    assert "1 run has not begun." in outcome.out


def test_one_run_is_moved_as_before(api: FakeApi, timegate: Timegate) -> None:
    """By its id."""
    api.will(ok(run("waiting")))
    outcome = timegate("runs", "reschedule", RUN_ID, "--delay", "2h")

    assert (outcome.code, api.asked) == (0, [f"POST /v1/runs/{RUN_ID}/reschedule"])
    assert api.body == {"delay_seconds": 7200.0}


def test_a_dry_run_of_one_run_shows_it_and_moves_nothing(api: FakeApi, timegate: Timegate) -> None:
    """It stays due when it was."""
    api.will(ok(run("waiting")))
    outcome = timegate("runs", "reschedule", RUN_ID, "--delay", "2h", "--dry-run")

    assert (outcome.code, api.asked) == (0, [f"GET /v1/runs/{RUN_ID}"])
    assert "Nothing was changed." in outcome.out


@pytest.mark.parametrize(
    "options",
    [
        ("--delay", "2h"),
        ("--pending", "--delay", "2h"),
        ("--pending", "--all"),
        ("--pending", "--all", "--delay", "2h", "--at", "2026-11-22T00:00:00Z"),
        (RUN_ID, "--job", "nightly", "--delay", "2h"),
        (RUN_ID, "--delay", "2h", "--spread", "10m"),
    ],
)
def test_what_is_meant_must_be_plain(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """One run, or the pending ones of jobs that are named, and one instant."""
    outcome = timegate("runs", "reschedule", *options)

    assert (outcome.code, api.asked) == (2, [])
