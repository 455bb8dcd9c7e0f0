"""A log group that forgets."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.stage.settings import StageSettings

_RETENTION = {
    1: logs.RetentionDays.ONE_DAY,
    7: logs.RetentionDays.ONE_WEEK,
    30: logs.RetentionDays.ONE_MONTH,
    90: logs.RetentionDays.THREE_MONTHS,
}


class BoundedLogGroup(logs.LogGroup):
    """A log group with the stage's retention; logs never outlive the stack."""

    def __init__(
        self, scope: Construct, construct_id: str, *, name: str | None, settings: StageSettings
    ) -> None:
        """Make it; ``None``: CloudFormation names it, and gives no name twice."""
        super().__init__(
            scope,
            construct_id,
            log_group_name=name,
            retention=_RETENTION[settings.log_retention_days],
            removal_policy=RemovalPolicy.DESTROY,
        )
