"""The two tables: what is to be done, and what happened."""

from collections.abc import Sequence

from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.constructs.data.table_regions import MadeTable, Replica, made_table, text
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
#: Where the jobs table keeps what jobs left out.
GAP_PARTITIONS = "*#gaps"
#: The entry of the audit trail in a job's record, and what lists, archives and forgets it.
TOLD_FIELDS = ("creation", "told_at", "tenant_key", "listed_at", "expires_at")
#: Where the jobs table keeps the tenants' settings.
TENANTS_PARTITION = "tenants"

#: A run in them waits for a person: nothing else of the runs table has their sort key.
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
        stream: dynamodb.StreamViewType,
        replica: int,
    ) -> None:
        """``replica``: the place of its stream among those of replicas."""
        super().__init__(scope, construct_id)
        regions, self._warm = settings.regions, _warm(settings)
        self._made: MadeTable | None = None
        if regions is not None and not regions.is_home:
            known: MadeTable | Replica = Replica(regions.streams[replica])
        else:
            known = self._made = made_table(self, settings=settings, stream=stream, warm=self._warm)
        self.name, self.arn = known.table_name, known.table_arn
        self._stream_arn = known.table_stream_arn

    def _index(
        self,
        name: str,
        partition: str,
        sort: str,
        *,
        projected: Sequence[str] | None = None,
        is_warm: bool = False,
    ) -> None:
        """Make an index, of keys alone unless fields are ``projected``; a replica has it."""
        if self._made is None:
            return
        kind = dynamodb.ProjectionType
        self._made.add_global_secondary_index(
            index_name=name,
            partition_key=text(partition),
            sort_key=text(sort),
            projection_type=kind.KEYS_ONLY if projected is None else kind.INCLUDE,
            non_key_attributes=list(projected) if projected is not None else None,
            warm_throughput=self._warm if is_warm else None,
        )

    def index_arn(self, index: str) -> str:
        """The ARN of one index, so that a grant can name it alone."""
        return f"{self.arn}/index/{index}"

    @property
    def stream_arn(self) -> str:
        """Return the ARN of the table's stream."""
        if self._stream_arn is None:
            message = "the table has no stream"
            raise ValueError(message)
        return self._stream_arn


class JobTable(SchedulerTable):
    """Job definitions, shard cursors, and operations, whose records in its stream are work."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            # Its readers read the record again: the keys and the filtered fields are enough.
            stream=dynamodb.StreamViewType.NEW_IMAGE,
            replica=0,
        )
        self._index(
            "due",
            "due_bucket",
            "due_at",
            # Fields for materialising runs; the planner then reads no job item.
            projected=[
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
            is_warm=True,
        )
        # Jobs are searched by name without reading them; nothing of a run changes a name.
        self._index("by_tenant", "tenant_key", "listed_at", projected=["name"])


class RunTable(SchedulerTable):
    """One item per attempt; its stream drives relay and outcomes."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            stream=dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
            replica=1,
        )
        self._index("watch", "watch_bucket", "watch_at", is_warm=True)
        # Offers of pools (docs/decisions/0019-worker-pools.md).
        self._index("pool", "pool_lane", "offered_at", projected=["handler"])
        # Runs that were to happen and did not succeed (docs/decisions/0109-failed-runs.md).
        self._index("failures", "failure_part", "failure_at")
        # Runs of jobs that list them all (docs/decisions/0129-runs-of-all-jobs.md).
        self._index("listed", "listed_part", "listed_at")
        for index, partition in DEAD_LETTER_INDEXES.items():
            self._index(index, partition, "dead_at")

    @property
    def dead_letter_arns(self) -> list[str]:
        """Return the ARNs of the indexes of dead letters."""
        return [self.index_arn(index) for index in DEAD_LETTER_INDEXES]


def _warm(settings: StageSettings) -> dynamodb.WarmThroughput | None:
    writes, reads = settings.peak.warm_writes, settings.peak.warm_reads
    if writes is None or reads is None:
        return None
    return dynamodb.WarmThroughput(write_units_per_second=writes, read_units_per_second=reads)
