"""Runs of jobs that call one host six times a minute at most."""

from typing import Any

from tests.support.execution.overlapping import due
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import Overlap
from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.runs.run import Attempt

SIX_A_MINUTE = RateLimit(calls=6, per=RatePeriod.MINUTE)
ANY = Overlap()


def job(world: World, name: str, *, at: float = 0, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run that is due, of a job that calls the tests' host six times a minute at most."""
    settings: dict[str, Any] = {"overlap": ANY, "rate_limit": SIX_A_MINUTE} | fields
    return due(world, name, settings.pop("overlap"), at=at, **settings)


def receive(world: World, *attempts: Attempt, **changes: Any) -> set[str]:  # noqa: ANN401
    """One worker receives their messages together."""
    messages = [delivery(RunMessage.of(each), number) for number, each in enumerate(attempts)]
    return world.execute(messages, **changes)
