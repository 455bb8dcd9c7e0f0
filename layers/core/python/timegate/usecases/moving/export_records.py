"""Exporting: a stage's records as lines of a file, from where an earlier try ended."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.values.errors import Malformed
from timegate.ports.blobs import BlobStore
from timegate.ports.tenants.moving import MovedRecord, RecordSource
from timegate.value_classes import dataclass


class ExportFile(Protocol):
    """A file that grows by whole pages."""

    #: The place behind the last page that is whole; ``None``: there is none.
    place: Mapping[str, Any] | None
    #: Paths of blobs that are in it.
    blobs: set[str]

    def add(self, body: Mapping[str, Any]) -> None:
        """Append a line."""

    def leave_out(self, names: Sequence[str]) -> None:
        """Name records that the file lacks; they are told with the next mark, or at its end."""

    def mark(self, place: Mapping[str, Any]) -> None:
        """Say that everything before a place is in the file, and see to it that it is."""


@dataclass(kw_only=True, slots=True)
class ExportCounts:
    """Counts of one call; a resumed one has those of the rest."""

    records: Counter[MovedKind] = field(default_factory=Counter)
    #: Records that this release does not know, and jobs that it cannot read.
    unknown: list[str] = field(default_factory=list)
    #: Paths of blobs that exist no more.
    lost: list[str] = field(default_factory=list)


def export_records(source: RecordSource, blobs: BlobStore, file: ExportFile) -> ExportCounts:
    """Append what a stage has behind the place that the file has reached; raises ``Throttled``."""
    counts = ExportCounts()
    for page in source.pages(after=file.place):
        counts.unknown += page.unknown
        file.leave_out(page.unknown)
        for record in page.records:
            for path in record.blobs:
                _add_blob(path, blobs, file, counts)
            _add(record, file, counts)
        if page.after is not None:
            file.mark(page.after)
    return counts


def _add(record: MovedRecord, file: ExportFile, counts: ExportCounts) -> None:
    file.add({"kind": record.kind.value, "item": record.item})
    counts.records[record.kind] += 1


def _add_blob(path: str, blobs: BlobStore, file: ExportFile, counts: ExportCounts) -> None:
    """Add a text once; results expire before the runs that name them."""
    if path in file.blobs:
        return
    try:
        text = blobs.get(path)
    except Malformed:
        counts.lost.append(path)
        return
    file.blobs.add(path)
    _add(MovedRecord(kind=MovedKind.BLOB, item={"path": path, "text": text}), file, counts)
