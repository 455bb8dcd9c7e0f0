"""Parquet's numbers: ids of types, encodings and codecs.

https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
"""

from typing import Any

from timegate.adapters.parquet.compact import I32
from timegate.domain.archive.columns import CellKind

MAGIC = b"PAR1"
#: Physical types.
INT64, BYTE_ARRAY = 2, 6
OPTIONAL = 1
UTF8 = 0
PLAIN, RLE = 0, 3
GZIP = 2
DATA_PAGE = 0

PHYSICAL = {
    CellKind.TEXT: BYTE_ARRAY,
    CellKind.NUMBER: INT64,
    CellKind.INSTANT: INT64,
}
#: Logical types: text, and microseconds of a clock that stands at UTC.
LOGICAL: dict[CellKind, dict[int, Any]] = {
    CellKind.TEXT: {1: {}},
    CellKind.INSTANT: {8: {1: False, 2: {2: {}}}},
}
CONVERTED = {CellKind.TEXT: I32(UTF8)}
