"""Thrift's compact protocol, as far as Parquet's metadata needs it.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from collections.abc import Mapping, Sequence
from typing import Any

from timegate.value_classes import dataclass

_TRUE, _FALSE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 5, 6, 8, 9, 12
_SHORT_LIST = 15


@dataclass(frozen=True, slots=True)
class I32:
    """A number of 32 bits; a bare ``int`` has 64."""

    value: int


Value = "bool | int | I32 | str | bytes | Sequence[Value] | Mapping[int, Value]"


def encode_struct(fields: Mapping[int, Any]) -> bytes:
    """Return a struct: fields by their ids, ascending; a field that is ``None`` is left out."""
    out, before = bytearray(), 0
    for number, value in fields.items():
        if value is None:
            continue
        kind, body = _encoded(value)
        delta = number - before
        out += bytes([delta << 4 | kind]) if 0 < delta <= 15 else bytes([kind]) + _zigzag(number)  # noqa: PLR2004 - four bits
        out += body
        before = number
    return bytes(out) + b"\0"


def _encoded(value: Any) -> tuple[int, bytes]:  # noqa: ANN401 - any value of the protocol
    match value:
        case bool():
            return (_TRUE if value else _FALSE), b""
        case I32():
            return _I32, _zigzag(value.value)
        case int():
            return _I64, _zigzag(value)
        case str() | bytes():
            raw = value.encode() if isinstance(value, str) else value
            return _BINARY, varint(len(raw)) + raw
        case Mapping():
            return _STRUCT, encode_struct(value)
        case _:
            return _LIST, _encoded_list(value)


def _encoded_list(values: Sequence[Any]) -> bytes:
    members = [_encoded(each) for each in values]
    kind = members[0][0] if members else _STRUCT
    size = len(members)
    head = bytes([size << 4 | kind]) if size < _SHORT_LIST else bytes([0xF0 | kind]) + varint(size)
    return head + b"".join(body for _, body in members)


def varint(number: int) -> bytes:
    """Return a number, seven bits a byte."""
    out = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - seven bits
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


class CompactReader:
    """Reads structs from bytes, on from ``at``; raises ``IndexError`` where they end too soon."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self.at = at

    def struct(self) -> dict[int, Any]:
        """Return the next struct's fields by their ids."""
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            delta, kind = head >> 4, head & 0x0F
            number = number + delta if delta else self._signed()
            found[number] = self._value(kind)
        return found

    def varint(self) -> int:
        """Return the next number without a sign."""
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the last of its bytes
                return number
            shift += 7

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _signed(self) -> int:
        raw = self.varint()
        return raw >> 1 if not raw & 1 else -(raw + 1 >> 1)

    def _value(self, kind: int) -> Any:  # noqa: ANN401 - any value of the protocol
        match kind:
            case 1 | 2:
                return kind == _TRUE
            case 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 8:
                size = self.varint()
                self.at += size
                return self._data[self.at - size : self.at]
            case 9 | 10:
                head = self._byte()
                size = head >> 4 if head >> 4 < _SHORT_LIST else self.varint()
                return [self._value(head & 0x0F) for _ in range(size)]
            case 12:
                return self.struct()
        message = f"Type {kind} of the compact protocol is not read here."
        raise ValueError(message)
