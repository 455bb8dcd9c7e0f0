"""Erasing a tenant: its record refuses it first, and then everything of it is deleted."""

from datetime import datetime

from timegate.domain.moving.erasure import (
    ExportOutdated,
    NotErased,
    TenantAtWork,
    check_erasable,
    erased,
)
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import JOB_PAYLOADS, RUN_PAYLOADS
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import TenantChanged
from timegate.ports.blobs import ErasableBlobs
from timegate.ports.tenants.tenant_records import TenantRecords
from timegate.ports.tenants.tenant_store import TenantStore
from timegate.value_classes import dataclass

#: Scans until one meets nothing.
MOST_PASSES = 5
#: Where the bucket keeps what is too large for an item, by tenant.
BLOB_PLACES = (JOB_PAYLOADS, RUN_PAYLOADS, "results", "checkpoints")


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """Counts of deletions; a repetition meets less."""

    records: int
    blobs: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasing:
    """Records and texts of a stage, as an operator reaches them."""

    tenants: TenantStore
    records: TenantRecords
    blobs: ErasableBlobs


def erase_tenant(
    tenant: TenantId,
    stage: Erasing,
    *,
    even_at_work: bool,
    now: datetime,
    exported_at: datetime | None = None,
) -> Erased:
    """Delete everything of a suspended tenant but its name; ends when a scan meets nothing.

    ``exported_at``: the begin of the export that is kept; ``None``: none is. Raises
    ``TenantNotSuspended``, ``TenantAtWork`` and ``ExportOutdated`` before anything is changed,
    ``TenantChanged`` when another caller administers it, and ``NotErased``. May be repeated after
    any failure.
    """
    settings = stage.tenants.get(tenant)
    check_erasable(settings, now=now)
    found = stage.records.find(tenant)
    if found.at_work and not even_at_work:
        raise TenantAtWork(tenant, found.at_work)
    if exported_at is not None and found.last_end is not None and found.last_end >= exported_at:
        end, begin = rfc3339(found.last_end), rfc3339(exported_at)
        raise ExportOutdated(f"a run ended at {end}, after it was begun at {begin}: export again")
    after = erased(settings, now=now)
    # Holders of a token or a key are refused from here on, and make nothing again.
    if after != settings and not stage.tenants.put(tenant, settings, after):
        raise TenantChanged(tenant)
    records = 0
    for _ in range(MOST_PASSES):
        deleted = stage.records.erase(tenant)
        if not deleted:
            blobs = sum(stage.blobs.erase(f"{place}/{tenant}/") for place in BLOB_PLACES)
            return Erased(records=records, blobs=blobs)
        records += deleted
    raise NotErased(tenant, stage.records.find(tenant).count)
