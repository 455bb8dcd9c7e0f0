"""Logs Insights queries an operator would otherwise type at night."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.constructs.observability.log_queries import BUSINESS, OPERATORS, log_groups
from infra.stage.settings import StageSettings


class SavedQueries(Construct):
    """Saved queries over every function's log group."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        for name, query in {**OPERATORS, **BUSINESS}.items():
            logs.CfnQueryDefinition(
                self,
                name,
                name=f"timegate/{settings.name}/{name}",
                log_group_names=[*log_groups(settings)],
                query_string=query,
            )
