"""One alarm that says whether anything at all is wrong."""

from collections.abc import Sequence

from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.alerts import Runbook
from infra.settings import StageSettings


class HealthAlarm(Construct):
    """In alarm while any other alarm of the stage is; for status pages and deployment gates."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        alarm_names: Sequence[str],
    ) -> None:
        super().__init__(scope, construct_id)
        cw.CfnCompositeAlarm(
            self,
            "Alarm",
            alarm_name=settings.physical_name("unhealthy"),
            alarm_description=(
                f"At least one alarm of the stage is on. Runbook: {Runbook.UNHEALTHY.link}"
            ),
            alarm_rule=" OR ".join(f'ALARM("{name}")' for name in alarm_names),
        )
