"""The topics that alarms report to, and the one way an alarm is made."""

from dataclasses import dataclass
from enum import Enum

from aws_cdk import Aws, Stack
from aws_cdk import aws_cloudwatch as cw
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.acknowledge import PLAIN_HTTP, acknowledge
from infra.constructs.observability.runbook import Runbook
from infra.stage.settings import StageSettings
from timegate.ports.telemetry.stage_metrics import ALERTS, TICKETS


class Concern(Enum):
    """Causes of alarms, and how soon people are told."""

    #: Timegate fails its tenants now: people are called.
    OUTAGE = "outage"
    #: Timegate does wrong, and nothing burns: people look at it in their working hours.
    FLAW = "flaw"
    #: A tenant's targets, workers or limits are the cause: the stage is sound.
    TENANT = "tenant"


@dataclass(frozen=True, kw_only=True)
class OwnedAlarm:
    """An alarm of stage health; stack and path are kept, as each question to the CDK is a call."""

    alarm: cw.Alarm
    concern: Concern
    stack: Stack
    #: Its place in the tree of constructs.
    path: str

    def is_in(self, scope_path: str) -> bool:
        """Return whether the construct at a path owns it."""
        return self.path.startswith(f"{scope_path}/")


class Alerts(Construct):
    """Two topics people subscribe to, and alarms that say what they mean and what to do first."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        self._settings = settings
        #: Alarms of stage health.
        self._health: list[OwnedAlarm] = []
        #: Alarms that cannot wait.
        self.topic = self._topic("Topic", ALERTS)
        #: Alarms that can.
        self.tickets = self._topic("Tickets", TICKETS)

    def _topic(self, construct_id: str, name: str) -> sns.Topic:
        settings = self._settings
        topic = sns.Topic(
            self,
            construct_id,
            topic_name=settings.physical_name(name),
            enforce_ssl=settings.tls_only,
        )
        topic.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["sns:Publish"],
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                resources=[topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            )
        )
        if settings.alarms.email:
            topic.add_subscription(subscriptions.EmailSubscription(settings.alarms.email))
        if not settings.tls_only:
            acknowledge(topic, "SNS3", PLAIN_HTTP)
        return topic

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
        subject: str = "",
        concern: Concern = Concern.OUTAGE,
        periods: int = 1,
        every_minutes: int = 1,
        late_minutes: int = 0,
        when_silent: cw.TreatMissingData = cw.TreatMissingData.NOT_BREACHING,
        comparison: cw.ComparisonOperator = (
            cw.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        ),
    ) -> None:
        """An alarm in ``scope`` (its owner) that goes off after ``periods`` bad minutes.

        A metric that is measured less often than once a minute says ``every_minutes``: one bad
        measurement rings, and the silence between two does not end the alarm. One whose data come
        up to ``late_minutes`` after the minute that they are of is judged over as many minutes
        more: CloudWatch looks at the latest alone, where others have data already.
        ``subject``: the physical name of the function or queue at which its reader looks first.
        """
        judged = late_minutes + (periods if every_minutes == 1 else 2 * every_minutes)
        alarm = cw.Alarm(
            scope,
            f"{construct_id}Alarm",
            alarm_name=name,
            alarm_description=self.description(meaning, runbook, subject),
            metric=metric,
            threshold=threshold,
            evaluation_periods=judged,
            datapoints_to_alarm=None if judged == periods else periods,
            comparison_operator=comparison,
            treat_missing_data=when_silent,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic_of(concern)))
        if concern is not Concern.TENANT:
            owned = OwnedAlarm(
                alarm=alarm, concern=concern, stack=alarm.stack, path=alarm.node.path
            )
            self._health.append(owned)

    def topic_of(self, concern: Concern) -> sns.Topic:
        """Return the topic that alarms of this concern report to."""
        return self.topic if concern is Concern.OUTAGE else self.tickets

    def description(self, meaning: str, runbook: Runbook, subject: str = "") -> str:
        """Say what an alarm means, what to type first, and where to read on."""
        first = runbook.first_command(self._settings.name, subject)
        link = f"{self._settings.alarms.runbooks}#{runbook.value}"
        return f"{meaning} First: {first} Runbook: {link}"

    @staticmethod
    def written_name(alarm: cw.Alarm) -> str:
        """Return the name as it is written; ``alarm_name`` is a reference."""
        made = alarm.node.default_child
        if not isinstance(made, cw.CfnAlarm) or made.alarm_name is None:
            message = f"{alarm.node.path}: an alarm needs a name of its own"
            raise ValueError(message)
        return made.alarm_name

    def health_of(self, stack: Stack) -> list[OwnedAlarm]:
        """Every alarm of the stage's health that ``stack`` has made so far."""
        return [each for each in self._health if each.stack is stack]

    def outages_of(self, stack: Stack) -> list[OwnedAlarm]:
        """Return the alarms of ``health_of`` that cannot wait."""
        return [each for each in self.health_of(stack) if each.concern is Concern.OUTAGE]
