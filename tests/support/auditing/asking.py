"""Jobs whose runs a condition is asked about, and what was asked."""

from typing import Any

from tests.support.execution.telling import is_notice
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Call
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run import Attempt, RunState

ASK = "https://gate.example.com/may-begin"
CONDITION = Condition(url=ASK, every_seconds=60, give_up_after_seconds=300)


def refusal(status: int, kind: FailureKind = FailureKind.PERMANENT, **more: Any) -> Failure:  # noqa: ANN401
    """An answer that is no success."""
    return Failure(kind=kind, code=f"http_{status}", type="HttpStatus", message="no", **more)


NO = refusal(403)
BUSY = refusal(503, FailureKind.RETRYABLE)
SILENT = Failure(kind=FailureKind.TIMEOUT, code="timeout", type="TimedOut", message="no answer")


def asked(world: World) -> list[Call]:
    """The questions."""
    return [call for call in world.target.calls if call.purpose == "before"]


def worked(world: World) -> list[Call]:
    """The work."""
    return [call for call in world.target.calls if call.purpose is None]


def own(world: World) -> list[Attempt]:
    """Every attempt that is no notification."""
    return [attempt for attempt in world.attempts() if not is_notice(attempt)]


def pass_minutes(world: World, minutes: int) -> None:
    """Let minutes pass; each run that becomes due meanwhile is executed."""
    for _ in range(minutes):
        world.clock.advance(60)
        world.sweep()
        now = world.clock.now()
        for attempt in world.attempts():
            if attempt.state is RunState.QUEUED and attempt.due_at <= now and not attempt.offer:
                world.execute([delivery(RunMessage.of(attempt))])
        world.settle()
