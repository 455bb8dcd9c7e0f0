"""Wiring of the planner."""

from dataclasses import replace

from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.runs.announced_plans import DynamoAnnouncedPlans
from timegate.adapters.system_clock import SystemClock
from timegate.runtime.environment import environment
from timegate.runtime.settings import PlanningSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import owed_look
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.scheduling import scheduling
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannerServices:
    """Services of the planner."""

    scheduling: Scheduling
    cursors: DynamoCursorStore
    shards: DynamoShardStore
    #: How many shards this planner opens.
    wanted_shards: int
    clock: SystemClock
    telemetry: LambdaTelemetry


def planner_services() -> PlannerServices:
    """Build the planner; raises ``MissingSetting``."""
    settings = PlanningSettings.read(environment())
    telemetry, engine = LambdaTelemetry(), dynamo_engine()
    records = StoreMaker.opening(settings.tables, engine)
    announced_plans = DynamoAnnouncedPlans(
        engine,
        table=settings.tables.runs,
        jobs_table=settings.tables.jobs,
        shards=records.spread,
        retention_days=settings.tables.run_retention_days,
    )
    return PlannerServices(
        scheduling=replace(
            scheduling(settings, records, telemetry), announced_plans=announced_plans
        ),
        cursors=DynamoCursorStore(engine, table=settings.tables.jobs, owed_look=owed_look),
        shards=DynamoShardStore(engine, table=settings.tables.jobs),
        wanted_shards=settings.tables.shards,
        clock=SystemClock(),
        telemetry=telemetry,
    )
