"""``POST …/resume`` with a body: from now, or from where the pause began."""

import pytest

from tests.support.api import Api, new_job

DAILY = {"kind": "cron", "cron": "0 7 * * *", "timezone": "UTC"}


def path_of(api: Api, **fields: object) -> str:
    """The path of a new job."""
    created = api.send("POST", "/v1/jobs", new_job(**fields))
    return f"/v1/jobs/{created.body['job_id']}"


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
    """As its policy says; else what passed is a gap."""
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
