"""``timegate overview`` and ``timegate decisions`` on the command line."""

from collections.abc import Callable, Mapping, Sequence

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID, answered, failed_row

Timegate = Callable[..., Outcome]

QUOTAS = {
    "jobs": 1000,
    "dags": None,
    "concurrent_runs": None,
    "runs_per_day": None,
    "requests_per_second": None,
    "burst": None,
}
FREEZE = {
    "freeze_id": "20261121T070000000Z-000000000000",
    "state": "active",
    "scope": {"kind": "tenant"},
    "starts_at": "2026-11-21T06:00:00.000Z",
    "ends_at": "2026-11-21T10:00:00.000Z",
    "thaw": "skip",
    "reason": "",
    "created_at": "2026-11-21T06:00:00.000Z",
    "lifted_at": None,
    "by_stage": False,
}
PAUSED = {
    "job_id": JOB_ID,
    "name": "nightly load",
    "at": "2026-11-21T06:00:00.000Z",
    "failures": 3,
    "run_id": RUN_ID,
}
OVERVIEW: Mapping[str, object] = {
    "tenant": "acme",
    "status": "active",
    "failing": {
        "since": "2026-11-20T07:00:00.000Z",
        "count": 100,
        "is_partial": True,
        "latest": [failed_row(reason="permanent")],
    },
    "dead_letters": {"count": 2, "is_partial": False},
    "paused_jobs": [PAUSED],
    "freezes": [FREEZE],
    "jobs": {"active": 3, "paused": 1, "completed": 0, "cancelled": 0},
    "usage": {"jobs": 4, "dags": 0, "runs_per_day": None},
    "effective_quotas": QUOTAS,
}
ENDED = "2026-11-21T06:00:00.398Z"
DECISION = {
    "kind": "failed_run",
    "reason": "permanent",
    "error_code": "http_404",
    "count": 12,
    "jobs": 3,
    "first_at": "2026-11-21T01:00:00.412Z",
    "last_at": ENDED,
    "latest": [{"run_id": RUN_ID, "job_id": JOB_ID, "job_name": "x", "ended_at": ENDED}],
}


GROUP = {
    "dag_id": JOB_ID,
    "dag_name": "release",
    "task_key": "gate",
    "count": 7,
    "first_at": ENDED,
    "last_at": ENDED,
    "until": "2026-11-21T09:00:00.000Z",
    "latest": [answered("listApprovals", "items", 0)],
}


def decided(
    *items: Mapping[str, object],
    is_partial: bool = False,
    approvals: Sequence[Mapping[str, object]] = (),
    approvals_are_partial: bool = False,
) -> dict[str, object]:
    """A list of decisions."""
    return {
        "since": "2026-11-14T07:00:00.000Z",
        "read": 500,
        "is_partial": is_partial,
        "groups": list(items),
        "approvals": list(approvals),
        "approvals_are_partial": approvals_are_partial,
    }


def test_an_overview_says_what_fails_and_what_is_held_back(
    api: FakeApi, timegate: Timegate
) -> None:
    """Numbers that were not counted to their end say so."""
    api.will(ok(OVERVIEW))
    output = timegate("overview").out

    assert api.asked == ["GET /v1/overview"]
    assert "more than 100" in output
    assert "nightly load" in output
    assert "3 active, 1 paused" in output
    assert "jobs 4/1,000, dags 0" in output
    assert "active until" in output
    assert "permanent" in output


def test_a_tenant_with_many_jobs_and_no_failures(api: FakeApi, timegate: Timegate) -> None:
    """Jobs are not told apart, and the table is a sentence."""
    since = "2026-11-20T07:00:00.000Z"
    failing = {"since": since, "count": 0, "is_partial": False, "latest": []}
    api.will(ok({**OVERVIEW, "jobs": None, "failing": failing, "paused_jobs": [], "freezes": []}))
    output = timegate("overview").out

    assert "4 that may still run" in output
    assert "No failed runs." in output


def test_decisions_are_shown_by_cause(api: FakeApi, timegate: Timegate) -> None:
    """A cause a line, with the latest run."""
    api.will(ok(decided(DECISION)))
    outcome = timegate("decisions", "--since", "2026-11-20T00:00:00Z")
    words = outcome.out.splitlines()[1].split()

    assert api.calls[0].url.params["from"] == "2026-11-20T00:00:00.000Z"
    assert words[:5] == ["failed_run", "permanent", "http_404", "12", "3"]
    assert SHORT_RUN_ID in outcome.out
    assert "there are more" not in outcome.out


def test_a_list_of_some_failures_says_so(api: FakeApi, timegate: Timegate) -> None:
    """With the number of those that were looked at."""
    api.will(ok(decided(DECISION, is_partial=True)))

    assert "Of the latest 500 failed runs; there are more." in timegate("decisions").out


def test_nothing_to_decide_is_a_sentence(api: FakeApi, timegate: Timegate) -> None:
    """No table without lines."""
    api.will(ok(decided()))

    assert timegate("decisions").out.strip() == "Nothing waits for a decision."


def test_approvals_are_a_table_of_their_own(api: FakeApi, timegate: Timegate) -> None:
    """Beside failures, or alone; where there are more, another command lists them."""
    api.will(
        ok(decided(DECISION, approvals=[GROUP])),
        ok(decided(approvals=[GROUP], approvals_are_partial=True)),
    )
    both, alone = timegate("decisions").out, timegate("decisions").out

    assert "http_404" in both
    assert "release" in both
    assert "timegate dags approvals" not in both
    assert alone.splitlines()[1].split()[:3] == ["release", "gate", "7"]
    assert "timegate dags approvals lists all" in alone
