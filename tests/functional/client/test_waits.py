"""Waits for runs through outages: what passes by itself ends none, whichever client waits."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from tests.functional.cli.fake_api import API_URL, FakeApi, placeholder, refusal
from timegate.client import AsyncTimegateClient, NotReachable, RunNotEnded, TimegateClient
from timegate.client.access.profile import FixedToken, Profile
from timegate.client.errors import NotFound, ServiceFailed
from timegate.client.retries import Retries

PROFILE = Profile(api_url=API_URL, credentials=FixedToken(token="mine"))
#: Each look is one request.
ONCE = Retries(max_attempts=1)
LOST = httpx.ConnectError("the network is away")

#: Waits for the run ``r`` by a clock that goes on with each pause; returns the run's state.
Wait = Callable[..., str]


class Clock:
    """Time that passes in pauses alone."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    async def rest(self, seconds: float) -> None:
        self.sleep(seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sync", "async"])
def wait(request: pytest.FixtureRequest, api: FakeApi, clock: Clock) -> Wait:
    def waits(timeout_seconds: float | None = None) -> str:
        with TimegateClient(
            PROFILE, transport=api.transport, retries=ONCE, sleep=clock.sleep
        ) as client:
            client.sender = replace(client.sender, clock=lambda: clock.now)
            return client.wait_for_run("r", timeout_seconds=timeout_seconds)["state"]

    async def awaits(timeout_seconds: float | None = None) -> str:
        async with AsyncTimegateClient(
            PROFILE, transport=api.transport, retries=ONCE, sleep=clock.rest
        ) as client:
            client.sender = replace(client.sender, clock=lambda: clock.now)
            return (await client.wait_for_run("r", timeout_seconds=timeout_seconds))["state"]

    if request.param == "sync":
        return waits
    return lambda timeout_seconds=None: asyncio.run(awaits(timeout_seconds))


def run(state: str, **fields: object) -> httpx.Response:
    return placeholder({"run_id": "r", "state": state, **fields})


def test_an_outage_ends_no_wait(api: FakeApi, wait: Wait) -> None:
    """A network that is away, a deployment, a limit: each is one look that told nothing."""
    api.will(
        run("running"),
        LOST,
        httpx.ReadTimeout("no answer"),
        refusal(503, "unavailable"),
        refusal(429, "too_many_requests"),
        run("succeeded"),
    )

    assert wait() == "succeeded"


def test_a_limit_is_given_the_time_that_it_asks_for(api: FakeApi, wait: Wait, clock: Clock) -> None:
    limited = refusal(429, "too_many_requests", **{"Retry-After": "20"})
    api.will(run("running"), limited, run("succeeded"))

    assert wait() == "succeeded"
    assert clock.pauses == [0.5, 20]


def test_an_outage_of_more_than_five_minutes_is_told(
    api: FakeApi, wait: Wait, clock: Clock
) -> None:
    """Counted from the last answer."""
    api.will(*[run("running")] * 70, LOST)

    with pytest.raises(NotReachable):
        wait()

    assert 299 < clock.now - sum(clock.pauses[:69]) <= 305


@pytest.mark.parametrize(
    ("answer", "error"),
    [(LOST, NotReachable), (refusal(503, "unavailable"), ServiceFailed)],
    ids=["no network", "no service"],
)
def test_a_stage_that_never_answered_is_not_waited_for(
    api: FakeApi, wait: Wait, clock: Clock, answer: httpx.Response | Exception, error: type
) -> None:
    """Its address may be wrong."""
    api.will(answer)

    with pytest.raises(error):
        wait()
    assert clock.pauses == []


def test_what_another_look_would_not_help_is_told_at_once(api: FakeApi, wait: Wait) -> None:
    api.will(run("running"), refusal(404, "run_not_found"))

    with pytest.raises(NotFound):
        wait()


def test_the_time_is_up_during_an_outage_as_well(api: FakeApi, wait: Wait, clock: Clock) -> None:
    api.will(run("running"), LOST)

    with pytest.raises(RunNotEnded):
        wait(30)
    assert clock.now == 30


def test_runs_that_stand_for_one_another_are_looked_at_with_pauses(
    api: FakeApi, wait: Wait, clock: Clock
) -> None:
    """No stage says so; one that did would be asked without end."""
    collapsed = [
        run("skipped", reason="collapsed", collapse={"into": other}) for other in ("s", "r")
    ]
    api.will(*collapsed * 20, run("succeeded"))

    assert wait() == "succeeded"
    assert sum(pause > 0 for pause in clock.pauses) >= 38
