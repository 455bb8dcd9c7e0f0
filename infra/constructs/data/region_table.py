"""The table of a region's record, which is not replicated, and alarms on the replication."""

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_cloudwatch as cw
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.constructs.data.table_regions import RECOVERED, text
from infra.constructs.data.tables import SchedulerTable
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.runbook import Runbook
from infra.region_choice import RegionChoice
from infra.stage.settings import StageSettings

#: Records by which the other region is so far behind are in doubt after a promotion.
BEHIND_MS = 60_000
_MINUTES = 5


class RegionTable(Construct):
    """One item says which region acts; its name is the same in both, for each asks the other."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        dynamodb.Table(
            self,
            "Table",
            table_name=settings.physical_name("region"),
            partition_key=text("pk"),
            sort_key=text("sk"),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            point_in_time_recovery_specification=RECOVERED,
            # A table of this name that a failed first deployment left would jam the next: it goes
            # with that, and no protection keeps CloudFormation from deleting it.
            removal_policy=(
                RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
                if settings.retain_data
                else RemovalPolicy.DESTROY
            ),
        )


def alarm_on_replication(
    table: SchedulerTable, name: str, *, settings: StageSettings, alerts: Alerts
) -> None:
    """Rouse a person when the other region has got a table's writes late for five minutes."""
    regions = settings.regions
    if regions is None:
        return
    alerts.alarm(
        table,
        "Replication",
        name=settings.physical_name(f"{name}-replication"),
        meaning=f"Writes of the table {name} reach {regions.peer} a minute late.",
        metric=_latency(table, regions),
        threshold=BEHIND_MS,
        periods=_MINUTES,
        runbook=Runbook.REPLICATION_BEHIND,
    )


def _latency(table: SchedulerTable, regions: RegionChoice) -> cw.Metric:
    return cw.Metric(
        namespace="AWS/DynamoDB",
        metric_name="ReplicationLatency",
        dimensions_map={"TableName": table.name, "ReceivingRegion": regions.peer},
        statistic="Maximum",
        period=Duration.minutes(1),
    )
