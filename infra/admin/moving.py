"""``timegate admin export`` and ``import``: what a tenant has, or all tenants, as a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from infra.admin.export_file import GrowingFile, WholeFile
from infra.admin.stage_access import StageAccess
from timegate.adapters.moving.record_source import MovedScope
from timegate.adapters.moving.record_target import DynamoRecordTarget
from timegate.domain.moving.errors import TableNotReady
from timegate.domain.moving.export_lines import ExportHead
from timegate.usecases.moving.as_moved import as_moved
from timegate.usecases.moving.export_records import ExportCounts, export_records
from timegate.usecases.moving.import_records import ImportCounts, import_records

if TYPE_CHECKING:
    from timegate.domain.values.tenant import TenantId

#: Items that a page looks at; what is behind the last whole page is read again after a crash.
PAGE = 1_000
#: Without the right to list, S3 refuses a text that has expired, and does not say that it is gone.
EXPORT_RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:Scan and dynamodb:Query on the stage's tables, and"
    " s3:GetObject and ListBucket on its bucket"
)
IMPORT_RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:GetItem, BatchGetItem, Query, PutItem and UpdateItem"
    " on the stage's tables, and s3:PutObject on its bucket"
)


@dataclass(frozen=True, kw_only=True)
class Exported:
    """One export that is whole."""

    head: ExportHead
    #: Records of the whole file, by kind.
    records: Mapping[str, int]
    #: Records of this call.
    counts: ExportCounts
    #: Records of the whole file's scope that could not be read.
    left_out: Sequence[str]
    resumed: bool

    def data(self) -> dict[str, Any]:
        """Return it for people and programs."""
        return {
            "stage": self.head.stage,
            "tenant": self.head.tenant,
            "history": self.head.history,
            "resumed": self.resumed,
            "records": dict(sorted(self.records.items())),
            "unknown": self.left_out,
            "lost": self.counts.lost,
        }


def export_stage(
    access: StageAccess,
    path: Path,
    *,
    tenant: "TenantId | None",
    history: bool,
    now: datetime,
    jobs: Sequence[str] = (),
) -> Exported:
    """Write a file, or the rest of one that was cut short.

    Raises ``MoveRefused``, also for a table that is not there, or not yet.
    """
    head = ExportHead(
        stage=access.name,
        tenant=tenant,
        history=history,
        exported_at=now,
        jobs=tuple(sorted(jobs)),
        tables=access.tables,
    )
    file = GrowingFile(path, head)
    scope = MovedScope(tenant=tenant, history=history, jobs=frozenset(jobs))
    moved = partial(as_moved, runs=access.runs, now=now)
    source = access.records(scope, taken_over=moved, page=PAGE)
    try:
        counts = export_records(source, access.blobs, file)
        records = file.finish()
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        raise TableNotReady(access.tables) from error
    finally:
        file.close()
    return Exported(
        head=file.head,
        records=records,
        counts=counts,
        left_out=file.left_out,
        resumed=file.resumed,
    )


def restored(access: StageAccess, jobs_table: str | None, runs_table: str | None) -> StageAccess:
    """The stage as tables have it that were restored from a point in time."""
    return replace(
        access,
        jobs_table=jobs_table or access.jobs_table,
        runs_table=runs_table or access.runs_table,
    )


def import_stage(access: StageAccess, path: Path, *, now: datetime) -> ImportCounts:
    """Store what a file has, unless it is there; raises ``MoveRefused`` before it writes."""
    file = WholeFile(path)
    target = DynamoRecordTarget(
        access.engine,
        jobs_table=access.jobs_table,
        runs_table=access.runs_table,
        shards=access.shards,
        cursors=access.audit_cursors,
    )
    return import_records(
        file.in_order(), target, access.blobs, access.usage, now=now, settle=access.settle
    )
