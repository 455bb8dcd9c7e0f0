"""Keys and index buckets."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dispatch.shards import Placement
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.identity import (
    AbsenceRef,
    AttemptId,
    DagId,
    DagRunId,
    JobId,
    Origin,
    RunId,
    TaskKey,
)
from timegate.domain.values.instants import compact, from_compact, minute_of
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.ledger.worker_log import BatchPosition

JOB_SK = "job"
GAP_PREFIX = "gap#"
#: End of the partition of a job's gaps.
_GAPS = "#gaps"
VERSION_PREFIX = "version#"
#: Below it, a job's partition has its runs, and from it on what tells of them.
NOTICE_PREFIX = "n#"
#: The partition of a DAG run has its own record, those of its tasks, and their runs below this.
TASK_RUN_PREFIX = "d#"
DAG_RUN_SK = "dag-run"
TASK_PREFIX = "task#"
GOVERNOR_PREFIX = "governor#"
#: Beginning of the sort keys of rules.
RULE_PREFIX = "rule#"
#: The stream filter of ``operations`` names it: no other record of the table has it.
WATCH_SK = "rule-watch"
#: The same of a watch over a job that is to succeed within a span.
ABSENCE_SK = "absence-watch"
#: The partition of the index ``due`` in which watches lie. Buckets of jobs begin with a minute.
WATCH_BUCKET = "rules"
#: The value that the stream's filter asks for; any other write of a watch brings no look.
LOOK_DUE, LOOK_DONE = "due", "done"
_ABSENCES = "#rules#absence#"
#: The partition of a DAG has its runs, newest last.
DAG_RUNS_PREFIX = "dag-run#"
#: Beginnings of the sort keys of runs that are no instants of a job.
_PREFIXES = {Origin.NOTIFICATION: NOTICE_PREFIX, Origin.TASK: TASK_RUN_PREFIX}
#: Wide enough that attempts sort by number.
_ATTEMPT_DIGITS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A primary key of either table."""

    pk: str
    sk: str

    def attributes(self) -> dict[str, dict[str, str]]:
        """Return the key in DynamoDB's form."""
        return {"pk": {"S": self.pk}, "sk": {"S": self.sk}}


def job_pk(tenant: TenantId, job_id: JobId) -> str:
    """The partition of a job, and in the other table that of its history."""
    return f"{tenant}#{job_id}"


def job_of(pk: str) -> JobId:
    """The job whose partition this is, in either table."""
    return JobId(pk.rpartition("#")[2])


def job_key(tenant: TenantId, job_id: JobId) -> Key:
    """The key of a job."""
    return Key(pk=job_pk(tenant, job_id), sk=JOB_SK)


def version_key(tenant: TenantId, job_id: JobId, version: int) -> Key:
    """The key of a definition that was replaced; a job's sort by their versions."""
    return Key(pk=job_pk(tenant, job_id), sk=f"{VERSION_PREFIX}{version:010}")


def gaps_pk(tenant: TenantId, job_id: JobId) -> str:
    """The partition of a job's gaps: who may record one there cannot replace the job by it."""
    return f"{job_pk(tenant, job_id)}{_GAPS}"


def owner_of_gaps(pk: str) -> tuple[TenantId, JobId]:
    """Return whose gaps a partition has."""
    tenant, _, job_id = pk.removesuffix(_GAPS).rpartition("#")
    return TenantId(tenant), JobId(job_id)


def gap_key(tenant: TenantId, job_id: JobId, last: datetime, version: int | None = None) -> Key:
    """The key of a gap: a job's gaps sort by their last instant, so the first that reaches an
    instant is found by key. Without a version: the place of the first that ends then.

    A schedule leaves out instants before they are due; another one that replaces it meanwhile may
    leave out the same ones.
    """
    suffix = f"#{version}" if version is not None else ""
    return Key(pk=gaps_pk(tenant, job_id), sk=f"{GAP_PREFIX}{compact(last)}{suffix}")


def attempt_key(tenant: TenantId, attempt: AttemptId) -> Key:
    """The key of an attempt: history sorts by instant, then by attempt."""
    number = f"{attempt.number:0{_ATTEMPT_DIGITS}d}"
    return Key(pk=job_pk(tenant, attempt.run.job_id), sk=f"{run_prefix(attempt.run)}{number}")


def run_prefix(run: RunId) -> str:
    """Return the prefix of the sort keys of all attempts at a run."""
    prefix = _PREFIXES.get(run.origin)
    if prefix is not None:
        return f"{prefix}{compact(run.scheduled_at)}#{run.about}#"
    return f"{compact(run.scheduled_at)}#{run.origin}{run.about}#"


def notices_prefix(run: RunId) -> str:
    """Return the prefix of the sort keys of a run's notices."""
    return f"{NOTICE_PREFIX}{compact(run.scheduled_at)}#{run.origin}{run.about}"


def log_pk(tenant: TenantId, job_id: JobId) -> str:
    """The partition of what holders of a job's runs say: who reads its history meets none of it."""
    return f"{job_pk(tenant, job_id)}#log"


def log_prefix(run: RunId) -> str:
    """Return the prefix of the sort keys of a run's log."""
    return run_prefix(run)


def log_key(tenant: TenantId, run: RunId, place: "BatchPosition") -> Key:
    """The key of a batch: those of a run sort by lease, then as they were said."""
    number = f"{place.fence:010d}#{place.sequence:04d}"
    return Key(pk=log_pk(tenant, run.job_id), sk=f"{log_prefix(run)}{number}")


def parse_attempt_key(pk: str, sk: str) -> tuple[TenantId, AttemptId]:
    """Read an attempt's key back; raises ``Malformed``."""
    try:
        tenant, job_id = pk.rsplit("#", 1)
        apart, prefix = next((e for e in _PREFIXES.items() if sk.startswith(e[1])), (None, ""))
        instant, middle, number = sk.removeprefix(prefix).split("#")
        run = RunId(
            job_id=JobId(job_id),
            origin=apart if apart is not None else Origin(middle[:1]),
            scheduled_at=from_compact(instant),
            about=middle if apart is not None else middle[1:],
        )
        return TenantId(tenant), AttemptId(run=run, number=int(number))
    except (ValueError, TimegateError) as error:
        raise Malformed(f"{pk!r}, {sk!r} is no attempt's key.") from error


def governor_key(tenant: TenantId, dag_run_id: DagRunId, key: TaskKey) -> Key:
    """The key of what governs the runs of a task: in the table of runs, as the task is."""
    return Key(pk=job_pk(tenant, JobId(dag_run_id)), sk=f"{GOVERNOR_PREFIX}{key}")


def rules_pk(tenant: TenantId) -> str:
    """The partition of a tenant's rules; no job's id is such a word."""
    return f"{tenant}#rules"


def rule_key(tenant: TenantId, rule_id: JobId) -> Key:
    """The key of a rule, which governs the runs that carry its messages."""
    return Key(pk=rules_pk(tenant), sk=f"{RULE_PREFIX}{rule_id}")


def watch_key(tenant: TenantId) -> Key:
    """The key of the watch over a tenant's rules."""
    return Key(pk=rules_pk(tenant), sk=WATCH_SK)


def parse_watch_key(pk: str, sk: str) -> TenantId:
    """Read a watch's key back; raises ``Malformed``."""
    tenant = TenantId(pk.rpartition("#")[0])
    if not tenant or pk != rules_pk(tenant) or sk != WATCH_SK:
        raise Malformed(f"{pk!r}, {sk!r} is no key of a watch over rules.")
    return tenant


def absence_key(tenant: TenantId, job_id: JobId) -> Key:
    """The key of the watch over a job that is to succeed within a span."""
    return Key(pk=f"{tenant}{_ABSENCES}{job_id}", sk=ABSENCE_SK)


def parse_absence_key(pk: str, sk: str) -> AbsenceRef:
    """Read the key of such a watch back; raises ``Malformed``."""
    tenant, _, job_id = pk.partition(_ABSENCES)
    if not tenant or not job_id or sk != ABSENCE_SK:
        raise Malformed(f"{pk!r}, {sk!r} is no key of a watch over absences.")
    return AbsenceRef(tenant=TenantId(tenant), job_id=JobId(job_id))


def parse_look_key(pk: str, sk: str) -> TenantId | AbsenceRef:
    """Return whose watch has this key; raises ``Malformed``."""
    return parse_absence_key(pk, sk) if sk == ABSENCE_SK else parse_watch_key(pk, sk)


def is_rule(fields: Mapping[str, Plain]) -> bool:
    """Tell if an item is a rule."""
    return str(fields["sk"]).startswith(RULE_PREFIX)


def dag_run_key(tenant: TenantId, dag_run_id: DagRunId) -> Key:
    """The key of a DAG run: its tasks and their runs lie in its partition."""
    return Key(pk=job_pk(tenant, JobId(dag_run_id)), sk=DAG_RUN_SK)


def parse_dag_run_key(pk: str) -> DagRunRef:
    """Return the DAG run of a partition."""
    tenant, _, dag_run_id = pk.rpartition("#")
    return DagRunRef(tenant=TenantId(tenant), id=DagRunId(dag_run_id))


def task_key(tenant: TenantId, dag_run_id: DagRunId, key: TaskKey) -> Key:
    """The key of a task of a DAG run."""
    return Key(pk=job_pk(tenant, JobId(dag_run_id)), sk=f"{TASK_PREFIX}{key}")


def dag_run_row_key(
    tenant: TenantId, dag_id: DagId, created_at: datetime, dag_run_id: DagRunId
) -> Key:
    """The key of a DAG run's row in the list of its DAG's."""
    sk = f"{DAG_RUNS_PREFIX}{compact(created_at)}#{dag_run_id}"
    return Key(pk=job_pk(tenant, JobId(dag_id)), sk=sk)


def bucket(instant: datetime, job_id: JobId, shards: Placement) -> str:
    """The index partition an instant of a job falls into."""
    return bucket_name(minute_of(instant), shards.shard_of(job_id))


def bucket_name(minute: str, shard: int) -> str:
    """One minute of one shard."""
    return f"{minute}#{shard}"


def listed_at(created_at: datetime, job_id: JobId) -> str:
    """The sort key of a job in its tenant's list: creation order, ties broken by id."""
    return f"{compact(created_at)}#{job_id}"


def event_key(tenant: TenantId, digest: str) -> Key:
    """The key of an event's identity: its source and id."""
    return Key(pk=f"{tenant}#event#{digest}", sk="event")


def events_pk(tenant: TenantId, digest: str) -> str:
    """The partition of the events of a key, and of the tasks that wait for them."""
    return f"{tenant}#events#{digest}"


#: The key of the record that says which shards are open.
OPEN_SHARDS = Key(pk="shards", sk="open")


def cursor_key(watcher: str, shard: int) -> Key:
    """The key of a shard's cursor. No tenant can be named like this: tenants hold no ``#``."""
    return Key(pk=f"shard#{shard}", sk=watcher)
