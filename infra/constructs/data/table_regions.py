"""Tables as they are made: in one region, in the first of two, or as replicas in the second."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.region_choice import RegionChoice
from infra.stage.settings import StageSettings

MadeTable = dynamodb.Table | dynamodb.TableV2
#: Restored to any second of 35 days.
RECOVERED = dynamodb.PointInTimeRecoverySpecification(point_in_time_recovery_enabled=True)


def made_table(
    scope: Construct,
    *,
    settings: StageSettings,
    stream: dynamodb.StreamViewType,
    warm: dynamodb.WarmThroughput | None,
) -> MadeTable:
    """Make an on-demand table with pk and sk, TTL and point-in-time recovery."""
    if settings.regions is not None:
        return _replicated(scope, settings.regions, settings, warm)
    return dynamodb.Table(
        scope,
        "Table",
        partition_key=text("pk"),
        sort_key=text("sk"),
        billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
        point_in_time_recovery_specification=RECOVERED,
        time_to_live_attribute="expires_at",
        stream=stream,
        deletion_protection=settings.retain_data,
        removal_policy=removal_of(settings),
        warm_throughput=warm,
    )


def _replicated(
    scope: Construct,
    regions: RegionChoice,
    settings: StageSettings,
    warm: dynamodb.WarmThroughput | None,
) -> dynamodb.TableV2:
    """Make a global table of two regions; its stream has both images, by which it is replicated."""
    return dynamodb.TableV2(
        scope,
        "Table",
        partition_key=text("pk"),
        sort_key=text("sk"),
        billing=dynamodb.Billing.on_demand(),
        point_in_time_recovery_specification=RECOVERED,
        time_to_live_attribute="expires_at",
        dynamo_stream=dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
        deletion_protection=settings.retain_data,
        removal_policy=removal_of(settings),
        warm_throughput=warm,
        replicas=[
            dynamodb.ReplicaTableProps(
                region=regions.peer,
                deletion_protection=settings.retain_data,
                point_in_time_recovery_specification=RECOVERED,
            )
        ],
    )


def removal_of(settings: StageSettings) -> RemovalPolicy:
    """Return what becomes of a table that leaves its stack."""
    # Its name is never given twice: one that a failed first deployment leaves jams none.
    # CloudFormation could not delete it there, protected as it is.
    return RemovalPolicy.RETAIN if settings.retain_data else RemovalPolicy.DESTROY


class Replica:
    """A replica, which the other region's stack has made; it is known by its stream's ARN."""

    def __init__(self, stream_arn: str) -> None:
        self.table_stream_arn: str | None = stream_arn
        self.table_arn, _, _ = stream_arn.partition("/stream/")
        self.table_name = self.table_arn.rpartition("/")[2]


def text(name: str) -> dynamodb.Attribute:
    """Return a key of text."""
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
