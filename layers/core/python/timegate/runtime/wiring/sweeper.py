"""Wiring of the sweeper."""

from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.pools.pool_store import DynamoPoolStore
from timegate.adapters.dynamo.tenants.rules.rule_looks import DynamoRuleLooks
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.look_queue import SqsLookQueue
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import SweeperSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import lost_until, owed_look
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.sweeping.sweeper_services import Sweeping
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SweeperServices:
    """Services of the sweeper."""

    sweeping: Sweeping
    looks: SqsLookQueue
    shards: DynamoShardStore
    clock: SystemClock
    telemetry: LambdaTelemetry


def sweeper_services() -> SweeperServices:
    """Build the sweeper; raises ``MissingSetting``."""
    settings, telemetry = SweeperSettings.read(environment()), LambdaTelemetry()
    tables, engine, sqs = settings.tables, dynamo_engine(), clients.sqs()
    records = StoreMaker.obedient(tables, engine)
    sweeping = Sweeping(
        runs=records.runs(),
        slots=DynamoSlotStore(engine, table=tables.jobs),
        cursors=DynamoCursorStore(engine, table=tables.jobs, owed_look=owed_look),
        operations=records.plain(DynamoOperationStore),
        rules=DynamoRuleLooks(engine, table=tables.jobs),
        dag_runs=records.sharded_runs(DynamoDagRunStore),
        backlog=SqsBacklog(sqs, settings.queue_urls, telemetry),
        pools=DynamoPoolStore(engine, jobs_table=tables.jobs, runs_table=tables.runs),
        telemetry=telemetry,
        lost_until=lost_until,
    )
    return SweeperServices(
        sweeping=sweeping,
        looks=SqsLookQueue(sqs, settings.looks_queue_url, telemetry),
        shards=DynamoShardStore(engine, table=tables.jobs),
        clock=SystemClock(),
        telemetry=telemetry,
    )
