"""A worker whose pool is paused says so once, and asks without waiting at the stage."""

import logging
from typing import Any, cast

import pytest

from tests.functional.worker.client import FakeClient, run_of
from timegate.client import TimegateClient
from timegate.worker.claiming import ClaimLoop

PAUSE = {"since": "2026-11-21T07:00:00.000Z", "until": None, "by": "ops", "reason": "Moving."}


class PausedStage(FakeClient):
    """A stage whose pool is paused until a test resumes it."""

    pause: dict[str, Any] | None = PAUSE

    def claim_runs(self, pool: str, **asked: Any) -> dict[str, Any]:  # noqa: ANN401 - of a claim
        """Hand out nothing while the pool is paused."""
        if self.pause is None:
            return super().claim_runs(pool, **asked)
        self.claims.append(asked)
        return {"runs": [], "ask_again_after_seconds": 4.5, "pause": self.pause}


def claims_of(stage: PausedStage, *handlers: str, seconds: float = 0) -> ClaimLoop:
    """Claims of one runner."""
    client = cast("TimegateClient", stage)
    return ClaimLoop(client, "p", "w", handlers, capacity=1, monotonic=lambda: seconds)


def test_a_pause_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """And its end; another pause is another one."""
    stage = PausedStage()
    loop = claims_of(stage, "x")
    with caplog.at_level(logging.WARNING, logger="timegate.worker"):
        for pause in (PAUSE, PAUSE, None, None, PAUSE):
            stage.pause = pause
            loop.next(limit=1)

    assert caplog.messages == ["pool_paused", "pool_resumed", "pool_paused"]
    told = cast("dict[str, Any]", vars(caplog.records[0])["fields"])
    assert told == {"pool": "p", **PAUSE}


def test_claims_do_not_wait_in_a_pause() -> None:
    """The worker keeps the pause that it is told, and waits for work again afterwards."""
    stage = PausedStage()
    loop = claims_of(stage, "x")
    pauses = [loop.next(limit=1)[1] for _ in range(2)]
    stage.pause = None
    pauses += [loop.next(limit=1)[1] for _ in range(2)]

    assert [each["wait_seconds"] for each in stage.claims] == [5, 0, 0, 5]
    assert pauses[:2] == [4.5, 4.5]


def test_a_worker_of_many_handlers_asks_no_more_often() -> None:
    """The pool is paused for all of them."""
    stage = PausedStage()
    loop = claims_of(stage, *(f"h{number}" for number in range(60)))
    loop.next(limit=1)

    assert loop.next(limit=1)[1] == 4.5


def test_a_busy_worker_does_not_take_the_pool_for_resumed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A claim of nothing is told of no pause."""
    stage = PausedStage()
    loop = claims_of(stage, "x")
    with caplog.at_level(logging.WARNING, logger="timegate.worker"):
        loop.next(limit=1)
        stage.pause = None
        loop.next(limit=0)

    assert caplog.messages == ["pool_paused"]


def test_what_comes_after_a_pause_is_worked_on() -> None:
    """The claim that ends the pause may have runs already."""
    stage = PausedStage(runs=[run_of("x")])
    loop = claims_of(stage, "x")
    before, _ = loop.next(limit=1)
    stage.pause = None
    after, _ = loop.next(limit=1)

    assert (len(before), len(after)) == (0, 1)
