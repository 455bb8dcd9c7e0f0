"""Importing: records of a file are stored unless they are there, so it may be repeated."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from timegate.domain.execution.quota_usage import Quota
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.tenants.moving import MovedRecord, RecordTarget, StoreEffect
from timegate.usecases.auditing.recount import recount, repair
from timegate.value_classes import dataclass

#: Records stored side by side.
STEP = 100
#: A tenant with more is recounted by its operator (``timegate admin quotas``).
MOST_COUNTED = 1_000_000
#: Keys of records that differ, of which so many are told.
_TOLD = 20


@dataclass(kw_only=True, slots=True)
class ImportCounts:
    """Effects on the records of the file."""

    stored: Counter[MovedKind] = field(default_factory=Counter)
    present: int = 0
    different: int = 0
    #: Some of those that differ.
    told: list[str] = field(default_factory=list)
    #: Records that were left out, by the tenant that was erased in this stage.
    erased: Counter[TenantId] = field(default_factory=Counter)
    #: Tenants whose quotas were not counted: they changed all the time.
    uncounted: list[TenantId] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """Return them for people and programs."""
        return {
            "stored": {kind.value: number for kind, number in self.stored.items() if number},
            "present": self.present,
            "different": self.different,
            "differing": self.told,
            "erased": dict(self.erased),
            "uncounted": list(self.uncounted),
        }


def import_records(
    records: Iterable[Mapping[str, Any]],
    target: RecordTarget,
    blobs: BlobStore,
    usage: UsageStore,
    *,
    now: datetime,
    settle: Callable[[], None],
) -> ImportCounts:
    """Store what another stage had, in the order of ``MovedKind``; raises ``Throttled``.

    Each record is one conditional write that replaces nothing: a repetition goes on behind the
    last, and leaves what has changed since as it is. Nothing of a tenant that was erased here
    comes back. ``settle``: waits until the index shows what was stored, which is counted then.
    """
    counts = ImportCounts()
    kind, run = None, list[MovedRecord]()
    for body in records:
        record = MovedRecord(kind=MovedKind(body["kind"]), item=body["item"])
        if target.stays(record):
            continue
        if (owner := target.erased_owner(record)) is not None:
            counts.erased[owner] += 1
            continue
        if record.kind is not kind or len(run) == STEP:
            _store(run, target, blobs, counts, now)
            kind, run = record.kind, []
        run.append(record)
    _store(run, target, blobs, counts, now)
    settle()
    counts.uncounted += [each for each in sorted(target.tenants()) if not _counted(each, usage)]
    return counts


def _store(
    run: list[MovedRecord],
    target: RecordTarget,
    blobs: BlobStore,
    counts: ImportCounts,
    now: datetime,
) -> None:
    if not run:
        return
    if run[0].kind is MovedKind.BLOB:
        for each in run:
            blobs.put(each.item["path"], each.item["text"])
        counts.stored[MovedKind.BLOB] += len(run)
        return
    for each, effect in zip(run, target.store(run, now=now), strict=True):
        counts.stored[each.kind] += effect is StoreEffect.STORED
        counts.present += effect is StoreEffect.PRESENT
        if effect is StoreEffect.DIFFERENT:
            counts.different += 1
            key = f"{each.item['pk']['S']} {each.item['sk']['S']}"
            counts.told += [key] * (len(counts.told) < _TOLD)


def _settled() -> None:
    """Wait for nothing: all was stored, for all tenants, before the index had its time."""


def _counted(tenant: TenantId, usage: UsageStore) -> bool:
    """Count what the tenant has now against its quotas; a repetition counts again."""
    for quota in (Quota.JOBS, Quota.DAGS):
        found = recount(tenant, quota, usage, _settled, most=MOST_COUNTED)
        if found is None or (found.drift and not repair(found, usage)):
            return False
    return True
