"""The size of a local stack: what it holds, and the hint at AWS."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infra.local.cloud import STATE, LocalCloud

#: Records from which on a stage on AWS serves better: the emulator holds all of them in one
#: process's memory. ``docs/operations/local-cloud.md`` has the measurement.
MANY_RECORDS = 50_000


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """The records and bytes of one local stack."""

    #: Items of all tables.
    records: int
    tables: int
    #: On disk, by the last snapshot.
    kept_bytes: int

    def lines(self) -> Iterator[str]:
        """Yield whole sentences for the terminal."""
        size = f"{self.kept_bytes / 1e6:,.1f} MB on disk"
        yield f"It holds {self.records:,} records in {self.tables} tables, {size}."
        if self.records > MANY_RECORDS:
            yield (
                f"Beyond {MANY_RECORDS:,} records a stage on AWS keeps time better than one "
                "process on this machine: docs/operations/deploying.md."
            )


def holdings(cloud: LocalCloud) -> Holdings:
    """Count the items of every table, and the bytes of the state that is kept."""
    dynamodb = cloud.client("dynamodb")
    pages = dynamodb.get_paginator("list_tables").paginate()
    names = [name for page in pages for name in page["TableNames"]]
    counts = [dynamodb.describe_table(TableName=name)["Table"]["ItemCount"] for name in names]
    state = Path(cloud.home) / STATE
    kept = sum(each.stat().st_size for each in state.rglob("*") if each.is_file())
    return Holdings(records=sum(counts), tables=len(names), kept_bytes=kept)
