"""An attempt, ready to be executed."""

from typing import Any

from tests.support.factories import after, attempt_factory
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt
from timegate.usecases.services.execution_services import Delivery

MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


def prepare(world: World, attempt: Attempt | None = None, **fields: Any) -> Delivery:  # noqa: ANN401 - as the factory takes them
    """Store a job and an attempt at it; the message that names it."""
    attempt = attempt or attempt_factory()
    world.add_job(**({"anchored_at": after(-3600), "schedule": MINUTELY} | fields))
    world.runs.insert_all([attempt])
    return delivery(RunMessage.of(attempt))


def only(world: World) -> Attempt:
    """The one attempt there is."""
    (attempt,) = world.attempts()
    return attempt
