"""Composite alarms: one for each stack, and one for the whole stage."""

from collections.abc import Sequence

from aws_cdk import Stack
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.runbook import Runbook
from infra.stage.settings import StageSettings


class HealthAlarm(Construct):
    """In alarm while any health alarm of its stack, or of the ``parts`` of other stacks, is.

    CloudWatch refuses a rule that names an unknown alarm, and the deletion of a named one. So a
    composite names alarms of its own stack only, and depends on each: CloudFormation makes
    them before it, and deletes them after it has changed or removed the rule.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        name: str,
        alerts: Alerts,
        parts: Sequence["HealthAlarm"] = (),
        composites: Sequence[cw.CfnCompositeAlarm] = (),
    ) -> None:
        super().__init__(scope, construct_id)
        self.name = settings.physical_name(name)
        stack = Stack.of(self)
        own = [each.alarm for each in alerts.health_of(stack)]
        names = [part.name for part in parts] + [alerts.written_name(alarm) for alarm in own]
        names += [str(each.alarm_name) for each in composites]
        composite = cw.CfnCompositeAlarm(
            self,
            "Alarm",
            alarm_name=self.name,
            alarm_description=alerts.description(
                "An alarm is on that Timegate itself is the cause of.", Runbook.UNHEALTHY
            ),
            alarm_rule=" OR ".join(f'ALARM("{each}")' for each in names),
        )
        for alarm in (*own, *composites):
            composite.node.add_dependency(alarm)
        for part in parts:
            stack.add_stack_dependency(Stack.of(part))
