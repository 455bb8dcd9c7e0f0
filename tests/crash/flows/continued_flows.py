"""Runs that go on: in slices, by workers who come for them, and after they were given up."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.crash.judges.checker import instant
from tests.crash.services.targets import ARN, Effect
from tests.crash.story import Flow, Story
from tests.support.api import Answer

POOL = "reports"
#: A worker that finds nothing to do comes again after this, and so often.
_COMES_AGAIN_SECONDS = 25
_COMES = 14
#: A freeze outlasts the lease of a worker (60 s) that is silent for longer than that.
_FROZEN_AT, _SILENT_SECONDS, _THAWS_AT = 10, 140, 200

_RETRY = {"backoff": "fixed", "jitter": False, "breaker": None, "initial_delay_seconds": 1}


def _begin_sliced(story: Story) -> str:
    long_run = {"max_duration_seconds": 3600, "max_slices": 10}
    return story.create(function="slices-3", long_run=long_run)


def _only_what_follows_a_checkpoint_is_repeated(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id, calls=3)
    parts = [effect.checkpoint["part"] if effect.checkpoint else 0 for effect in story.effects]
    late = story.stalled
    on_time = [p for p, e in zip(parts, story.effects, strict=True) if e.process not in late]
    assert set(parts) == {0, 1, 2}
    assert on_time == sorted(on_time)
    assert len(parts) <= 3 + len(story.faults)


def _begin_redriven(story: Story) -> str:
    """Given up after two tries; a person corrects its payload, and the third succeeds."""
    job_id = story.create(
        function="picky", retry=_RETRY | {"max_attempts": 2}, payload={"to": "bob"}
    )
    story.cloud.at(30, partial(_redrive, story, f"/v1/dead-letters/{job_id}", "dead_lettered"))
    return job_id


def _begin_redriven_failure(story: Story) -> str:
    """No retry can cure it, and it is no dead letter; a person corrects its payload."""
    job_id = story.create(
        function="picky",
        retry=_RETRY | {"give_up_on": ["function_error"]},
        payload={"to": "bob"},
    )
    story.cloud.at(30, partial(_redrive, story, f"/v1/runs/{job_id}", "failed"))
    return job_id


def _begin_failures(story: Story) -> tuple[str, str]:
    """Two jobs whose target fails once; an operator tries all that failed again, as one."""
    retry = _RETRY | {"give_up_on": ["function_error"]}
    first, second = (story.create(name, function="fails-1", retry=retry) for name in "ab")
    story.cloud.at(30, partial(_redrive_all, story))
    return first, second


def _redrive_all(story: Story) -> None:
    """The operator looks again until no run waits or works."""
    last = {(row.key[0], row.run): row.state for row in story.rows}
    if len(story.rows) < 2 or not {"waiting", "queued", "running"}.isdisjoint(last.values()):
        story.cloud.at(30, partial(_redrive_all, story))
        return
    story.send("POST", "/v1/runs/redrive", {"filter": {"all": True}}, Idempotency_Key="again")


def _all_succeed(story: Story, jobs: tuple[str, str]) -> None:
    """None was tried again that had succeeded."""
    for job_id in jobs:
        ends = story.ends(job_id)
        assert ends[-1] == ("succeeded", None), ends
        assert ends.count(("succeeded", None)) == 1, ends
        assert story.faults or ends[0] == ("failed", "permanent"), ends


def _redrive(story: Story, path: str, state: str) -> None:
    """He looks again and again until it has ended so, and stops when that is settled."""
    last = story.rows[-1]
    if last.state != state:
        story.cloud.at(30, partial(_redrive, story, path, state))
        return
    instant, origin, _ = last.key[1].split("#")
    body = {"payload": {"to": "ann"}, "note": "typo"}
    run = f"{path}.{origin}{instant}"
    answered = story.cloud.request(story.tenant, "POST", f"{run}/redrive", body)
    # The others: an earlier request had been heard, and not answered.
    heard = {"not_dead_lettered", "not_redrivable", "run_unfinished"}
    assert answered.status == 202 or answered.code in heard


def _succeeds_when_redriven(story: Story, job_id: str, end: tuple[str, str]) -> None:
    ends = story.ends(job_id)
    ended = ends.index(end)
    assert ends[-1] == ("succeeded", None)
    assert {reason for _, reason in ends[ended + 1 : -1]} <= {"retried"}
    assert story.status(job_id) == "completed"
    assert story.effects[-1].payload == {"to": "ann"}


def _begin_fetched(story: Story) -> str:
    """No target is called: a worker comes, works for 45 seconds, and says how it ended."""
    job_id = story.create(
        action={"type": "worker", "pool": POOL, "handler": "sales"}, timeout_seconds=600
    )
    story.cloud.at(5, partial(come, story, 1, work))
    return job_id


Works = Callable[[Story, dict[str, Any]], None]


def come(story: Story, times: int, works: Works) -> None:
    """Claim, if there is anything; and come again, in case it was lost."""
    if times < _COMES and not all(row.state == "succeeded" for row in story.rows):
        story.cloud.at(_COMES_AGAIN_SECONDS, partial(come, story, times + 1, works))
    claimed = say(story, f"/v1/pools/{POOL}/claim", {"worker": f"host-{times}", "max": 1})
    for run in claimed.body["runs"]:
        story.effects.append(
            Effect(
                run=run["run_id"],
                attempt=run["attempt"],
                fence=run["fence"],
                at=story.cloud.now,
                payload=run["payload"],
                checkpoint=run["last_checkpoint"],
                process=0,
            )
        )
        works(story, run)


def work(story: Story, run: dict[str, Any]) -> None:
    """Two heartbeats, and then an end."""
    path, token = f"/v1/runs/{run['run_id']}", run["lease_token"]
    beat = {"lease_token": token, "checkpoint": {"regions": run["fence"]}}
    for seconds in (20, 40):
        story.cloud.at(seconds, partial(say, story, f"{path}/heartbeat", beat))
    story.cloud.at(45, partial(_complete, story, run))


def _complete(story: Story, run: dict[str, Any]) -> None:
    end = {"lease_token": run["lease_token"], "result": {"rows": 12}}
    say(story, f"/v1/runs/{run['run_id']}/complete", end)


def _begin_frozen_fetched(story: Story) -> str:
    """A worker has the run when a freeze begins, and says for minutes nothing but its end."""

    def freeze() -> None:
        body = {"scope": {"kind": "tenant"}, "ends_at": story.instant(_THAWS_AT)}
        story.send("POST", "/v1/freezes", body)

    job_id = story.create(
        action={"type": "worker", "pool": POOL, "handler": "sales"}, timeout_seconds=60
    )
    story.cloud.at(5, partial(come, story, 1, _work_silently))
    story.cloud.at(_FROZEN_AT, freeze)
    return job_id


def _work_silently(story: Story, run: dict[str, Any]) -> None:
    """Stay silent before the freeze; a worker that takes over reports as usual."""
    if story.cloud.now < story.at(_FROZEN_AT):
        story.cloud.at(_SILENT_SECONDS, partial(_complete, story, run))
    else:
        work(story, run)


def _was_left_to_its_holder(story: Story, job_id: str) -> None:
    """No other worker was given it: what its holder said counts, after lease and timeout."""
    _was_fetched_and_completed(story, job_id)
    if not story.faults:
        (effect,) = story.effects
        (row,) = story.rows
        assert (effect.fence, row.fence) == (1, 1)
        assert instant(str(row.text("ended_at"))) < story.at(_THAWS_AT)


def say(story: Story, path: str, body: object) -> Answer:
    """A worker's request; it is told when its lease is lost, and then stops."""
    answered = story.cloud.request(story.tenant, "POST", path, body, function="workers")
    assert answered.status == 200 or answered.code == "lease_lost", answered.body
    return answered


def _begin_accepted(story: Story) -> str:
    """The function takes its run, works for 45 seconds, and calls back."""
    story.cloud.region.function.accept = partial(_work_on, story)
    action = {"type": "lambda", "function_arn": f"{ARN}accepts", "invocation": "callback"}
    return story.create(action=action, timeout_seconds=600)


def _work_on(story: Story, told: dict[str, Any]) -> None:
    """Two heartbeats and an end; a worker that hears of its lost lease says nothing that counts."""
    path, token = f"/v1/callbacks/{told['run_id']}", told["callback"]["token"]
    beat = {"lease_token": token, "checkpoint": {"regions": told["fence"]}}
    end = {"lease_token": token, "result": {"rows": 12}}
    for seconds in (20, 40):
        story.cloud.at(seconds, partial(say, story, f"{path}/heartbeat", beat))
    story.cloud.at(45, partial(say, story, f"{path}/complete", end))


def _was_called_and_completed(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id)
    story.cloud.region.function.accept = lambda _: None


def _was_fetched_and_completed(story: Story, job_id: str) -> None:
    ends = story.ends(job_id)
    assert ends[-1] == ("succeeded", None)
    assert story.status(job_id) == "completed"
    assert 1 <= len(story.effects) <= 1 + len(story.faults)


CONTINUED = (
    Flow("slices", _begin_sliced, _only_what_follows_a_checkpoint_is_repeated),
    Flow(
        "redrive",
        _begin_redriven,
        partial(_succeeds_when_redriven, end=("dead_lettered", "retries_exhausted")),
    ),
    Flow(
        "redrive of a failure",
        _begin_redriven_failure,
        partial(_succeeds_when_redriven, end=("failed", "permanent")),
    ),
    Flow("redrive of failures", _begin_failures, _all_succeed, function="operations", most=8),
    Flow("detached complete", _begin_fetched, _was_fetched_and_completed),
    Flow("detached, frozen", _begin_frozen_fetched, _was_left_to_its_holder),
    Flow("called back", _begin_accepted, _was_called_and_completed),
)
