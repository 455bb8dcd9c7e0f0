"""DAG runs as items."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import bucket, dag_run_key
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dags.limits import MAX_TIMEOUT_SECONDS
from timegate.domain.dispatch.shards import Placement
from timegate.domain.values.identity import DagRunId, JobId
from timegate.domain.values.instants import compact

Fields = Mapping[str, Plain]

#: The stream filter of outcomes lets through what has a follow-up.
FOLLOW_DAG = "dag"
#: Fields that are written at their default as well: conditions name them.
_COUNTS = ("round", "opened_as", "revision")
_RUN = Part(DagRun, without=("dag_run_id", "follow"), always=_COUNTS)
#: The fields that change with the status.
_STATUS = Part(
    DagRun,
    only=(
        *("status", *_COUNTS, "is_told", "asked_rounds", "known", "repeats"),
        *("stops_as", "reason", "ended_at", "deadline_at", "watch_at"),
    ),
    always=_COUNTS,
)


def dag_run_to_fields(run: DagRun, *, shards: Placement, retention: timedelta) -> dict[str, Plain]:
    """The whole item of a DAG run, index attributes included."""
    key = dag_run_key(run.tenant, run.dag_run_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_RUN.fields(run),
        **status_fields(run, shards=shards, retention=retention),
    }


def status_fields(run: DagRun, *, shards: Placement, retention: timedelta) -> dict[str, Plain]:
    """Build the fields that change with the status."""
    watch_at = run.watch_at
    return {
        **_STATUS.fields(run),
        "expires_at": forgotten_at(run, retention=retention),
        "watch_bucket": (
            bucket(watch_at, JobId(run.dag_run_id), shards) if watch_at is not None else None
        ),
        "follow": FOLLOW_DAG if run.follow else None,
    }


def forgotten_at(run: DagRun, *, retention: timedelta) -> int:
    """Return the instant, in epoch seconds, at which a DAG run's records expire.

    They expire as long after its latest end as any run's, and so much later that a DAG run retried
    on its last day keeps its tasks' records.
    """
    kept = run.deadline_at + retention + timedelta(seconds=MAX_TIMEOUT_SECONDS)
    return int(kept.timestamp())


@reader_of("DAG run")
def dag_run_from_fields(fields: Fields) -> DagRun:
    """Read a DAG run back; raises ``Malformed``."""
    own = _RUN.arguments(fields)
    # A request that was repeated has left its token twice.
    own["tokens"] = tuple(dict.fromkeys(own.get("tokens", ())))
    return DagRun(dag_run_id=dag_run_id_of(fields), follow="follow" in fields, **own)


def dag_run_id_of(fields: Fields) -> DagRunId:
    """Return the DAG run in whose partition the item lies."""
    return DagRunId(text(fields["pk"]).rpartition("#")[2])


def row_fields(run: DagRun, pk: str, sk: str, *, expires_at: int) -> dict[str, Plain]:
    """Its row in the list of its DAG's runs."""
    return {"pk": pk, "sk": sk, "dag_run_id": run.dag_run_id, "expires_at": expires_at}


def looked_at(watch_at: datetime, dag_run_id: DagRunId, *, shards: Placement) -> dict[str, str]:
    """Build the index fields of the next look."""
    return {
        "watch_at": compact(watch_at),
        "watch_bucket": bucket(watch_at, JobId(dag_run_id), shards),
    }
