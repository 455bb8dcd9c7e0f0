"""Targets that accept a run and say later how it ended: handed over, watched over, fenced."""

from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import BROKE
from tests.support.targets.calling_back import (
    FUNCTION,
    WEB_HOOK,
    WORDS,
    begin,
    called,
    run_of,
    say,
)
from timegate.adapters.memory.target import ACCEPTED
from timegate.domain.execution.call import Answer, Call
from timegate.domain.values.errors import Throttled


@pytest.mark.parametrize("action", [WEB_HOOK, FUNCTION], ids=["web hook", "function"])
def test_a_run_ends_as_its_target_says(api: Api, action: dict[str, str]) -> None:
    """Nothing of Timegate's waits meanwhile: its message is settled once it was accepted."""
    call = begin(api, action=action)
    held = run_of(api, call)["attempts"][0]
    api.world.clock.advance(50)
    answer = say(api, "complete", call, result={"rows": 12})
    run = run_of(api, call)

    assert (held["state"], held["handed_over_at"]) == ("running", "2026-11-21T07:00:00.000Z")
    assert answer.status == 200
    assert (run["state"], run["attempts"][0]["result"]) == ("succeeded", '{"rows":12}')
    assert (run["attempts"][0]["duration_ms"], len(api.world.target.calls)) == (50_000, 1)
    assert say(api, "complete", call, result={"rows": 12}).status == 200


def test_a_web_hook_may_answer_at_once_all_the_same(api: Api) -> None:
    """Any answer but 202 ends the run."""
    api.world.target.then(Answer(text="done"))
    api.create(schedule={"kind": "immediate"}, action=WEB_HOOK)
    call = called(api)

    assert run_of(api, call)["state"] == "succeeded"
    assert say(api, "complete", call).status == 200
    assert say(api, "heartbeat", call).code == "lease_lost"


@pytest.mark.parametrize("word", WORDS)
def test_a_silent_target_is_called_again_and_its_old_token_refused(api: Api, word: str) -> None:
    """Once its lease, which its job measures, is over; under a higher fence."""
    first = begin(api, action=WEB_HOOK | {"heartbeat_seconds": 300})
    api.world.clock.advance(304.999)
    api.world.sweep()
    api.world.settle()
    early = len(api.world.target.calls)
    api.world.clock.advance(0.001)
    api.world.sweep()
    second = called(api)
    refused = say(api, word, first, **WORDS[word])

    assert early == 1
    assert (first.fence, second.fence) == (1, 2)
    assert (refused.status, refused.code) == (409, "lease_lost")
    assert say(api, "complete", second).status == 200
    assert run_of(api, first)["state"] == "succeeded"


def test_heartbeats_hold_on_to_a_run(api: Api) -> None:
    """For as long as its job lets the target be silent, however long it works."""
    call = begin(api, action=FUNCTION | {"heartbeat_seconds": 120})
    for percent in range(1, 21):
        api.world.clock.advance(119)
        heard = say(api, "heartbeat", call, progress={"percent": percent})
        api.world.sweep()
        api.world.settle()

    assert heard.body == {
        "lease_expires_at": "2026-11-21T07:41:40.000Z",
        "cancel_requested": False,
    }
    assert run_of(api, call)["progress"]["percent"] == 20
    assert len(api.world.target.calls) == 1


def test_a_run_that_takes_too_long_is_stopped(api: Api) -> None:
    """Its timeout holds however faithfully its target speaks: it hears so, and stops."""
    call = begin(api, timeout_seconds=100, retry={"max_attempts": 1})
    api.world.clock.advance(59)
    alive = say(api, "heartbeat", call)
    api.world.clock.advance(41)
    over = say(api, "heartbeat", call)

    assert (alive.status, over.status, over.code) == (200, 409, "lease_lost")
    assert run_of(api, call)["error"]["code"] == "timeout"


def test_the_sweeper_stops_what_takes_too_long(api: Api) -> None:
    """The timeout bounds a target that may be silent for longer."""
    action = WEB_HOOK | {"heartbeat_seconds": 3600}
    call = begin(api, action=action, timeout_seconds=100, retry={"max_attempts": 1})
    api.world.clock.advance(110)
    api.world.sweep()

    assert run_of(api, call)["error"]["code"] == "timeout"


def test_a_target_hears_that_it_should_stop(api: Api) -> None:
    """At its next heartbeat; releasing the run then ends it."""
    call = begin(api)
    api.send("POST", f"/v1/runs/{call.attempt.run}/cancel")
    heard = say(api, "heartbeat", call)
    say(api, "release", call)

    assert heard.body["cancel_requested"] is True
    assert run_of(api, call)["state"] == "cancelled"


def test_a_run_that_is_released_begins_anew_at_once(api: Api) -> None:
    """At its last checkpoint, and nothing is held against it."""
    first = begin(api)
    say(api, "heartbeat", first, checkpoint={"rows": 7})
    say(api, "release", first)
    second = called(api)

    assert second.resume is not None
    assert (second.fence, second.attempt.number, second.resume.checkpoint) == (2, 1, '{"rows":7}')


def test_a_failure_is_tried_again_as_the_job_says(api: Api) -> None:
    """The target is called anew, with a token of its own."""
    first = begin(api, retry={"max_attempts": 2, "initial_delay_seconds": 1, "jitter": False})
    say(api, "fail", first, error=BROKE)
    api.world.clock.advance(1)
    second = called(api)

    assert (second.attempt.number, second.fence) == (2, 2)
    assert say(api, "complete", first).code == "lease_lost"
    assert say(api, "complete", second).status == 200


def test_what_may_happen_once_is_not_begun_again(api: Api) -> None:
    """No record tells how far a silent target came."""
    call = begin(api, delivery="at_most_once")
    api.world.clock.advance(90)
    api.world.sweep()
    api.world.settle()
    run = run_of(api, call)

    assert (run["state"], run["reason"]) == ("failed", "worker_died")
    assert len(api.world.target.calls) == 1


def test_the_answer_of_a_target_that_was_given_up_is_kept(api: Api) -> None:
    """Under exactly_once: the next target need not be."""
    first = begin(api, delivery="exactly_once")
    api.world.clock.advance(90)
    api.world.sweep()
    late = say(api, "complete", first, result="done")
    api.world.settle()

    assert (late.status, late.code) == (409, "lease_lost")
    assert run_of(api, first)["state"] == "succeeded"
    assert len(api.world.target.calls) == 1


def test_a_long_run_goes_on_in_slices(api: Api) -> None:
    """Each is a call of the target, told where to go on."""
    long_run = {"max_duration_seconds": 7200}
    first = begin(api, action=FUNCTION, timeout_seconds=600, long_run=long_run)
    answer = say(api, "continue", first, checkpoint={"row": 5})
    second = called(api)

    assert answer.status == 200
    assert second.resume is not None
    assert (second.fence, second.resume.slice, second.resume.checkpoint) == (2, 2, '{"row":5}')


def test_a_target_that_is_quicker_than_its_executor(api: Api) -> None:
    """It says that it is done before it was left the run: that is its end, and none is missing."""
    answers = []

    def quick(call: Call) -> Answer:
        answers.append(say(api, "complete", call, result="quick"))
        return ACCEPTED

    api.world.call_runner._target.invoke = quick  # type: ignore[method-assign]
    job_id = api.create(schedule={"kind": "immediate"}, action=FUNCTION)["job_id"]
    api.world.stream()
    unsettled = api.world.execute(api.world.receive())
    (run,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]

    assert [answer.status for answer in answers] == [200]
    assert unsettled == set()
    assert run["state"] == "succeeded"


@pytest.mark.parametrize("speaks", [True, False], ids=["the target is alive", "it is not"])
def test_an_executor_that_dies_between_call_and_hand_over(api: Api, *, speaks: bool) -> None:
    """Its message comes back: a target that speaks keeps its run, a silent one is called again."""

    api.create(schedule={"kind": "immediate"}, action=WEB_HOOK, timeout_seconds=600)
    api.world.stream()
    deliveries = api.world.receive()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api.world.runs, "hand_over", Mock(side_effect=Throttled("busy")))
        unsettled = api.world.execute(deliveries)
    (first,) = api.world.target.calls
    if speaks:
        say(api, "heartbeat", first)
    api.world.clock.advance(30 if speaks else 60)
    left = api.world.execute(deliveries)
    calls = api.world.target.calls

    assert len(unsettled) == 1
    assert left == set()
    assert [call.fence for call in calls] == ([1] if speaks else [1, 2])
    assert say(api, "complete", calls[-1]).status == 200
    assert say(api, "complete", first).status == (200 if speaks else 409)


def test_a_target_that_does_not_accept_in_time_has_failed(api: Api) -> None:
    """No executor waits for it longer than half a minute."""
    api.world.call_runner.takes = timedelta(seconds=30, milliseconds=1)
    late = begin_late(api)
    api.world.call_runner.takes = timedelta(seconds=30)
    timely = begin_late(api)

    assert run_of(api, late)["error"]["code"] == "not_accepted"
    assert run_of(api, timely)["state"] == "running"


def begin_late(api: Api) -> Call:
    """A run whose target takes its time; it is not tried again."""
    return begin(api, retry={"max_attempts": 1})


def test_a_held_slot_is_held_by_the_target(api: Api) -> None:
    """A run of a job without overlap waits for the end that the target reports."""
    first = begin(api, overlap={"policy": "queue"}, action=WEB_HOOK | {"heartbeat_seconds": 600})
    job_id = first.attempt.run.job_id
    api.world.clock.advance(300)
    api.send("POST", f"/v1/jobs/{job_id}/trigger")
    api.world.settle()
    waiting = len(api.world.target.calls)
    say(api, "heartbeat", first)
    say(api, "complete", first)
    second = called(api)

    assert waiting == 1
    assert second.attempt.run != first.attempt.run


@pytest.mark.parametrize("action", [WEB_HOOK, FUNCTION], ids=["web hook", "function"])
def test_a_long_run_that_crashes_half_way_repeats_what_followed_its_checkpoint(
    api: Api, action: dict[str, str]
) -> None:
    """Ten minutes in twenty parts, a checkpoint after each: the target dies in the eleventh."""
    done: list[tuple[int, int]] = []

    def work(call: Call, *, dies_in: int | None) -> None:
        resume = call.resume
        began = int(resume.checkpoint) if resume is not None and resume.checkpoint else 0
        for part in range(began, 20):
            done.append((part, call.fence))
            api.world.clock.advance(30)
            if part == dies_in:
                return
            assert say(api, "heartbeat", call, checkpoint=part + 1).status == 200
            api.world.sweep()
        say(api, "complete", call)

    first = begin(api, action=action, timeout_seconds=1200)
    work(first, dies_in=10)
    api.world.clock.advance(90)
    api.world.sweep()
    second = called(api)
    work(second, dies_in=None)

    assert done == [(part, 1) for part in range(11)] + [(part, 2) for part in range(10, 20)]
    assert run_of(api, first)["state"] == "succeeded"
