"""A caller who runs ended runs again by triggers that name them, alone and in a batch."""

from collections.abc import Callable
from functools import partial

from tests.crash.flows.triggered.batches import send_whole
from tests.crash.story import Flow, Story

#: Beyond what a record holds: it lies beside it, and is read and stored by calls of their own.
_LARGE = "x" * 2_000
_FIRST = {"payload": {"page": 1, "text": _LARGE}, "tags": {"team": "a"}}
_SECOND = {"payload": {"page": 2}}
#: The request that repeats: before it the job is made, and its first runs.
_REPEATS = 3


def _begin(story: Story) -> str:
    """Repeat a run with a payload that is patched."""
    job_id = _job(story)
    path = f"/v1/jobs/{job_id}/trigger"
    run = story.send("POST", path, _FIRST, Idempotency_Key="one").body["run_id"]
    like = {"like_run_id": run, "payload_patch": {"page": 7}}
    _repeat(story, job_id, partial(story.send, "POST", path, like, Idempotency_Key="two"))
    return job_id


def _begin_batch(story: Story) -> str:
    """Repeat two runs in one request, one of them with a payload instead of its own."""
    job_id = _job(story)
    path = f"/v1/jobs/{job_id}/trigger/batch"
    runs = send_whole(story, path, {"triggers": [_FIRST, _SECOND]}, "one")
    first, second = (each["run_id"] for each in runs.body["items"])
    like = [{"like_run_id": first}, {"like_run_id": second, "payload": {"page": 7}}]
    _repeat(story, job_id, partial(send_whole, story, path, {"triggers": like}, "two"))
    return job_id


def _job(story: Story) -> str:
    """A job that runs by itself in a year."""
    return story.create(schedule={"kind": "delay", "delay_seconds": 31_536_000})


def _repeat(story: Story, job_id: str, trigger: Callable[[], object]) -> None:
    """Trigger again once the first runs have ended, and delete the job after the others."""

    def repeat() -> None:
        trigger()
        story.once_ended(partial(story.send, "DELETE", f"/v1/jobs/{job_id}"))

    story.once_ended(repeat)


def _ran_again(payloads: tuple[object, ...], story: Story, job_id: str) -> None:
    """Each repeated run is one more, with its payload, and the runs of before stay as they were."""
    ends = story.ends(job_id)
    assert len({row.run for row in story.rows}) == len(payloads), ends
    assert ends.count(("succeeded", None)) == len(payloads), ends
    by_run = {effect.run: effect.payload for effect in story.effects}
    assert sorted(map(str, by_run.values())) == sorted(map(str, payloads))
    tagged = {row.run for row in story.rows if "tags" in row.item.get("terms", {}).get("M", {})}
    assert len(tagged) == 2, "the tags of the first run are those of its repetition"
    story.assert_called()


_OWN, _PATCHED = _FIRST["payload"], {"page": 7, "text": _LARGE}

REPEATED = (
    Flow("repeat a run", _begin, partial(_ran_again, (_OWN, _PATCHED)), request=_REPEATS, most=8),
    Flow(
        "repeat runs in a batch",
        _begin_batch,
        partial(_ran_again, (_OWN, {"page": 2}, _OWN, {"page": 7})),
        request=_REPEATS,
        most=8,
    ),
)
