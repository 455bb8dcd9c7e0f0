"""Steps of the flows whose cost is stated: executors at work, readers of streams, and requests."""

import importlib
import os
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from bench.cost.meter import MESSAGES, TARGET_SECONDS, Meter
from tests.support.api import VARIABLES, Api
from tests.support.tenants.asked import asking
from tests.support.world import delivery, relay_sees
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.runs.watch import awaits_outcomes
from timegate.ports.dispatch.messaging import Delayed
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.execution.claims.claim_next_task import claim_next_task

#: Records of a stream's batch.
_RECORDS = 100


def executed(
    meter: Meter,
    on_their_way: list[Delayed],
    *,
    target_seconds: float = TARGET_SECONDS,
    in_place: DagWorks | None = None,
    rows: int = 1,
) -> list[Delayed]:
    """Let the relay send, and executors work on what is due; the messages that are not due yet.

    ``in_place``: services of executors that go on with lines of so many tasks (``rows``).
    """
    own: dict[str, Any] = {}
    if in_place is not None:
        own["next_task"] = lambda ended, here, until: claim_next_task(
            ended, here, in_place, until=until
        )
    streamed(meter)
    on_their_way += meter.world.publisher.sent
    meter.world.publisher.sent = []
    now = meter.world.clock.now()
    due = [each for each in on_their_way if each.message.due_at <= now]
    for begin in range(0, len(due), MESSAGES):
        batch = [delivery(each, n) for n, each in enumerate(due[begin : begin + MESSAGES])]
        meter.received()
        with meter.invoked("executor", items=len(batch) * rows, seconds=target_seconds):
            meter.world.execute(batch, **own)
    streamed(meter)
    return [each for each in on_their_way if each not in due]


def streamed(meter: Meter) -> None:
    """Bill relay and outcomes for the records that their filters let pass."""
    new = meter.world.tables.images[meter.world.read_images :]
    relayed = sum(map(relay_sees, new))
    ended = sum(awaits_outcomes(image.after) for image in new)
    sent = len(meter.world.publisher.sent)
    invocations = -(-relayed // _RECORDS) + -(-ended // _RECORDS)
    if not invocations:
        meter.world.stream()
        return
    with meter.invoked("relay", items=relayed + ended, invocations=invocations):
        meter.world.stream()
    meter.sent(len(meter.world.publisher.sent) - sent)


def requested(meter: Meter, function: str, request: Callable[[], Any]) -> Any:  # noqa: ANN401 - as the request answers
    """Bill a request, and the function that answers it."""
    with meter.invoked(function, items=1):
        answer = request()
    meter.usage += BilledUsage(api_requests=1)
    return answer


def with_api() -> tuple[Meter, Api]:
    """Return a meter, and the API of its world."""
    with patch.dict(os.environ, VARIABLES):
        api, workers = (importlib.import_module(f"{name}.handler") for name in ("api", "workers"))
    meter = Meter()
    ask = asking(api, workers, meter.world)
    return meter, ask.api
