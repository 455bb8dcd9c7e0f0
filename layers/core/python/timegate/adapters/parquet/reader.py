"""Rows of the files that ``writer`` writes; files of other programs may be packed otherwise."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from timegate.adapters.parquet.compact import CompactReader
from timegate.adapters.parquet.layout import GZIP, INT64, MAGIC, PLAIN
from timegate.domain.archive.columns import Cell
from timegate.domain.values.errors import Malformed

_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_TAIL = 8


def read_rows(content: bytes, columns: Sequence[str]) -> list[dict[str, Cell]]:
    """Return the named columns of every row; raises ``Malformed`` for what is no such file."""
    with _damage_told():
        return list(_rows(content, columns))


def read_groups(content: bytes, columns: Sequence[str]) -> Iterator[list[dict[str, Cell]]]:
    """Yield the same group by group, so that one is in memory at a time."""
    with _damage_told():
        for group in _footer(content)[4]:
            yield list(_group_rows(content, group, columns))


def count_rows(content: bytes) -> int:
    """Return how many rows a file has; raises ``Malformed`` for what is no such file."""
    with _damage_told():
        return int(_footer(content)[3])


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except (IndexError, KeyError, ValueError, struct.error, zlib.error) as error:
        raise Malformed(f"The file is no Parquet of the archive: {error!r}") from error


def _rows(content: bytes, columns: Sequence[str]) -> Iterator[dict[str, Cell]]:
    for group in _footer(content)[4]:
        yield from _group_rows(content, group, columns)


def _group_rows(
    content: bytes, group: dict[int, Any], columns: Sequence[str]
) -> Iterator[dict[str, Cell]]:
    chunks = {chunk[3][3][0].decode(): chunk[3] for chunk in group[1]}
    read = [_column(content, chunks[name]) if name in chunks else None for name in columns]
    for place in range(group[3]):
        yield {
            name: cells[place] if cells is not None else None
            for name, cells in zip(columns, read, strict=True)
        }


def _footer(content: bytes) -> dict[int, Any]:
    if content[:4] != MAGIC or content[-4:] != MAGIC:
        message = "no Parquet"
        raise ValueError(message)
    (size,) = struct.unpack("<i", content[-_TAIL:-4])
    return CompactReader(content, len(content) - _TAIL - size).struct()


def _column(content: bytes, meta: dict[int, Any]) -> list[Cell]:
    header = CompactReader(content, meta[9])
    page = header.struct()
    if meta[4] != GZIP or page[5][2] != PLAIN:
        message = "a page is not packed as the archive's are"
        raise ValueError(message)
    plain = zlib.decompress(content[header.at : header.at + page[3]], _GZIP_WINDOW)
    (size,) = struct.unpack_from("<i", plain)
    present = _present(plain[4 : 4 + size], page[5][1])
    values = _values(plain, 4 + size, sum(present), is_number=meta[1] == INT64)
    return [next(values) if is_there else None for is_there in present]


def _present(levels: bytes, count: int) -> list[bool]:
    reader = CompactReader(levels)
    head = reader.varint()
    if not head & 1:
        return [bool(levels[reader.at])] * count
    bits = int.from_bytes(levels[reader.at :], "little")
    return [bool(bits >> place & 1) for place in range(count)]


def _values(plain: bytes, at: int, count: int, *, is_number: bool) -> Iterator[Cell]:
    if is_number:
        yield from struct.unpack_from(f"<{count}q", plain, at)
        return
    for _ in range(count):
        (size,) = struct.unpack_from("<i", plain, at)
        at += 4 + size
        yield plain[at - size : at].decode()
