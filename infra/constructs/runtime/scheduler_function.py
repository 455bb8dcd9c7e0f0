"""A Lambda function with Timegate's defaults, which exist here and nowhere else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_cloudwatch as cw
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.concurrency import reservations
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.description import (
    Description,
    Given,
    KeepFields,
    KeepOff,
    Right,
    Rule,
    Silence,
    StreamAge,
    TellMissing,
)
from infra.constructs.runtime.live_alias import LiveAlias
from infra.constructs.runtime.log_group import BoundedLogGroup
from infra.constructs.runtime.regional import (
    NOT_RENEWED,
    RENEWER,
    region_rights,
    region_variables,
)
from infra.constructs.runtime.runtime_layers import PYTHON, RuntimeLayers
from infra.constructs.runtime.table_statements import allowed_in, kept_fields, kept_off
from infra.metrics import NAMESPACE, function_metric, late_minutes, timegate_metric
from infra.stage.settings import StageSettings
from timegate.ports.telemetry import service_metrics


@dataclass(frozen=True, kw_only=True)
class FunctionContext:
    """Settings, layers and alerts that every function of a stack shares."""

    settings: StageSettings
    layers: RuntimeLayers
    alerts: Alerts
    #: The functions of the stack so far.
    made: list["SchedulerFunction"] = field(default_factory=list)


class SchedulerFunction(Construct):
    """One function, one log group, and one role with nothing in it but its own logs and traces."""

    #: Constructs whose alarms end its rollout, beside its own.
    gates: Sequence[Construct] = ()

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        description: Description,
        given: Given,
        own_variables: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        settings = self.settings = context.settings
        self.name = settings.physical_name(description.name)
        self.alerts = context.alerts
        self.role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        log_group = BoundedLogGroup(
            self, "Logs", name=f"/aws/lambda/{self.name}", settings=settings
        )
        self.allow(["logs:CreateLogStream", "logs:PutLogEvents"], log_group.log_group_arn)
        #: Its variables, with what it is told later.
        self.variables = {
            **self._environment(settings),
            **description.environment(given, own_variables or {}),
            **region_variables(settings, description.name),
        }
        self.function = self._function(context, description, log_group)
        #: Under which it is invoked.
        self.live = LiveAlias(self, "Live", function=self.function)
        context.made.append(self)
        if description.is_traced:
            acknowledge(
                self.role,
                "IAM5[Resource::*]",
                "X-Ray's PutTraceSegments and PutTelemetryRecords take no resource.",
            )
        acknowledge(
            self.function,
            "L1",
            "python3.13 until every pinned dependency ships wheels for the newest runtime.",
        )
        for right in description.rights:
            self._grant(right, given)
        for actions, arns in region_rights(settings, description.name, given.stores.jobs.arn):
            self.allow(actions, *arns)
        self._alarm(description)

    def _function(
        self,
        context: FunctionContext,
        description: Description,
        log_group: BoundedLogGroup,
    ) -> lambda_.Function:
        name, settings = description.name, context.settings
        return lambda_.Function(
            self,
            "Function",
            function_name=self.name,
            runtime=PYTHON,
            architecture=lambda_.Architecture.ARM_64,
            code=context.layers.functions(),
            handler=f"{description.folder or name}.handler.handle",
            layers=context.layers.versions,
            role=self.role,
            log_group=log_group,
            tracing=lambda_.Tracing.ACTIVE
            if description.is_recorded(settings)
            else lambda_.Tracing.DISABLED,
            timeout=Duration.seconds(description.timeout_seconds(settings)),
            memory_size=description.memory_mb,
            reserved_concurrent_executions=reservations(settings).get(name),
            # A rollback goes back to them; the function takes its versions with it.
            current_version_options=lambda_.VersionOptions(
                removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
            ),
            environment=self.variables,
        )

    def _grant(self, right: Rule, given: Given) -> None:
        match right:
            case Right():
                arns = [arn for place in right.places for arn in place(given)]
                if not arns:
                    return
                if right.partitions is None:
                    self.allow(right.actions, *arns)
                else:
                    self.role.add_to_policy(
                        allowed_in(arns, right.actions, partitions=right.partitions)
                    )
            case KeepOff():
                self.role.add_to_policy(kept_off(right.place(given), right.partitions))
            case KeepFields():
                self.role.add_to_policy(
                    kept_fields(right.place(given), right.fields, but_in=right.but_in)
                )
            case TellMissing():
                bucket = given.stores.archive if right.is_archive else given.stores.blobs
                bucket.tell_missing(self.role, *right.prefixes)
            case _:
                assert_never(right)

    def tell(self, name: str, value: str) -> None:
        """Give it one more variable."""
        self.variables[name] = value
        self.function.add_environment(name, value)

    def allow(self, actions: Sequence[str], *resources: str) -> None:
        """Grant exactly these actions on exactly these ARNs."""
        statement = iam.PolicyStatement(actions=list(actions), resources=list(resources))
        self.role.add_to_policy(statement)
        if self.settings.batches_by_name:
            self._allow_batches(actions, resources)

    def _allow_batches(self, actions: Sequence[str], resources: Sequence[str]) -> None:
        batches = {
            "sqs:SendMessage": ("sqs:SendMessageBatch", resources),
            "sqs:DeleteMessage": ("sqs:DeleteMessageBatch", resources),
            "sqs:ChangeMessageVisibility": ("sqs:ChangeMessageVisibilityBatch", resources),
            # Its tables are named in its statements, where the local cloud does not look.
            "dynamodb:PartiQLUpdate": ("dynamodb:BatchExecuteStatement", ["*"]),
            "dynamodb:PartiQLInsert": ("dynamodb:BatchExecuteStatement", ["*"]),
            # It does not know whose machine a token is of, where AWS does.
            "states:SendTaskSuccess": ("states:SendTaskSuccess", ["*"]),
            "states:SendTaskFailure": ("states:SendTaskFailure", ["*"]),
        }
        for action in actions:
            if action in batches:
                batch, on = batches[action]
                statement = iam.PolicyStatement(actions=[batch], resources=list(on))
                self.role.add_to_policy(statement)
                if "*" in on:
                    reason = "The local cloud asks for this on no resource."
                    acknowledge(self.role, "IAM5[Resource::*]", reason)

    def _alarm(self, description: Description) -> None:
        if description.alarms_on_failures:
            self._alarm_on_failures(description)
        if description.alarms_on_damage:
            self._alarm_on_damage()
        silence = description.silence
        if silence is not None and silence.is_ticking(self.settings):
            self._alarm_on_silence(silence)
        if description.stream_age is not None:
            self._alarm_on_stream_age(description.stream_age)
        renews = self.settings.regions is not None and description.name == RENEWER
        for alarm in (*description.alarms, *((NOT_RENEWED,) if renews else ())):
            self.alerts.alarm(
                self,
                "".join(word.capitalize() for word in alarm.name.split("-")),
                name=f"{self.name}-{alarm.name}",
                meaning=alarm.meaning,
                metric=timegate_metric(alarm.metric, self.name, alarm.statistic),
                threshold=alarm.threshold(self.settings),
                periods=alarm.periods,
                every_minutes=alarm.every_minutes,
                concern=alarm.concern,
                runbook=alarm.runbook,
            )

    def _alarm_on_failures(self, description: Description) -> None:
        """Rouse a person when the function raises, or is not let run."""
        seldom = description.seldom
        late = late_minutes(description.timeout_seconds(self.settings))
        self.alerts.alarm(
            self,
            "Errors",
            name=f"{self.name}-errors",
            meaning="The function raises or times out.",
            metric=function_metric("Errors", self.name),
            threshold=3 if seldom is None else 1,
            every_minutes=1 if seldom is None else seldom.window_minutes,
            periods=1 if seldom is None else seldom.failures,
            late_minutes=late if seldom is None else 0,
            runbook=Runbook.FUNCTION_ERRORS,
        )
        self.alerts.alarm(
            self,
            "Throttles",
            name=f"{self.name}-throttles",
            meaning="Lambda refuses to start the function: its concurrency is used up.",
            metric=function_metric("Throttles", self.name),
            threshold=10 if seldom is None else 1,
            every_minutes=1 if seldom is None else seldom.window_minutes,
            periods=1 if seldom is None else seldom.failures,
            runbook=Runbook.THROTTLES,
        )

    def _alarm_on_damage(self) -> None:
        """Rouse a person when the function meets an unreadable record."""
        self.alerts.alarm(
            self,
            "Unreadable",
            name=f"{self.name}-unreadable",
            meaning="A job or run is damaged and has been put off until it is repaired.",
            metric=timegate_metric(service_metrics.RECORDS_UNREADABLE, self.name),
            threshold=1,
            runbook=Runbook.UNREADABLE_RECORDS,
            subject=self.name,
        )

    def _alarm_on_stream_age(self, age: StreamAge) -> None:
        """Rouse a person when the function reads its stream so late, for so many minutes."""
        self.alerts.alarm(
            self,
            "IteratorAge",
            name=f"{self.name}-iterator-age",
            meaning=age.meaning,
            metric=function_metric("IteratorAge", self.name, "Maximum"),
            threshold=age.threshold_ms,
            periods=age.periods,
            runbook=Runbook.STREAM_BEHIND,
        )

    def _alarm_on_silence(self, silence: Silence) -> None:
        """Rouse a person when no tick has reached the function for so long."""
        self.alerts.alarm(
            self,
            "Silence",
            name=f"{self.name}-silence",
            meaning=silence.meaning,
            metric=function_metric("Invocations", self.name),
            threshold=1,
            periods=silence.minutes,
            comparison=cw.ComparisonOperator.LESS_THAN_THRESHOLD,
            when_silent=cw.TreatMissingData.BREACHING,
            concern=silence.concern,
            runbook=silence.runbook,
        )

    def _environment(self, settings: StageSettings) -> dict[str, str]:
        return {
            "STAGE": settings.name,
            "POWERTOOLS_SERVICE_NAME": self.name,
            "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
            "POWERTOOLS_LOG_LEVEL": settings.log_level,
        }
