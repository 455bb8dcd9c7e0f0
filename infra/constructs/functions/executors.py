"""The executors: one per run queue, the only functions that do users' work."""

from collections.abc import Mapping

from constructs import Construct

from infra.constructs.data.tables import SLOT_PARTITIONS
from infra.constructs.events.sources import QueueSource
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Alarm,
    Description,
    Given,
    TellMissing,
    allow,
    allow_partitions,
    always,
)
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.constructs.targeting.targets import AllowedTargets
from infra.constructs.targeting.targets_role import TargetsRole
from infra.metrics import (
    FILLED_LATE_MINUTES,
    function_metric,
    greatest,
    late_minutes,
    timegate_metric,
    total,
)
from infra.stage.settings import QueueKey, StageSettings
from timegate.ports.telemetry import run_metrics

#: Bound for a clock; its metric alone tells less apart from none.
_SKEW_MS = 1_000

#: Rights on records and objects for an executor; it claims and executes the runs of one queue.
_RIGHTS = (
    allow(["dynamodb:BatchGetItem"], places.jobs),
    # The slots of concurrency keys lie among the jobs, which no executor may change.
    allow_partitions(
        ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"], places.jobs, SLOT_PARTITIONS
    ),
    allow(
        [
            "dynamodb:BatchGetItem",
            # A DAG run that was started before.
            "dynamodb:GetItem",
            "dynamodb:PartiQLUpdate",
            "dynamodb:PutItem",
            # The recent runs of a job with a deadline.
            "dynamodb:Query",
            "dynamodb:UpdateItem",
        ],
        places.runs,
    ),
    allow(["s3:GetObject"], places.payloads),
    allow(["s3:PutObject"], places.results),
    allow(["s3:GetObject", "s3:PutObject"], places.checkpoints),
    TellMissing(prefixes=("payloads", "checkpoints")),
)


def executor(key: QueueKey, settings: StageSettings) -> Description:
    """Describe the executor of a queue."""
    limits = settings.classes[key.resource_class]
    return Description(
        name=f"executor-{key}",
        folder="executor",
        timeout_seconds=always(limits.timeout_seconds),
        memory_mb=limits.memory_mb,
        variables=(*TABLES, "BLOB_BUCKET", "STAGE_QUOTAS", "TRACE_PERCENT"),
        rights=_RIGHTS,
        alarms_on_failures=False,
        # Where the lane has objectives, their budget says it better.
        alarms=()
        if settings.alarms.objectives
        else (
            Alarm(
                name="start-lag",
                meaning="One run in a hundred leaves its queue later than its priority allows.",
                metric=run_metrics.QUEUE_LAG_MS,
                statistic="p99",
                threshold=always(settings.thresholds.start_lag_ms[key.priority]),
                periods=3,
                runbook=Runbook.LATE_RUNS,
            ),
        ),
    )


class Executor(SchedulerFunction):
    """Claims and executes the runs of one queue; reaches targets for one tenant at a time."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        given: Given,
        targets: AllowedTargets,
        api_url: str,
        console_url: str,
        key: QueueKey,
    ) -> None:
        settings = context.settings
        limits = settings.classes[key.resource_class]
        lane = given.stores.queues.by_key[key]
        queue = lane.queue
        super().__init__(
            scope,
            construct_id,
            context=context,
            description=executor(key, settings),
            given=given,
            own_variables={
                "QUEUE_KEY": str(key),
                "QUEUE_URL": queue.queue_url,
                "QUEUE_VISIBILITY_SECONDS": str(limits.timeout_seconds),
                "LEASE_SECONDS": str(limits.lease_seconds),
                "RUNS_AT_ONCE": str(limits.runs_at_once),
                # Where targets say how it goes that work on by themselves.
                "API_URL": api_url,
                # Where notifications lead people; a stage without a console has none.
                **({"CONSOLE_URL": console_url} if console_url else {}),
                **targets.environment(scope),
            },
        )
        self.gates = (lane,)
        self.allow(["sqs:ChangeMessageVisibility"], queue.queue_arn)
        QueueSource(
            self,
            "Runs",
            function=self,
            queue=queue,
            max_concurrency=settings.max_concurrency(key),
            pollers=settings.peak.pollers.get(str(key)),
        )

    def act_for_tenants(self, targets: TargetsRole) -> None:
        """Let it call targets with sessions of their role, and with no right of its own."""
        self.allow(["sts:AssumeRole", "sts:TagSession"], targets.role.role_arn)
        self.tell("TARGETS_ROLE_ARN", targets.role.role_arn)


class Executors(Construct):
    """Every executor, and alarms on all of them together."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        given: Given,
        api_url: str,
        console_url: str,
    ) -> None:
        super().__init__(scope, construct_id)
        targets = AllowedTargets.of(self, context.settings)
        self.by_key: Mapping[QueueKey, Executor] = {
            key: Executor(
                self,
                str(key),
                context=context,
                given=given,
                targets=targets,
                api_url=api_url,
                console_url=console_url,
                key=key,
            )
            for key in given.stores.queues.by_key
        }
        executors = self.by_key.values()
        callers = [each.role for each in executors]
        self.targets = TargetsRole(self, "Targets", targets=targets, callers=callers)
        for executor in executors:
            executor.act_for_tenants(self.targets)
        longest = max(each.timeout_seconds for each in context.settings.classes.values())
        self._alarm(
            "Errors",
            meaning="Executors raise or time out; their messages are delivered again.",
            threshold=3,
            late=FILLED_LATE_MINUTES + late_minutes(longest),
            runbook=Runbook.FUNCTION_ERRORS,
            context=context,
        )
        self._alarm(
            "Throttles",
            meaning="Lambda refuses to start executors: the account's concurrency is used up.",
            threshold=10,
            late=FILLED_LATE_MINUTES,
            runbook=Runbook.THROTTLES,
            context=context,
        )
        self._alarm_on_skew(context)

    @property
    def names(self) -> list[str]:
        """The physical names, which are also the metrics' ``service``."""
        return [executor.name for executor in self.by_key.values()]

    def _alarm(
        self,
        metric: str,
        *,
        meaning: str,
        threshold: int,
        late: int,
        runbook: Runbook,
        context: FunctionContext,
    ) -> None:
        context.alerts.alarm(
            self,
            metric,
            name=context.settings.physical_name(f"executors-{metric.lower()}"),
            meaning=meaning,
            metric=total([function_metric(metric, name) for name in self.names], metric),
            threshold=threshold,
            late_minutes=late,
            runbook=runbook,
        )

    def _alarm_on_skew(self, context: FunctionContext) -> None:
        """Tell of a clock by which leases and deadlines end early or late."""
        skews = [timegate_metric(run_metrics.CLOCK_SKEW_MS, each, "Maximum") for each in self.names]
        context.alerts.alarm(
            self,
            "ClockSkew",
            name=context.settings.physical_name("executors-clock-skew"),
            meaning="An executor's clock is behind its queue's: leases end at wrong instants.",
            metric=greatest(skews, "ClockSkew"),
            threshold=_SKEW_MS,
            late_minutes=FILLED_LATE_MINUTES,
            concern=Concern.FLAW,
            runbook=Runbook.CLOCK_SKEW,
        )
