"""The stack of dashboards, queries and traces."""

from collections.abc import Sequence

from aws_cdk import Environment
from aws_cdk import aws_apigatewayv2 as apigw
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.business_dashboard import BusinessDashboard
from infra.constructs.observability.dashboard import OperatorDashboard
from infra.constructs.observability.dead_letter_alarm import DeadLetterAlarm
from infra.constructs.observability.health_alarm import HealthAlarm
from infra.constructs.observability.objectives import Objectives
from infra.constructs.observability.saved_queries import SavedQueries
from infra.constructs.observability.trace_group import TraceGroup
from infra.stacks.stage_stack import StageStack
from infra.stage.settings import StageSettings


class ObservabilityStack(StageStack):
    """The dashboard, the alarms that span stacks, saved queries and the trace group."""

    def __init__(
        self,
        scope: Construct,
        *,
        settings: StageSettings,
        alerts: Alerts,
        api: apigw.HttpApi,
        health: Sequence[HealthAlarm],
        env: Environment | None,
    ) -> None:
        super().__init__(
            scope,
            "Observability",
            settings=settings,
            meaning="what people look at",
            env=env,
        )
        DeadLetterAlarm(self, "DeadLetters", settings=settings, alerts=alerts)
        OperatorDashboard(self, "Operator", settings=settings, api=api)
        BusinessDashboard(self, "Business", settings=settings)
        HealthAlarm(
            self,
            "Health",
            settings=settings,
            name="unhealthy",
            alerts=alerts,
            parts=health,
            composites=_burns(self, settings, alerts),
        )
        if settings.extras:
            SavedQueries(self, "Queries", settings=settings)
            TraceGroup(self, "Traces", settings=settings)


def _burns(scope: Construct, settings: StageSettings, alerts: Alerts) -> list[cw.CfnCompositeAlarm]:
    """Make the alarms on budgets where lanes have objectives."""
    if not settings.alarms.objectives:
        return []
    return Objectives(scope, "Objectives", settings=settings, alerts=alerts).burns
