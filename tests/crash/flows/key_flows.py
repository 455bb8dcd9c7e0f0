"""A caller who hands the key of a job to its successor."""

from tests.crash.story import Flow, Story

_LATER = {"kind": "delay", "delay_seconds": 31_536_000}


def _begin(story: Story) -> str:
    """The first job gives the key up by its cancellation; the second one runs by it."""
    first = story.create("first", schedule=_LATER, key="report")
    # By its id: a repetition by the key would find no job any more.
    story.send("DELETE", f"/v1/jobs/{first}")
    second = story.create("second", schedule=_LATER, key="report")
    story.send("POST", "/v1/jobs/key:report/trigger", Idempotency_Key="one")
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{second}"))
    return second


def _the_successor_has_run(story: Story, job_id: str) -> None:
    """Once, after the tries that faults cost it, and in the end no job has the key."""
    *failed, last = story.ends(job_id)
    assert last == ("succeeded", None)
    assert set(failed) <= {("failed", "retried"), ("timed_out", "retried")}
    assert len(failed) <= story.tried_again
    assert story.ends() == story.ends(job_id), story.ends()
    (held,) = (item for item in story.jobs if item["sk"]["S"] == "job-key")
    assert held["pk"]["S"] == f"{story.tenant}#job-key#report"
    assert "job" not in held
    story.assert_called()


KEYS = (Flow("job keys", _begin, _the_successor_has_run, request=3, most=8),)
