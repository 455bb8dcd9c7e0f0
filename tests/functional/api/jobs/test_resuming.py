"""``POST …/resume`` with a body: from now, or from where the pause began."""

import pytest

from tests.functional.api.jobs.test_changes import path_of
from tests.support.api import Api

DAILY = {"kind": "cron", "cron": "0 7 * * *", "timezone": "UTC"}


@pytest.mark.parametrize(
    ("body", "first", "gaps"),
    [
        pytest.param(None, 25, [3], id="no-body"),
        pytest.param({}, 25, [3], id="not-said"),
        pytest.param({"catch_up": False}, 25, [3], id="from-now"),
        pytest.param({"catch_up": True}, 22, [], id="catch-up"),
    ],
)
def test_a_paused_job_catches_up_if_asked(
    api: Api, body: dict[str, object] | None, first: int, gaps: list[int]
) -> None:
    """The job's policy catches up; otherwise the missed instants are a gap."""
    path = path_of(api, schedule=DAILY, catch_up={"window_seconds": 31_536_000})
    api.send("POST", f"{path}/pause")
    api.world.clock.advance(3 * 86_400 + 3600)
    answer = api.send("POST", f"{path}/resume", body)
    instants = sorted(run.id.run.scheduled_at.day for run in api.world.attempts())
    instants.append(int(answer.body["next_run_at"][8:10]))

    assert (answer.status, answer.body["status"]) == (200, "active")
    assert instants[0] == first
    assert [gap.count for gap in api.world.tables.gaps.values()] == gaps


@pytest.mark.parametrize(
    ("body", "field"),
    [({"catch_up": 1}, "catch_up"), ({"catch_up": None}, "catch_up"), ({"all": True}, "all")],
    ids=["number", "null", "unknown"],
)
def test_a_resume_that_cannot_be_read_is_refused(
    api: Api, body: dict[str, object], field: str
) -> None:
    """The job stays paused."""
    path = path_of(api, schedule=DAILY)
    api.send("POST", f"{path}/pause")
    answer = api.send("POST", f"{path}/resume", body)

    assert (answer.status, [name for name, _ in answer.fields]) == (400, [field])
    assert api.send("GET", path).body["status"] == "paused"


def test_a_pause_may_have_a_reason_until_the_job_goes_on(api: Api) -> None:
    """A repeated pause changes nothing; the trail keeps the reason."""
    path = f"/v1/jobs/{api.create()['job_id']}"
    reason = "The ledger is moved; ask Ada."
    paused = api.send("POST", f"{path}/pause", {"reason": reason}).body
    again = api.send("POST", f"{path}/pause", {"reason": "another"}).body
    read = api.send("GET", path).body
    resumed = api.send("POST", f"{path}/resume").body
    without = api.send("POST", f"{path}/pause").body
    trail = api.send("GET", f"{path}/audit").body["items"]
    told = [
        (change["before"], change["after"])
        for entry in trail
        for change in entry["changes"]
        if change["field"] == "pause_reason"
    ]

    assert [each["pause_reason"] for each in (paused, again, read)] == [reason] * 3
    assert (again["version"], read["version"]) == (paused["version"],) * 2
    assert (resumed["pause_reason"], without["pause_reason"]) == (None, None)
    assert told == [(reason, None), (None, reason)]
    fields = {change["field"] for entry in trail for change in entry["changes"]}
    assert "resumed_at" not in fields


@pytest.mark.parametrize("reason", ["", "x" * 201, "a\nb", 5])
def test_a_reason_is_one_short_line(api: Api, reason: object) -> None:
    """Anything else pauses nothing."""
    path = f"/v1/jobs/{api.create()['job_id']}"
    answer = api.send("POST", f"{path}/pause", {"reason": reason})

    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "reason")
    assert api.send("GET", path).body["status"] == "active"
