"""Stored runs that callers change before they begin: by filter, by an edit, by a thaw."""

from functools import partial

from tests.crash.story import Flow, Story

_YEAR = {"kind": "delay", "delay_seconds": 31_536_000}
_RUNS = 3
#: Instants of a schedule, and those of the one that replaces it.
_EVERY, _BEFORE, _AFTER = 60, 120, 150


def _begin_moved(due: int, at: int, story: Story) -> str:
    """Runs that an operation lets be due at another instant."""
    job_id = story.create(schedule=_YEAR)
    triggers = [{"payload": n, "delay_seconds": due} for n in range(_RUNS)]
    path = f"/v1/jobs/{job_id}/trigger/batch"
    story.send("POST", path, {"triggers": triggers}, Idempotency_Key="three")
    wanted = {"filter": {"job_id": job_id}, "at": story.instant(at)}
    story.send("POST", "/v1/runs/reschedule", wanted, Idempotency_Key="move")
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _all_have_run_once_moved(at: int, story: Story, job_id: str) -> None:
    """Each once, not before its new instant, and the operation counts each once."""
    ends = story.ends(job_id)
    assert ends.count(("succeeded", None)) == _RUNS, ends
    assert len({row.run for row in story.rows}) == _RUNS, ends
    (operation,) = story.send("GET", "/v1/operations").body["items"]
    assert operation["status"] == "succeeded", operation
    # All of a batch ask STS at once: if it cannot be reached, each of them has no call.
    assert len({effect.run for effect in story.effects}) == _RUNS
    assert story.faults or len(story.effects) == _RUNS
    if story.struck("operations") or story.stalled:
        # Runs may be due before their operation comes to them.
        return
    assert operation["counts"]["done"] == _RUNS, operation
    assert all(effect.at >= story.at(at) for effect in story.effects)


def _rate(story: Story, first: int) -> dict[str, object]:
    span = {"starts_at": story.instant(first), "ends_at": story.instant(first + 2 * _EVERY)}
    return {"kind": "rate", "every_seconds": _EVERY} | span


def _begin_edited(story: Story) -> str:
    """Its runs are stored with it; then it gets a schedule that names none of their instants."""
    job_id = story.create(schedule=_rate(story, _BEFORE))
    story.send("PATCH", f"/v1/jobs/{job_id}", {"schedule": _rate(story, _AFTER)})
    return job_id


def _only_the_new_instants_have_run(story: Story, job_id: str) -> None:
    """Each once; stored runs of the old schedule are superseded, and no other run is there."""
    ends = story.ends(job_id)
    assert ends.count(("succeeded", None)) == _RUNS, ends
    replaced = ends.count(("skipped", "superseded"))
    assert len(ends) - replaced - _RUNS <= story.tried_again, ends
    assert story.status(job_id) == "completed"
    ran = sorted({row.run.partition("#")[0] for row in story.rows if row.state == "succeeded"})
    wanted = [story.at(_AFTER + _EVERY * n) for n in range(_RUNS)]
    assert ran == [instant.strftime("%Y%m%dT%H%M%S000Z") for instant in wanted]
    assert len({effect.run for effect in story.effects}) == _RUNS


def _begin_lifted(story: Story) -> str:
    """The run waits for the end of a freeze of an hour, which is lifted."""
    job_id = story.create(schedule={"kind": "at", "at": story.instant(60)})
    asked = {"scope": {"kind": "tenant"}, "ends_at": story.instant(3600)}
    freeze = story.send("POST", "/v1/freezes", asked, Idempotency_Key="freeze").body["freeze_id"]
    story.cloud.at(100, lambda: story.send("DELETE", f"/v1/freezes/{freeze}"))
    return job_id


def _has_run_soon(story: Story, job_id: str) -> None:
    """Once, within a look at frozen runs and not at the end of the freeze."""
    story.assert_succeeded(job_id)
    assert all(effect.at < story.at(1800) for effect in story.effects)


CHANGED = (
    *(
        Flow(
            name,
            partial(_begin_moved, due, at),
            partial(_all_have_run_once_moved, at),
            function="operations",
            most=8,
        )
        for name, due, at in (("put runs off", 60, 180), ("bring runs forward", 400, 150))
    ),
    Flow("edit a schedule", _begin_edited, _only_the_new_instants_have_run, request=2, most=8),
    Flow("lift a freeze", _begin_lifted, _has_run_soon, request=3, most=8),
)
