"""DAGs with a task that waits for an event, and senders of events."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.support.api import api_services
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import ACME, task
from timegate.domain.dags.definition import Task
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import Event
from timegate.domain.values.tenant import TenantId
from timegate.usecases.events.deliver_events import EventDelivery, deliver_events
from timegate.usecases.services.api_services import ApiServices

TYPE = "order.paid"
ORDER = AwaitedEvent(type=TYPE, correlation='{"$ref":"parameters.order"}')
PARAMETERS = '{"order":"4711"}'


def payment(seconds: int | None = 600, event: AwaitedEvent = ORDER, **fields: Any) -> Task:  # noqa: ANN401
    """A task that waits for the payment of the run's order."""
    spec = WaitTask(kind=WaitKind.EVENT, seconds=seconds, event=event, **fields)
    return task("wait", spec=spec)


def paid(number: int = 1, **fields: Any) -> Event:  # noqa: ANN401 - fields of an event
    """A payment of that order."""
    known: dict[str, Any] = {
        "id": str(number),
        "source": "shop",
        "type": TYPE,
        "correlation": "4711",
        "attributes": '{"specversion":"1.0"}',
        "data": f'{{"amount":{number}}}',
    }
    return Event(**(known | fields))


def api_of(dag_world: DagWorld, **stores: Any) -> ApiServices:  # noqa: ANN401 - any store
    """Services of the API that deliver events in this world."""
    known = {"dags": dag_world.dags, "dag_runs": dag_world.dag_runs}
    return replace(api_services(dag_world.world), **(known | stores))


def send(
    dag_world: DagWorld,
    *events: Event,
    tenant: TenantId = ACME,
    at: datetime | None = None,
    follows: bool = True,
) -> list[EventDelivery]:
    """Send events, and let outcomes follow what they end."""
    now = at or dag_world.world.clock.now()
    delivered = deliver_events(tenant, events, api_of(dag_world), now=now)
    if follows:
        dag_world.follow()
    return [each for each in delivered if isinstance(each, EventDelivery)]
