"""The two tables: what is to be done, and what happened."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.stage.settings import StageSettings

#: Where the jobs table keeps the slots of concurrency keys. No job lies there: neither a tenant's
#: name nor a job's id has a ``#``.
SLOT_PARTITIONS = "*#key#*"
#: Where the jobs table keeps the workers that pools have seen.
POOL_PARTITIONS = "*#pool#*"
#: Where the jobs table keeps the record of open shards.
OPEN_SHARDS_PARTITION = "shards"
#: Where the jobs table keeps a tenant's calendars and freezes; no job's id is such a word.
RESTRICTION_PARTITIONS = "*#restrictions"
#: Where the jobs table keeps a tenant's notification rules, and the streaks that they told of.
RULE_PARTITIONS = "*#rules*"
#: Where the jobs table keeps who changed what; no other key of its has such a word.
AUDIT_PARTITIONS = "*#audit#*"
#: Where the jobs table keeps the auditor's cursors, and what runs cost: no tenant's name begins
#: with a ``#``. Functions that are kept off the audit trail are kept off these as well.
AUDIT_CURSOR_PARTITIONS = "#audit#*"
#: Where the jobs table keeps the tenants' settings.
TENANTS_PARTITION = "tenants"

#: Who is in them waits for a person: nothing else of the runs table has their sort key.
DEAD_LETTER_INDEXES = {
    "dead_letters": "dead_tenant",
    "dead_by_job": "pk",
    "dead_by_reason": "dead_reason",
    "dead_by_code": "dead_code",
}


class SchedulerTable(Construct):
    """An on-demand table with pk and sk, TTL and point-in-time recovery."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        stream: dynamodb.StreamViewType | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self._warm = _warm(settings)
        self.table = dynamodb.Table(
            self,
            "Table",
            partition_key=_text("pk"),
            sort_key=_text("sk"),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            time_to_live_attribute="expires_at",
            stream=stream,
            deletion_protection=settings.retain_data,
            # Its name is never given twice: one that a failed first deployment leaves jams none.
            # CloudFormation could not delete it there, protected as it is.
            removal_policy=(
                RemovalPolicy.RETAIN if settings.retain_data else RemovalPolicy.DESTROY
            ),
            warm_throughput=self._warm,
        )
        self.name = self.table.table_name
        self.arn = self.table.table_arn

    def index_arn(self, index: str) -> str:
        """The ARN of one index, so that a grant can name it alone."""
        return f"{self.arn}/index/{index}"

    @property
    def stream_arn(self) -> str:
        """Return the ARN of the table's stream."""
        arn = self.table.table_stream_arn
        if arn is None:
            message = "the table has no stream"
            raise ValueError(message)
        return arn


class JobTable(SchedulerTable):
    """Job definitions, shard cursors, and operations, whose records in its stream are work."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            # Who reads it reads the record again: the keys and the filtered fields are enough.
            stream=dynamodb.StreamViewType.NEW_IMAGE,
        )
        self.table.add_global_secondary_index(
            index_name="due",
            partition_key=_text("due_bucket"),
            sort_key=_text("due_at"),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            # What materialising runs needs; the planner then reads no job item.
            non_key_attributes=[
                "tenant",
                "version",
                "status",
                "plan",
                "created_at",
                "anchored_at",
                "next_run_at",
                "runs_planned",
                "full",
                "standing",
                "decided_until",
                "pool",
                "handler",
            ],
            warm_throughput=self._warm,
        )
        self.table.add_global_secondary_index(
            index_name="by_tenant",
            partition_key=_text("tenant_key"),
            sort_key=_text("listed_at"),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            # Jobs are searched by name without reading them; nothing of a run changes a name.
            non_key_attributes=["name"],
        )


class RunTable(SchedulerTable):
    """One item per attempt; its stream drives relay and outcomes."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            stream=dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
        )
        self.table.add_global_secondary_index(
            index_name="watch",
            partition_key=_text("watch_bucket"),
            sort_key=_text("watch_at"),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
            warm_throughput=self._warm,
        )
        # What pools offer (docs/decisions/0019-worker-pools.md).
        self.table.add_global_secondary_index(
            index_name="pool",
            partition_key=_text("pool_lane"),
            sort_key=_text("offered_at"),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            non_key_attributes=["handler"],
        )
        # Runs that were to happen and did not succeed (docs/decisions/0109-failed-runs.md).
        self.table.add_global_secondary_index(
            index_name="failures",
            partition_key=_text("failure_part"),
            sort_key=_text("failure_at"),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
        )
        # Runs of jobs that list them all (docs/decisions/0129-runs-of-all-jobs.md).
        self.table.add_global_secondary_index(
            index_name="listed",
            partition_key=_text("listed_part"),
            sort_key=_text("listed_at"),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
        )
        for index, partition in DEAD_LETTER_INDEXES.items():
            self.table.add_global_secondary_index(
                index_name=index,
                partition_key=_text(partition),
                sort_key=_text("dead_at"),
                projection_type=dynamodb.ProjectionType.KEYS_ONLY,
            )

    @property
    def dead_letter_arns(self) -> list[str]:
        """Return the ARNs of the indexes of dead letters."""
        return [self.index_arn(index) for index in DEAD_LETTER_INDEXES]


def _warm(settings: StageSettings) -> dynamodb.WarmThroughput | None:
    writes, reads = settings.peak.warm_writes, settings.peak.warm_reads
    if writes is None or reads is None:
        return None
    return dynamodb.WarmThroughput(write_units_per_second=writes, read_units_per_second=reads)


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
