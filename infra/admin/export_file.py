"""The file of an export: it grows in a part file, which has its name once it is whole."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from timegate.domain.moving.errors import ExportDamaged, ExportDiffers, ExportUnknown
from timegate.domain.moving.export_lines import Chain, ExportHead, checked
from timegate.domain.moving.moved_kinds import MovedKind


class GrowingFile:
    """An export under way: what is behind its last mark was cut short, and is written again."""

    def __init__(self, path: Path, head: ExportHead) -> None:
        """Begin a file, or go on with the one that is there; raises ``ExportDiffers``."""
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._chain = Chain()
        self.place: Mapping[str, Any] | None = None
        self.blobs: set[str] = set()
        #: Records that could not be read; those since the last mark are told with the next one.
        self.left_out: list[str] = []
        self._told = 0
        self._records: Counter[str] = Counter()
        self.resumed = self._part.exists()
        self.head = self._taken_up(head) if self.resumed else head
        self._open: IO[str] = self._part.open("a", encoding="utf-8", newline="\n")
        if self._chain.lines == 0:
            self._open.write(self._chain.line(head.body()))

    def add(self, body: Mapping[str, Any]) -> None:
        """Append a line."""
        self._records[str(body["kind"])] += 1
        self._open.write(self._chain.line(body))

    def leave_out(self, names: Sequence[str]) -> None:
        """Name records that the file lacks; they are told with the next mark, or at its end."""
        self.left_out += names

    def mark(self, place: Mapping[str, Any]) -> None:
        """Say that everything before a place is in the file, and see to it that it is."""
        self._open.write(self._chain.line({"mark": place, **self._untold()}))
        self._flush()

    def finish(self) -> Mapping[str, int]:
        """End the file, and give it its name; returns how many records of each kind it has."""
        self._open.write(self._chain.line({"end": dict(self._records), **self._untold()}))
        self._flush()
        self.close()
        self._part.replace(self._path)
        return dict(self._records)

    def close(self) -> None:
        """Leave the file as it is."""
        self._open.close()

    def _untold(self) -> dict[str, Any]:
        """Return what was left out since the last mark, if anything was."""
        names, self._told = self.left_out[self._told :], len(self.left_out)
        return {"left_out": names} if names else {}

    def _flush(self) -> None:
        self._open.flush()
        os.fsync(self._open.fileno())

    def _taken_up(self, head: ExportHead) -> ExportHead:
        """Read what is whole, and cut off what is behind the last mark."""
        found, kept = head, _Kept()
        for body, size, chain in _whole_lines(self._part):
            if chain.lines == 1:
                found = ExportHead.read(body)
                if not found.is_for(head):
                    raise ExportDiffers(str(self._part))
            kept.take(body, size, chain)
        os.truncate(self._part, kept.size)
        self.place, self.blobs = kept.place, kept.blobs
        self._records, self._chain = kept.records, kept.chain
        self.left_out, self._told = kept.left_out, len(kept.left_out)
        return found


@dataclass(kw_only=True, slots=True)
class _Kept:
    """Contents of a part file up to its last mark."""

    size: int = 0
    place: Mapping[str, Any] | None = None
    chain: Chain = field(default_factory=Chain)
    blobs: set[str] = field(default_factory=set)
    records: Counter[str] = field(default_factory=Counter)
    left_out: list[str] = field(default_factory=list)
    #: Records behind the last mark.
    behind: list[Mapping[str, Any]] = field(default_factory=list)

    def take(self, body: Mapping[str, Any], size: int, chain: Chain) -> None:
        """Take a line; a mark, and the head, keep what is before them."""
        if "kind" in body:
            self.behind.append(body)
            return
        if "mark" not in body and chain.lines > 1:
            return
        self.size, self.place, self.chain = size, body.get("mark"), chain.copy()
        self.records.update(str(each["kind"]) for each in self.behind)
        self.left_out += body.get("left_out", ())
        blobs = (each["item"]["path"] for each in self.behind if each["kind"] == MovedKind.BLOB)
        self.blobs.update(blobs)
        self.behind.clear()


def _whole_lines(path: Path) -> Iterator[tuple[Mapping[str, Any], int, Chain]]:
    """Yield lines up to the first that is damaged, each with the size of the file behind it."""
    chain, size = Chain(), 0
    with path.open(encoding="utf-8", newline="\n", errors="surrogateescape") as lines:
        for line in lines:
            try:
                body = chain.body(line)
            except ExportDamaged:
                return
            size += len(line.encode(errors="surrogateescape"))
            yield body, size, chain


class WholeFile:
    """An export that is read: its checksums first, then its records in the order of their kinds."""

    def __init__(self, path: Path) -> None:
        """Check every line.

        Raises ``ExportDamaged``, ``ExportIncomplete`` and ``ExportUnknown``.
        """
        self._path = path
        self._places: dict[MovedKind, list[int]] = {kind: [] for kind in MovedKind}
        offset, left_out, heads = 0, 0, list[ExportHead]()
        with path.open("rb") as lines:
            sizes: list[int] = []
            for body in checked(_measured(lines, sizes)):
                if not heads:
                    heads.append(ExportHead.read(body))
                left_out += len(body.get("left_out", ()))
                if "kind" in body:
                    self._places[_kind(body)].append(offset)
                offset += sizes.pop()
        (self.head,) = heads
        #: How many records the export could not read.
        self.left_out = left_out
        self.records = sum(len(places) for places in self._places.values())

    def in_order(self) -> Iterator[Mapping[str, Any]]:
        """Yield the records, in the order in which a stage stores them."""
        with self._path.open("rb") as lines:
            for places in self._places.values():
                for place in places:
                    lines.seek(place)
                    yield Chain.read(lines.readline().decode())


def _measured(lines: Iterable[bytes], sizes: list[int]) -> Iterator[str]:
    for line in lines:
        sizes.append(len(line))
        yield line.decode(errors="surrogateescape")


def _kind(body: Mapping[str, Any]) -> MovedKind:
    try:
        return MovedKind(body["kind"])
    except ValueError as error:
        raise ExportUnknown(f"it has records of the kind {body['kind']!r}") from error
