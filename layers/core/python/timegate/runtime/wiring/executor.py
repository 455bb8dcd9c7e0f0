"""Wiring of an executor."""

from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from functools import cache
from random import random
from secrets import token_hex
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.threaded_call_runner import ThreadedCallRunner
from timegate.domain.jobs.demands import MAX_TIMEOUT_SECONDS, ResourceClass
from timegate.domain.pools.lease_token import LEASE_KEY_BYTES
from timegate.domain.runs.gate import HOLD_LIMIT, gathers_until
from timegate.domain.runs.run import Attempt
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.events.queue_records import read_deliveries
from timegate.runtime.settings import ExecutorSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.termination import Termination
from timegate.runtime.wiring import begins_until, lost_until
from timegate.runtime.wiring.parts.dynamo_engine import unfenced_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.targets import target_call_runner
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.durations_at_hand import DurationsAtHand
from timegate.usecases.services.execution_services import (
    Claimed,
    Delivery,
    Execution,
    MessageSource,
)
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.usecases.dag_runs.dag_run_services import DagWorks
    from timegate.usecases.services.dag_start_services import Starting

#: So long before its end an invocation lets go of what still works: time for a few writes.
LETTING_GO = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutorServices:
    """Services that an executor keeps between invocations."""

    runs: DynamoRunStore
    slots: DynamoSlotStore
    rates: DynamoRateStore
    calendars: CalendarsAtHand
    blobs: S3BlobStore
    starting: "Callable[[], Starting]"
    inbox: SqsInbox
    call_runner: ThreadedCallRunner
    clock: SystemClock
    telemetry: LambdaTelemetry
    queue_key: str
    runs_at_once: int
    lease_length: timedelta
    visibility: timedelta
    termination: Termination
    #: A fresh secret.
    new_lease_key: Callable[[], str] = lambda: token_hex(LEASE_KEY_BYTES)
    console_url: str
    next_task: Callable[[Attempt, Execution, datetime], Claimed | None]
    durations: DurationsAtHand = field(default_factory=DurationsAtHand)

    def execution(self, *, owner: str, remaining_ms: int) -> Execution:
        """One invocation, received now, that has so long to live."""
        now = self.clock.now()
        stops_at = now + timedelta(milliseconds=remaining_ms) - LETTING_GO
        return Execution(
            runs=self.runs,
            slots=self.slots,
            rates=self.rates,
            calendars=self.calendars,
            blobs=self.blobs,
            starting=self.starting,
            inbox=self.inbox,
            call_runner=self.call_runner,
            clock=self.clock,
            telemetry=self.telemetry,
            owner=owner,
            lease_length=self.lease_length,
            visibility=self.visibility,
            new_lease_key=self.new_lease_key,
            durations=self.durations,
            console_url=self.console_url,
            received_at=now,
            stops_at=stops_at,
            begins_until=begins_until,
            source=self._source(now, stops_at - longest_run(self.queue_key)),
            next_task=self.next_task,
        )

    def _source(self, now: datetime, latest: datetime) -> MessageSource | None:
        """Build the source of further messages; ``None`` where the stage wants none."""
        if self.runs_at_once == 0:
            return None
        until = gathers_until(now, latest, random())  # noqa: S311 - spreads load, keeps no secret
        return MessageSource(receive=self._receive, most_runs=self.runs_at_once, until=until)

    def _receive(self, limit: int, hidden_seconds: int) -> Sequence[Delivery]:
        """Take messages from the queue; those that cannot be read go on to the dead letters."""
        event = self.inbox.receive(limit, hidden_seconds)
        read = read_deliveries(event, self.queue_key, self.telemetry)
        self.inbox.hide([each.receipt for each in read.malformed], seconds=0)
        return read.deliveries


def longest_run(queue_key: str) -> timedelta:
    """Return the longest time from a message of a queue to the end of its run."""
    _, _, resource_class = queue_key.rpartition("-")
    return HOLD_LIMIT + timedelta(seconds=MAX_TIMEOUT_SECONDS[ResourceClass(resource_class)])


def executor_services() -> ExecutorServices:
    """Build an executor; raises ``MissingSetting``."""
    variables = environment()
    settings = ExecutorSettings.read(variables)
    clock, telemetry, engine = SystemClock(), LambdaTelemetry(), unfenced_engine()
    records, jobs_table = StoreMaker.obedient(settings.tables, engine), settings.tables.jobs
    call_runner = target_call_runner(
        settings.targets,
        clock,
        api_url=settings.api_url,
        role_arn=settings.targets_role_arn,
        trace_percent=variables.percent("TRACE_PERCENT"),
    )
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    restrictions = records.plain(DynamoRestrictionStore)
    return ExecutorServices(
        runs=records.runs(),
        slots=DynamoSlotStore(engine, table=jobs_table),
        rates=DynamoRateStore(engine, table=jobs_table),
        calendars=CalendarsAtHand(restrictions, telemetry, lost_until=lost_until),
        blobs=blobs,
        starting=_starting(records, blobs, telemetry),
        inbox=SqsInbox(clients.sqs(), settings.queue_url, telemetry),
        call_runner=call_runner,
        clock=clock,
        telemetry=telemetry,
        queue_key=settings.queue_key,
        runs_at_once=settings.runs_at_once,
        lease_length=settings.lease_length,
        visibility=settings.visibility,
        termination=Termination(call_runner.close),
        console_url=settings.console_url,
        next_task=_next_task(settings, telemetry),
    )


def _starting(
    records: StoreMaker, blobs: S3BlobStore, telemetry: LambdaTelemetry
) -> "Callable[[], Starting]":
    """Load what starts DAG runs with the first job that is done by one: few jobs are."""

    @cache
    def starting() -> "Starting":
        from timegate.runtime.wiring.parts.dag_starting import (  # noqa: PLC0415 - as above
            dag_starting,
        )

        return dag_starting(records, blobs, telemetry)

    return starting


def _next_task(
    settings: ExecutorSettings, telemetry: LambdaTelemetry
) -> Callable[[Attempt, Execution, datetime], Claimed | None]:
    """Load what moves DAG runs on when the first task has ended: few runs are of tasks."""

    @cache
    def works() -> "DagWorks":
        from timegate.runtime.wiring.parts.executor_dag_works import (  # noqa: PLC0415 - as above
            executor_dag_works,
        )

        return executor_dag_works(settings, telemetry)

    def next_task(ended: Attempt, execution: Execution, until: datetime) -> Claimed | None:
        from timegate.usecases.execution.claims.claim_next_task import (  # noqa: PLC0415 - as above
            claim_next_task,
        )

        return claim_next_task(ended, execution, works(), until=until)

    return next_task
