"""Rows as a Parquet file: flat columns that may be null, plain values, pages packed by gzip.

Every reader of Parquet has these parts of the format. ``tests`` read the files with DuckDB.
"""

import struct
import zlib
from collections.abc import Sequence
from typing import Any

from timegate.adapters.parquet.compact import I32, encode_struct, varint
from timegate.adapters.parquet.layout import (
    CONVERTED,
    DATA_PAGE,
    GZIP,
    LOGICAL,
    MAGIC,
    OPTIONAL,
    PHYSICAL,
    PLAIN,
    RLE,
)
from timegate.adapters.parquet.reader import count_rows
from timegate.domain.archive.columns import COLUMNS, ArchivedRow, Cell, CellKind, Column, RecordKind

#: Rows that a reader has in memory at once.
ROWS_PER_GROUP = 50_000
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_CREATED_BY = "timegate"


class ParquetFiles:
    """The format of the archive's files."""

    def encode(self, kind: RecordKind, rows: Sequence[ArchivedRow]) -> bytes:
        """Return a file of these rows; the same rows give the same bytes."""
        columns = COLUMNS[kind]
        out = bytearray(MAGIC)
        groups = [
            _row_group(out, columns, rows[start : start + ROWS_PER_GROUP])
            for start in range(0, len(rows), ROWS_PER_GROUP)
        ]
        footer = encode_struct(
            {
                1: I32(1),
                2: [{4: "schema", 5: I32(len(columns))}, *map(_schema_element, columns)],
                3: len(rows),
                4: groups,
                6: _CREATED_BY,
            }
        )
        return bytes(out) + footer + struct.pack("<i", len(footer)) + MAGIC

    def count(self, content: bytes) -> int:
        """Return how many rows a file has; raises ``Malformed`` for what is no such file."""
        return count_rows(content)


def _schema_element(column: Column) -> dict[int, Any]:
    return {
        1: I32(PHYSICAL[column.kind]),
        3: I32(OPTIONAL),
        4: column.name,
        6: CONVERTED.get(column.kind),
        10: LOGICAL.get(column.kind),
    }


def _row_group(
    out: bytearray, columns: Sequence[Column], rows: Sequence[ArchivedRow]
) -> dict[int, Any]:
    began = len(out)
    chunks = [
        _column_chunk(out, column, [row.cells.get(column.name) for row in rows])
        for column in columns
    ]
    return {1: chunks, 2: len(out) - began, 3: len(rows)}


def _column_chunk(out: bytearray, column: Column, cells: Sequence[Cell]) -> dict[int, Any]:
    """Append the one page of a column; return its place."""
    began = len(out)
    plain = _levels(cells) + _plain(column.kind, [cell for cell in cells if cell is not None])
    packer = zlib.compressobj(wbits=_GZIP_WINDOW)
    packed = packer.compress(plain) + packer.flush()
    page = {1: I32(len(cells)), 2: I32(PLAIN), 3: I32(RLE), 4: I32(RLE)}
    header = encode_struct({1: I32(DATA_PAGE), 2: I32(len(plain)), 3: I32(len(packed)), 5: page})
    out += header + packed
    meta = {
        1: I32(PHYSICAL[column.kind]),
        2: [I32(PLAIN), I32(RLE)],
        3: [column.name],
        4: I32(GZIP),
        5: len(cells),
        6: len(header) + len(plain),
        7: len(header) + len(packed),
        9: began,
    }
    return {2: began, 3: meta}


def _levels(cells: Sequence[Cell]) -> bytes:
    """Return a bit for each cell that is not null, or one run where all are alike."""
    present = [cell is not None for cell in cells]
    if len(set(present)) == 1:
        runs = varint(len(cells) << 1) + bytes([present[0]])
    else:
        groups = -(-len(cells) // 8)
        bits = sum(1 << place for place, is_there in enumerate(present) if is_there)
        runs = varint(groups << 1 | 1) + bits.to_bytes(groups, "little")
    return struct.pack("<i", len(runs)) + runs


def _plain(kind: CellKind, cells: Sequence[Cell]) -> bytes:
    if kind is not CellKind.TEXT:
        return struct.pack(f"<{len(cells)}q", *cells)
    texts = [str(cell).encode() for cell in cells]
    return b"".join(struct.pack("<i", len(text)) + text for text in texts)
