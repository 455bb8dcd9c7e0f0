"""Jobs whose runs fail again and again: failures pause them, once for each time that they are due.

A fault may let more runs begin before the pause; none may make a second one.
"""

from tests.crash.services.tables import Item
from tests.crash.story import Flow, Story

#: No server is there; it is the address that counts.
_ADDRESS = "https://93.184.216.34/runs"
_FIRST, _EVERY = 170, 60
_FAILURES = 2
#: A caller resumes it: what was planned ahead has been skipped by then, faults or none.
_RESUMED_AT = 900


def _begin(story: Story) -> str:
    """A run a minute, each of which fails for good at its first try."""
    return story.create(
        function="fails",
        schedule={
            "kind": "rate",
            "every_seconds": _EVERY,
            "starts_at": story.instant(_FIRST),
        },
        retry={"max_attempts": 1},
        pause_after_failures=_FAILURES,
        notifications=[{"url": _ADDRESS, "on": ["paused"]}],
    )


def _begin_resumed(story: Story) -> str:
    job_id = _begin(story)
    story.cloud.live_until(story.at(_RESUMED_AT))
    assert _is_paused_once(story, job_id) == _FAILURES
    story.send("POST", f"/v1/jobs/{job_id}/resume")
    return job_id


def _is_paused_once(story: Story, job_id: str) -> int:
    """One new version, one entry of the trail, one notification; how many failed before it."""
    _is_paused(story, job_id, version=2, times=1)
    return _failures(story, job_id)


def _is_paused(story: Story, job_id: str, *, version: int, times: int) -> None:
    """Every run that began has failed, and others were skipped."""
    assert (story.status(job_id), _job(story, job_id)["version"]["N"]) == ("paused", str(version))
    notices = {row.run for row in story.rows if row.run.startswith("n#")}
    ends = [
        (row.state, row.reason)
        for row in story.rows
        if row.run not in notices and row.reason != "retried"
    ]
    failed = [end for end in ends if end[0] in {"failed", "timed_out", "dead_lettered"}]
    assert set(ends) <= {*failed, ("skipped", "paused"), ("cancelled", "paused")}, ends
    assert len(failed) >= _FAILURES + times - 1, ends
    assert len(notices) == times, notices
    told = {e.run for e in story.effects if isinstance(e.payload, dict) and "pause" in e.payload}
    assert len(told) == times, told
    entries = [item for item in story.jobs if "outcomes.pause" in str(item)]
    assert len(entries) == times, entries


def _pauses(story: Story, job_id: str) -> None:
    assert _is_paused_once(story, job_id) == _FAILURES


def _pauses_again(story: Story, job_id: str) -> None:
    """The first run after the resumption decides: version 3 is the resumption."""
    _is_paused(story, job_id, version=4, times=2)


def _job(story: Story, job_id: str) -> Item:
    (found,) = (
        item
        for item in story.jobs
        if item["sk"]["S"] == "job" and item["pk"]["S"].endswith(f"#{job_id}")
    )
    return found


def _failures(story: Story, job_id: str) -> int:
    """Return the job's count of failures in a row."""
    return int(_job(story, job_id)["standing"]["M"]["failure_pause"]["M"]["failures"]["N"])


FAILING = (
    Flow("pause after failures", _begin, _pauses, most=24, function="outcomes"),
    Flow("trial after a resumption", _begin_resumed, _pauses_again, most=16),
)
