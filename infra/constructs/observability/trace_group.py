"""The stage's traces, apart from everything else in the account."""

from aws_cdk import aws_xray as xray
from constructs import Construct

from infra.stage.settings import StageSettings


class TraceGroup(Construct):
    """Every trace that passes through one of the stage's functions."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        xray.CfnGroup(
            self,
            "Group",
            group_name=settings.physical_name("traces"),
            filter_expression=f'service("{settings.physical_name("api")}") '
            f'OR service("{settings.physical_name("relay")}")',
        )
