"""Logs Insights queries an operator would otherwise type at night."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.stage.deployed_functions import deployed_functions
from infra.stage.settings import StageSettings

_QUERIES = {
    "errors": "fields @timestamp, service, message, exception_name, @message"
    '\n| filter level = "ERROR"\n| sort @timestamp desc\n| limit 100',
    "one-run": "fields @timestamp, service, message, state, reason, fence"
    '\n| filter run_id = "PASTE-A-RUN-ID"\n| sort @timestamp asc\n| limit 200',
    "one-tenant": "fields @timestamp, service, message, job_id, run_id, reason"
    '\n| filter tenant_id = "PASTE-A-TENANT"\n| sort @timestamp desc\n| limit 200',
    "busiest-tenants": "filter ispresent(tenant_id)"
    "\n| stats count(*) as events by tenant_id\n| sort events desc\n| limit 20",
}


class SavedQueries(Construct):
    """Saved queries over every function's log group."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        names = deployed_functions(settings)
        log_groups = [f"/aws/lambda/{settings.physical_name(name)}" for name in names]
        for name, query in _QUERIES.items():
            logs.CfnQueryDefinition(
                self,
                name,
                name=f"timegate/{settings.name}/{name}",
                log_group_names=log_groups,
                query_string=query,
            )
