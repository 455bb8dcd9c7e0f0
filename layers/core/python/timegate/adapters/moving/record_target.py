"""Records that move into a stage: each is stored unless its key exists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.jobs.job_items import (
    as_read,
    awaited_fields,
    due_fields,
    job_from_fields,
    timing_from_fields,
)
from timegate.adapters.dynamo.runs.items.attempt_items import IMPORTED_AT
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query
from timegate.adapters.dynamo.tables.keys import Key, job_pk
from timegate.adapters.dynamo.tables.values import Plain, from_item
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.adapters.dynamo.tenants.tenant_items import tenant_from_fields, tenant_key
from timegate.adapters.moving.item_kinds import kind_of, owner_of, owner_of_blob
from timegate.adapters.moving.merged_records import merge
from timegate.adapters.moving.moved_dag_runs import MovedDagRuns
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.jobs.job import Job
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.moving.taken_over import checked_until, completed_elsewhere
from timegate.domain.runs.run_states import TERMINAL, RunState
from timegate.domain.tenants.tenant_settings import MoveState, TenantSettings
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.tenants.moving import MovedRecord, StoreEffect

#: Kinds whose records lie in the table of runs.
_OF_RUNS = frozenset(
    {
        MovedKind.RUN,
        MovedKind.LOG,
        MovedKind.DAG_RUN,
        MovedKind.DAG_TASK,
        MovedKind.GOVERNOR,
        MovedKind.DAG_RUN_ROW,
    }
)
#: One record has all of its kind: what moves in is put beside what is there.
_MERGED = frozenset({MovedKind.IN_FORCE, MovedKind.EVENT_TRIGGER_NAMES, MovedKind.TENANT})
#: Definitions that the stage of a tenant changes until the tenant has arrived here.
_DEFINED = frozenset(
    {
        *(MovedKind.CALENDAR, MovedKind.FREEZE, MovedKind.DAG, MovedKind.RULE),
        *(MovedKind.JOB_KEY, MovedKind.EVENT_TRIGGER, MovedKind.HOOK, MovedKind.POOL_PAUSE),
    }
)
#: Fields that differ between two states of a definition; one of its own has every hook, its tenant.
_MARKS = ("version", "revision", "lifted_at", "job", "tenant", "deleted")
#: Fields that tell one definition from another; the rest of a record goes on by itself.
_TELLING: Mapping[MovedKind, Sequence[str]] = {
    MovedKind.JOB: ("version", "plan", "work", "name", "created_at"),
    MovedKind.JOB_KEY: ("job",),
    MovedKind.ABSENCE_WATCH: (),
    MovedKind.RULE_WATCH: (),
    MovedKind.RUN: ("state", "fence", "ended_at"),
}
#: Runs of a job that are looked at for one that is open; sort keys of runs begin with an instant.
_LATEST = 100
_RUNS = ("0", "9~")
_OPEN = tuple(each.value for each in RunState if each not in TERMINAL)


class DynamoRecordTarget:
    """Conditional writes side by side; a refused one costs a read, to tell what is there."""

    def __init__(
        self,
        engine: Engine,
        *,
        jobs_table: str,
        runs_table: str,
        shards: ShardPlacement,
        cursors: DynamoAuditCursorStore,
    ) -> None:
        self._engine = engine
        self._jobs, self._runs = jobs_table, runs_table
        self._shards = shards
        self._cursors = cursors
        self._dag_runs = MovedDagRuns(engine, runs_table)
        self._tenants: set[TenantId] = set()
        self._settings: dict[TenantId, TenantSettings | None] = {}

    def tenants(self) -> frozenset[TenantId]:
        """Return the tenants whose records were stored."""
        return frozenset(self._tenants)

    def stays(self, record: MovedRecord) -> bool:
        """Tell if a record is its stage's own, which an earlier release exported."""
        return record.kind is not MovedKind.BLOB and kind_of(from_item(record.item)) is None

    def erased_owner(self, record: MovedRecord) -> TenantId | None:
        """Return the tenant whose a record is, if it was erased here."""
        owner = (
            owner_of_blob(str(record.item["path"]))
            if record.kind is MovedKind.BLOB
            else owner_of(from_item(record.item))
        )
        settings = self._settings_of(owner) if owner is not None else None
        return owner if settings is not None and settings.erased_at is not None else None

    def store(self, records: Sequence[MovedRecord], *, now: datetime) -> list[StoreEffect]:
        """Store records of one kind, each unless its key exists. Raises ``Throttled``."""
        kind, items = records[0].kind, [from_item(each.item) for each in records]
        self._tenants |= {owner for each in items if (owner := owner_of(each)) is not None}
        if kind in _MERGED:
            return [self._merge(kind, each) for each in items]
        if kind is MovedKind.JOB:
            items = self._open(items, now)
        if kind is MovedKind.RUN:
            items = [{**each, IMPORTED_AT: compact(now)} for each in items]
        moved = [each for each in items if not self._dag_runs.left_out(kind, each)]
        table = self._runs if kind in _OF_RUNS else self._jobs
        written = self._engine.write_each([Insert(table=table, fields=each) for each in moved])
        refused = [each for each, result in zip(moved, written, strict=True) if not result.done]
        found = self._engine.get_all({table: [_key(each) for each in refused]})[table]
        self._update(kind, refused, found)
        if kind is MovedKind.DAG_RUN:
            self._dag_runs.note(moved, found)
        effects = {
            _key(each): StoreEffect.STORED
            if result.done
            else _effect(kind, each, found.get(_key(each)))
            for each, result in zip(moved, written, strict=True)
        }
        return [effects.get(_key(each), StoreEffect.PRESENT) for each in items]

    def _update(self, kind: MovedKind, refused: Sequence[Fields], found: dict[Key, Fields]) -> None:
        """Bring what is there up to date, where its tenant arrives."""
        if kind is MovedKind.JOB:
            self._bring_jobs_up_to_date(refused, found)
        elif kind is MovedKind.RUN:
            self._bring_runs_up_to_date(refused, found)
        elif kind in _DEFINED:
            self._bring_up_to_date(refused, found)
        else:
            arriving = [each for each in refused if self._arrives(owner_of(each))]
            self._dag_runs.bring_up_to_date(kind, arriving, found)

    def _merge(self, kind: MovedKind, fields: Fields) -> StoreEffect:
        owner = owner_of(fields)
        arrives = owner is not None and self._arrives(owner)
        return merge(self._engine, self._jobs, kind, fields, arrives=arrives)

    def _bring_up_to_date(self, ours: Sequence[Fields], theirs: dict[Key, Fields]) -> None:
        """Replace definitions of tenants that arrive, which no caller can change here yet."""
        for each in ours:
            found = theirs.get(_key(each))
            if found is None or found == each or not self._arrives(owner_of(each)):
                continue
            where = {name: found.get(name) for name in _MARKS if name in found.keys() | each.keys()}
            replaced = Replace(table=self._jobs, fields=each, where=where)
            if self._engine.write(replaced).done:
                theirs[_key(each)] = each

    def _bring_jobs_up_to_date(self, ours: Sequence[Fields], theirs: dict[Key, Fields]) -> None:
        """Replace jobs of tenants that arrive: their stage has moved them since an earlier import.

        None of them is planned or changed here; a job that was all the same is left as it is.
        """
        for each in ours:
            found = theirs.get(_key(each))
            if found is None or not self._arrives(owner_of(each)):
                continue
            before = timing_from_fields(found)
            if as_read(before) == as_read(timing_from_fields(each)):
                continue
            replaced = Replace(table=self._jobs, fields=each, where=as_read(before))
            if self._engine.write(replaced).done:
                theirs[_key(each)] = each

    def _bring_runs_up_to_date(self, ours: Sequence[Fields], theirs: dict[Key, Fields]) -> None:
        """Settle dead letters of tenants that arrive, if their stage has settled them since.

        The run that a redrive opened may stay there, and would be opened here again. Runs of this
        stage's own are left as they are.
        """
        for each in ours:
            found = theirs.get(_key(each), {})
            is_new = "resolution" in each and "resolution" not in found and IMPORTED_AT in found
            if not is_new or not self._arrives(owner_of(each)):
                continue
            where = {IMPORTED_AT: found[IMPORTED_AT], "resolution": None}
            replaced = Replace(table=self._runs, fields=each, where=where)
            if self._engine.write(replaced).done:
                theirs[_key(each)] = each

    def _arrives(self, tenant: TenantId | None) -> bool:
        """Tell if its other stage still decides what the tenant has."""
        settings = self._settings_of(tenant) if tenant is not None else None
        move = settings.move if settings is not None else None
        return move is not None and move.state is MoveState.ARRIVING

    def _settings_of(self, tenant: TenantId) -> TenantSettings | None:
        """A tenant's settings as they were at its first record."""
        if tenant not in self._settings:
            found = self._engine.get(self._jobs, tenant_key(tenant))
            self._settings[tenant] = tenant_from_fields(found) if found is not None else None
        return self._settings[tenant]

    def _open(self, items: Sequence[Fields], now: datetime) -> list[Fields]:
        """Place jobs in this stage's shards, with audit cursors that begin where it begins.

        They are awaited from now on: their successes may be on record in another stage alone.
        """
        jobs = [self._taken_over(job_from_fields(each)) for each in items]
        # First: an auditor that meets a job without one would look for instants of before.
        self._cursors.add([self._cursor(job, now) for job in jobs], now=now)
        shards = self._shards()
        return [
            {
                **each,
                "status": job.timing.status.value,
                "version": job.timing.version,
                **awaited_fields(now),
                **due_fields(job.timing, shards=shards, at=now),
            }
            for each, job in zip(items, jobs, strict=True)
        ]

    def _taken_over(self, job: Job) -> Job:
        """Complete a job of which the other stage has the last run, unless this stage has it."""
        after = completed_elsewhere(job.timing)
        is_same = after == job.timing or self._has_open_run(job)
        return job if is_same else replace(job, timing=after)

    def _has_open_run(self, job: Job) -> bool:
        """Tell if one of the job's latest runs is open here: it is back where it was lost."""
        latest = Query(
            table=self._runs,
            of=job_pk(job.tenant, job.job_id),
            first=_RUNS[0],
            last=_RUNS[1],
            only={"state": _OPEN},
            latest_first=True,
            limit=_LATEST,
        )
        return bool(self._engine.query(latest).items)

    def _cursor(self, job: Job, now: datetime) -> AuditCursor:
        return AuditCursor(
            tenant=job.tenant,
            job_id=job.job_id,
            version=job.timing.version,
            checked_until=checked_until(job.timing, imported_at=now),
            check_at=now,
            counted=None,
        )


def _key(fields: Mapping[str, Plain]) -> Key:
    return Key(pk=str(fields["pk"]), sk=str(fields["sk"]))


def _effect(kind: MovedKind, ours: Fields, theirs: Fields | None) -> StoreEffect:
    """Tell a record that was stored before from another one of its key."""
    if theirs is None:
        # It was there, and has expired meanwhile.
        return StoreEffect.PRESENT
    names = _TELLING.get(kind, [*(ours.keys() | theirs.keys()) - {"expires_at"}])
    same = all(ours.get(name) == theirs.get(name) for name in names)
    return StoreEffect.PRESENT if same else StoreEffect.DIFFERENT
