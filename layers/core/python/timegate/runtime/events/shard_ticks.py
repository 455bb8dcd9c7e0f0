"""A tick's event in: which shards it names, and how many of them fit into its time."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.dispatch.shards import OpenShards, ShardTurn
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.dispatch.setbacks import Setbacks
from timegate.usecases.planning.plan_shard import SHARD_LEASE

Served = TypeVar("Served")
_NEEDED_MS = SHARD_LEASE.total_seconds() * 1000


def turns_of(
    event: dict[str, Any],
    context: LambdaContext,
    shards: OpenShards | None,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> Iterator[ShardTurn]:
    """The shards to look after, one by one, as long as there is time for another one.

    ``event``: ``{"shards": [0, 1], "of": 8}``; see ``OpenShards.turns``.
    """
    turns = named_turns(event, shards, now=now)
    for served, turn in enumerate(turns):
        if served and context.get_remaining_time_in_millis() < _NEEDED_MS:
            telemetry.count(service_metrics.SHARDS_LEFT, len(turns) - served)
            telemetry.event(service_events.SHARDS_LEFT, count=len(turns) - served, first=turn.shard)
            return
        yield turn


def serve_each(
    serve: Callable[[ShardTurn], Served],
    event: dict[str, Any],
    context: LambdaContext,
    shards: OpenShards | None,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> list[Served]:
    """Serve each shard in turn, as ``turns_of`` names them, whatever became of those before it.

    Raises the first error once all have been served.
    """
    served, setbacks = list[Served](), Setbacks()
    for turn in turns_of(event, context, shards, telemetry, now=now):
        with setbacks.apart():
            served.append(serve(turn))
    setbacks.raise_first()
    return served


def named_turns(
    event: dict[str, Any], shards: OpenShards | None, *, now: datetime
) -> tuple[ShardTurn, ...]:
    """Return every open shard that the event names, however much time there is."""
    of = event.get("of")
    named = [int(shard) for shard in event["shards"]]
    return shards.turns(named, int(of) if of else None, at=now) if shards is not None else ()
