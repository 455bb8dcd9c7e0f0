"""Callbacks, slots, rate limits and conditions of one job together: none undoes another."""

from typing import Any

from tests.support.api import Api
from tests.support.targets.calling_back import WEB_HOOK, run_of, say
from timegate.domain.execution.call import Call
from timegate.domain.jobs.retry import Failure, FailureKind

ASK = "https://ask.example.com/may-it"
RESTRAINED: dict[str, Any] = {
    "name": "restrained",
    "schedule": {"kind": "rate", "every_seconds": 86_400},
    "action": WEB_HOOK | {"heartbeat_seconds": 300},
    "before": {"type": "http", "url": ASK, "every_seconds": 30},
    "rate_limit": {"per_minute": 1},
    "overlap": {"policy": "queue", "max_concurrent": 1},
    "timeout_seconds": 3600,
}
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")


def pass_seconds(api: Api, count: int) -> None:
    """All functions at work, ten seconds at a time."""
    for _ in range(count // 10):
        api.world.clock.advance(10)
        api.world.sweep()
        api.world.settle()


def begun(api: Api) -> list[Call]:
    """The calls of runs, without the questions before."""
    return [call for call in api.world.target.calls if call.purpose is None]


def asked(api: Api) -> list[Call]:
    """The questions."""
    return [call for call in api.world.target.calls if call.purpose == "before"]


def test_a_run_outside_keeps_its_slot_and_the_next_is_asked_about_again(api: Api) -> None:
    """The first run may not begin yet and holds up no other; it begins after the second."""
    job_id = api.create(**RESTRAINED)["job_id"]
    api.world.target.then(BUSY)
    for _ in range(2):
        api.send("POST", f"/v1/jobs/{job_id}/trigger")
        api.world.clock.advance(1)
    api.world.settle()
    at_first = len(begun(api))
    pass_seconds(api, 60)
    (first,) = begun(api)
    held = run_of(api, first)["state"]
    pass_seconds(api, 120)
    meanwhile = len(begun(api))
    say(api, "complete", first)
    pass_seconds(api, 120)
    calls = begun(api)
    second = calls[-1]
    say(api, "complete", second)
    states = [run_of(api, call)["state"] for call in calls]

    assert (at_first, held, meanwhile) == (1, "running", 1)
    assert (len(calls), states) == (2, ["succeeded", "succeeded"])
    assert len(asked(api)) >= 3
    assert second.attempt.run != first.attempt.run


def test_a_silent_target_gives_its_slot_back_and_its_run_is_begun_anew(
    api: Api,
) -> None:
    """The old token then speaks for nothing, and the run ends once."""
    job_id = api.create(**RESTRAINED)["job_id"]
    api.send("POST", f"/v1/jobs/{job_id}/trigger")
    api.world.settle()
    (first,) = begun(api)
    pass_seconds(api, 600)
    first_again, second = begun(api)
    late = say(api, "complete", first)
    done = say(api, "complete", second)

    assert first_again is first
    assert second.attempt.run == first.attempt.run
    assert second.fence > first.fence or second.attempt.number > first.attempt.number
    assert (late.code, done.status) == ("lease_lost", 200)
    assert run_of(api, second)["state"] == "succeeded"
