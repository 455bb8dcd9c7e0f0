"""The topic that alarms report to, and the one way an alarm is made."""

from enum import StrEnum

from aws_cdk import Aws, Stack
from aws_cdk import aws_cloudwatch as cw
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra.acknowledge import PLAIN_HTTP, acknowledge
from infra.stage.settings import StageSettings


class Runbook(StrEnum):
    """The sections of ``docs/operations/runbooks.md``, by anchor."""

    API_ERRORS = "api-errors"
    AUDIT_BEHIND = "audit-behind"
    DEAD_LETTERS = "dead-letters"
    EVENTS_NOT_SENT = "events-not-sent"
    FUNCTION_ERRORS = "function-errors"
    LATE_RUNS = "late-runs"
    LOST_RECORDS = "lost-records"
    PLANNER_SILENCE = "planner-silence"
    QUEUE_BACKLOG = "queue-backlog"
    QUOTA_DRIFT = "quota-drift"
    REJECTED_MESSAGES = "rejected-messages"
    STALLED_OPERATIONS = "stalled-operations"
    STREAM_BEHIND = "stream-behind"
    THROTTLES = "throttles"
    TICKS_LOST = "ticks-lost"
    UNACCOUNTED_INSTANTS = "unaccounted-instants"
    UNCLAIMED_OFFERS = "unclaimed-offers"
    UNHEALTHY = "unhealthy"
    UNREADABLE_RECORDS = "unreadable-records"

    @property
    def link(self) -> str:
        """Return the link of the runbook's section."""
        return f"docs/operations/runbooks.md#{self.value}"


class Alerts(Construct):
    """A topic people subscribe to, and alarms that say what they mean and what to do."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        self._extras = settings.extras
        self._alarms: list[cw.Alarm] = []
        self.topic = sns.Topic(
            self,
            "Topic",
            topic_name=settings.physical_name("alerts"),
            enforce_ssl=settings.tls_only,
        )
        self.topic.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["sns:Publish"],
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                resources=[self.topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            )
        )
        if not settings.tls_only:
            acknowledge(self.topic, "SNS3", PLAIN_HTTP)

    def alarm(  # noqa: PLR0913 - keyword-only properties, as for any construct
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        meaning: str,
        metric: cw.IMetric,
        threshold: float,
        runbook: Runbook,
        periods: int = 1,
        when_silent: cw.TreatMissingData = cw.TreatMissingData.NOT_BREACHING,
        comparison: cw.ComparisonOperator = (
            cw.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        ),
    ) -> None:
        """An alarm in ``scope`` (its owner) that goes off after ``periods`` bad minutes."""
        if isinstance(metric, cw.MathExpression) and not self._extras:
            # The local cloud refuses alarms on metric math.
            return
        alarm = cw.Alarm(
            scope,
            f"{construct_id}Alarm",
            alarm_name=name,
            alarm_description=f"{meaning} Runbook: {runbook.link}",
            metric=metric,
            threshold=threshold,
            evaluation_periods=periods,
            comparison_operator=comparison,
            treat_missing_data=when_silent,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        self._alarms.append(alarm)

    def of(self, stack: Stack) -> list[cw.Alarm]:
        """Every alarm that ``stack`` has made so far."""
        return [alarm for alarm in self._alarms if alarm.stack is stack]
