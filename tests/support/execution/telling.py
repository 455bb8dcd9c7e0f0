"""Jobs that have their runs told, and what was told of them."""

import json
from typing import Any

from tests.support.factories import after, attempt_factory
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.execution.call import Call
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin

ALERTS = "https://alerts.example.com/timegate"
LEDGER = "https://ledger.example.com/runs"


def hook(*on: Occasion, url: str = ALERTS) -> Subscription:
    """An address that is told on these occasions."""
    return Subscription(channel=WebhookChannel(url=url), on=on)


def telling(
    world: World,
    *hooks: Subscription,
    due: float = 0,
    **fields: Any,  # noqa: ANN401
) -> tuple[Job, Attempt]:
    """A job with these hooks, and a run of it that is due."""
    job = world.add_job(notifications=hooks, next_run_at=after(3600), **fields)
    attempt = attempt_factory(due_at=after(due), offer=job.timing.offer)
    world.runs.insert_all([attempt])
    return job, attempt


def is_notice(attempt: Attempt) -> bool:
    """Tell if the attempt is a notification's."""
    return attempt.id.run.origin is Origin.NOTIFICATION


def notices(world: World) -> list[Attempt]:
    """Everything that tells of a run, in order."""
    return [attempt for attempt in world.attempts() if is_notice(attempt)]


def told(world: World, url: str = ALERTS) -> list[Call]:
    """The calls that an address had."""
    calls = world.target.calls
    return [c for c in calls if isinstance(c.action, WebhookAction) and c.action.url == url]


def documents(world: World, url: str = ALERTS) -> list[Any]:
    """Return the bodies that an address was sent."""
    return [json.loads(call.payload or "null") for call in told(world, url)]


def run_all(world: World, *, for_hours: int = 0) -> None:
    """Everything that is due runs; then, for so long, what becomes due."""
    world.stream()
    world.settle()
    for _ in range(4 * for_hours):
        world.clock.advance(900)
        world.sweep()
        world.settle()
