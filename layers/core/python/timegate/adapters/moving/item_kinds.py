"""Kinds of items by their keys: what moves, what stays, and what no release knows."""

import re
from collections.abc import Mapping

from timegate.adapters.dynamo.dags.dag_items import DAG_SK
from timegate.adapters.dynamo.dags.dag_items import VERSION_PREFIX as DAG_VERSION_PREFIX
from timegate.adapters.dynamo.events.trigger_items import NAMES_SK, TRIGGER_PREFIX
from timegate.adapters.dynamo.jobs.job_items import FORMER_PREFIX, is_barred
from timegate.adapters.dynamo.pools.pause_items import PAUSES
from timegate.adapters.dynamo.restrictions.restriction_items import (
    CALENDAR_PREFIX,
    FREEZE_PREFIX,
    IN_FORCE_SK,
)
from timegate.adapters.dynamo.tables.keys import (
    ABSENCE_SK,
    DAG_RUN_SK,
    DAG_RUNS_PREFIX,
    GAP_PREFIX,
    GOVERNOR_PREFIX,
    JOB_SK,
    RULE_PREFIX,
    TASK_PREFIX,
    VERSION_PREFIX,
    WATCH_SK,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tenants.tenant_items import TENANTS_PK
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId, parse_job_id
from timegate.domain.values.payload import RUN_PAYLOADS
from timegate.domain.values.tenant import TENANT_NAME, TenantId

Fields = Mapping[str, Plain]

#: Partitions of a tenant that stay. Its quotas are counted anew; rates, slots, workers and the days
#: of its quotas begin anew; operations, events and their waiters belong to runs that stay. No file
#: has secrets, nor their digests.
_STAYING = frozenset({"quota", "days", "key", "pool", "operation", "event", "events", "api-keys"})
#: Streaks of rules begin anew.
_STREAKS = "rules#streaks"
#: Partitions of the stage whose keys have the form of a tenant's; a tenant may be called so.
_SHARD = re.compile(r"shard#[0-9]{1,4}")
#: By the partition behind the tenant: sort keys, or what they begin with.
_BY_PARTITION: Mapping[str, Mapping[str, MovedKind | None]] = {
    "restrictions": {
        CALENDAR_PREFIX: MovedKind.CALENDAR,
        FREEZE_PREFIX: MovedKind.FREEZE,
        IN_FORCE_SK: MovedKind.IN_FORCE,
    },
    # The stage that saw held events tells them.
    "rules": {
        RULE_PREFIX: MovedKind.RULE,
        WATCH_SK: MovedKind.RULE_WATCH,
        "held#": None,
        ABSENCE_SK: MovedKind.ABSENCE_WATCH,
    },
    "event-triggers": {
        TRIGGER_PREFIX: MovedKind.EVENT_TRIGGER,
        NAMES_SK: MovedKind.EVENT_TRIGGER_NAMES,
    },
    # The runs that former jobs of a key began stay with them.
    "job-key": {"job-key": MovedKind.JOB_KEY, FORMER_PREFIX: None},
    "audit": {"": MovedKind.AUDIT},
}
#: The same of partitions that have the id of a job, of a DAG or of a DAG run.
_BY_ID: Mapping[str, MovedKind | None] = {
    "trigger#": MovedKind.TRIGGER_KEY,
    # A window of triggers ends with the run that it waits for.
    "collapse#": None,
    DAG_RUNS_PREFIX: MovedKind.DAG_RUN_ROW,
    DAG_VERSION_PREFIX: MovedKind.DAG_VERSION,
    DAG_RUN_SK: MovedKind.DAG_RUN,
    DAG_SK: MovedKind.DAG,
    VERSION_PREFIX: MovedKind.JOB_VERSION,
    GAP_PREFIX: MovedKind.GAP,
    JOB_SK: MovedKind.JOB,
    TASK_PREFIX: MovedKind.DAG_TASK,
    GOVERNOR_PREFIX: MovedKind.GOVERNOR,
}
_HOOKS = "#hooks#"


def owner_of(fields: Fields) -> TenantId | None:
    """The tenant whose an item is; ``None``: it is the stage's own."""
    pk = str(fields["pk"])
    if pk == TENANTS_PK:
        return TenantId(str(fields["sk"]))
    if pk.startswith(_HOOKS):
        tenant = fields.get("tenant")
        return TenantId(str(tenant)) if tenant is not None else None
    tenant, mark, _ = pk.partition("#")
    return TenantId(tenant) if mark and tenant and not _SHARD.fullmatch(pk) else None


def owner_of_blob(path: str) -> TenantId:
    """The tenant whose a text in the blob store is: the name behind the text's folder."""
    folder = RUN_PAYLOADS if path.startswith(f"{RUN_PAYLOADS}/") else path.partition("/")[0]
    return TenantId(path.removeprefix(f"{folder}/").partition("/")[0])


#: Kinds of which a job has its own.
_OF_JOBS = frozenset(
    {
        *(MovedKind.JOB, MovedKind.JOB_VERSION, MovedKind.JOB_KEY, MovedKind.ABSENCE_WATCH),
        *(MovedKind.GAP, MovedKind.RUN, MovedKind.LOG, MovedKind.TRIGGER_KEY),
    }
)


def job_named(kind: MovedKind, fields: Fields) -> str | None:
    """The job whose own an item is; ``None``: it is no job's."""
    if kind not in _OF_JOBS:
        return None
    if kind is MovedKind.JOB_KEY:
        return str(fields.get("job"))
    # Logs and gaps have partitions behind their job's.
    return str(fields["pk"]).removesuffix("#log").removesuffix("#gaps").rpartition("#")[2]


def kind_of(fields: Fields) -> MovedKind | None:
    """The kind of a tenant's item; ``None``: it stays. Raises ``Malformed`` for a kind unknown."""
    pk, sk = str(fields["pk"]), str(fields["sk"])
    if pk == TENANTS_PK or pk.startswith(_HOOKS):
        return MovedKind.TENANT if pk == TENANTS_PK else MovedKind.HOOK
    partition = pk.partition("#")[2]
    first = partition.partition("#")[0]
    if partition == PAUSES:
        return MovedKind.POOL_PAUSE
    if first in _STAYING or partition == _STREAKS or _is_freeze_of_stage(pk, first):
        return None
    if first in _BY_PARTITION:
        return _among(_BY_PARTITION[first], pk, sk)
    return _of_id(parse_job_id(first), partition, fields)


def _is_freeze_of_stage(pk: str, first: str) -> bool:
    """Tell if an item holds all tenants of its stage back: another stage has other tenants."""
    return first == "restrictions" and TENANT_NAME.fullmatch(pk.partition("#")[0]) is None


def _of_id(found: JobId | None, partition: str, fields: Fields) -> MovedKind | None:
    """The same for a partition that has an id."""
    pk, sk = str(fields["pk"]), str(fields["sk"])
    if is_barred(fields):
        return None
    if found is None:
        raise Malformed(f"{pk!r} is a partition that this release does not know.")
    if partition.endswith("#log"):
        return MovedKind.LOG
    return MovedKind.RUN if "state" in fields else _among(_BY_ID, pk, sk)


def _among(kinds: Mapping[str, MovedKind | None], pk: str, sk: str) -> MovedKind | None:
    for beginning, kind in kinds.items():
        if sk.startswith(beginning):
            return kind
    raise Malformed(f"{pk!r}, {sk!r} is a record that this release does not know.")
