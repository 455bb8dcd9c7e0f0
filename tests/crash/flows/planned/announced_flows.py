"""Jobs whose runs planners announce, and then store one by one, apart from the jobs' moves."""

from tests.crash.story import Flow, Story

#: Too far away for its creator; three instants are announced together, and the last one is not.
_FIRST, _EVERY, _RUNS = 200, 150, 4
#: The tick that announces has come by then, and may have stood still since.
_ANNOUNCED = 75


def _begin(story: Story) -> str:
    last = _FIRST + _EVERY * (_RUNS - 1)
    span = {"starts_at": story.instant(_FIRST), "ends_at": story.instant(last)}
    return story.create(schedule={"kind": "rate", "every_seconds": _EVERY} | span)


def _begin_changed(story: Story) -> str:
    """A pause and a resumption meet what a planner left."""
    job_id = _begin(story)
    story.cloud.live_until(story.at(_ANNOUNCED))
    story.send("POST", f"/v1/jobs/{job_id}/pause")
    story.send("POST", f"/v1/jobs/{job_id}/resume")
    return job_id


def _begin_cancelled(story: Story) -> str:
    """Runs that a planner has not stored yet are cancelled as well."""
    job_id = _begin(story)
    story.cloud.live_until(story.at(_ANNOUNCED))
    story.send("DELETE", f"/v1/jobs/{job_id}")
    return job_id


def _every_instant_has_run(story: Story, job_id: str) -> None:
    """Once, on time, and the last end completes the job."""
    story.assert_succeeded(job_id, runs=_RUNS)
    named = sorted({row.run.partition("#")[0] for row in story.rows})
    instants = [story.at(_FIRST + _EVERY * n) for n in range(_RUNS)]
    assert named == [instant.strftime("%Y%m%dT%H%M%S000Z") for instant in instants]


def _none_has_run(story: Story, job_id: str) -> None:
    assert story.status(job_id) == "cancelled"
    assert {state for state, _ in story.ends(job_id)} <= {"cancelled"}
    assert story.effects == []


ANNOUNCED = (
    Flow("announced runs", _begin, _every_instant_has_run, function="planner"),
    Flow("announced and changed", _begin_changed, _every_instant_has_run, function="planner"),
    Flow("announced and cancelled", _begin_cancelled, _none_has_run, function="planner"),
)
