"""``timegate admin erase``: a tenant, and everything of it."""

from datetime import datetime
from pathlib import Path

from infra.admin.export_file import WholeFile
from infra.admin.stage_access import StageAccess
from timegate.adapters.moving.tenant_records import DynamoTenantRecords
from timegate.domain.moving.erasure import ExportOutdated, check_erasable
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.usecases.moving.erase_tenant import Erased, Erasing, erase_tenant

RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:Scan, BatchGetItem, BatchWriteItem, PutItem and"
    " DeleteItem on the stage's tables, and s3:ListBucketVersions and DeleteObjectVersion on its"
    " bucket"
)


def erase(
    access: StageAccess,
    tenant: TenantId,
    *,
    exported: Path | None,
    even_at_work: bool,
    now: datetime,
) -> Erased:
    """Erase a tenant whose export is whole, or ``None``: that is not to be kept.

    Raises ``ErasureRefused``, and what reading the file raises.
    """
    settings = access.tenants.get(tenant)
    check_erasable(settings, now=now)
    file = WholeFile(exported) if exported is not None else None
    if file is not None:
        _check_file(file, access, settings)
    records = DynamoTenantRecords(
        access.engine, jobs_table=access.jobs_table, runs_table=access.runs_table
    )
    stage = Erasing(tenants=access.tenants, records=records, blobs=access.blobs)
    return erase_tenant(
        tenant,
        stage,
        even_at_work=even_at_work,
        exported_at=file.head.exported_at if file is not None else None,
        now=now,
    )


def _check_file(file: WholeFile, access: StageAccess, settings: TenantSettings) -> None:
    head = file.head
    if head.stage != access.name:
        raise ExportOutdated(f"it is of the stage {head.stage}")
    if head.tenant not in {None, settings.tenant}:
        raise ExportOutdated(f"it is of the tenant {head.tenant}")
    if head.tables != access.tables:
        named = " and ".join(head.tables) or "tables that it does not name"
        raise ExportOutdated(f"it was read from {named}, and not from the tables of the stage")
    if head.jobs:
        raise ExportOutdated(f"it has no more than {len(head.jobs)} jobs of the tenant")
    if file.left_out:
        raise ExportOutdated(f"its export left {file.left_out} records out, and named them")
    if not head.history:
        raise ExportOutdated("it has no history: runs, gaps and the audit trail would be gone")
    if settings.suspension is not None and head.exported_at < settings.suspension.since:
        raise ExportOutdated("it was begun before the tenant was suspended")
