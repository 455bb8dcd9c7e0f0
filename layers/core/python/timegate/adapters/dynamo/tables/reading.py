"""Reading items back: a value of another type, or an item that says nothing, is ``Malformed``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TypeVar

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.instants import compact

Fields = Mapping[str, Plain]
Record = TypeVar("Record")
Name = TypeVar("Name")
Read = Callable[[Mapping[str, Plain]], Record]

#: The attribute of an item, or of a map in it, that names the earliest shape whose readers
#: understand it. Without it each reader does.
SHAPE = "shape"
#: The latest shape that this release understands. A release that writes a later one comes after one
#: that reads it.
LATEST_SHAPE = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def read_each(
    found: Iterable[tuple[Name, Fields]], read: Read[Record]
) -> tuple[tuple[Record, ...], tuple[tuple[Name, str], ...]]:
    """Read items by name; those that cannot be read are named apart, with what is wrong."""
    records: list[Record] = []
    damaged: list[tuple[Name, str]] = []
    for name, fields in found:
        try:
            records.append(read(fields))
        except Malformed as error:
            damaged.append((name, str(error)))
    return tuple(records), tuple(damaged)


def has_expired(fields: Fields, as_of: datetime) -> bool:
    """Tell if an item has expired by then: DynamoDB deletes it within days, and not at once."""
    expires_at = fields.get("expires_at")
    return isinstance(expires_at, int) and expires_at <= as_of.timestamp()


def unexpired(found: Mapping[Name, Fields], as_of: datetime) -> dict[Name, Fields]:
    """Leave out what has expired of items that were read by key, as a query leaves it out."""
    return {name: fields for name, fields in found.items() if not has_expired(fields, as_of)}


def reader_of(what: str) -> Callable[[Read[Record]], Read[Record]]:
    """Let a function that reads ``what`` raise ``Malformed`` whatever the item has wrong.

    Without it a damaged instant of the store would look like a mistake of the caller's.
    """

    def decorate(read: Read[Record]) -> Read[Record]:
        @wraps(read)
        def careful(fields: Mapping[str, Plain]) -> Record:
            try:
                check_shape(fields)
                return read(fields)
            except Malformed:
                raise
            except (TimegateError, LookupError, ValueError, TypeError, AttributeError) as error:
                raise Malformed(f"The item is no {what}: {error!r}") from error

        return careful

    return decorate


def check_shape(fields: Fields) -> None:
    """Refuse what a later release wrote for readers that know more; raises ``Malformed``."""
    shape = fields.get(SHAPE)
    if shape is not None and number(shape) > LATEST_SHAPE:
        raise Malformed(f"{SHAPE}: {shape} is later than {LATEST_SHAPE}: deploy the newer release.")


def text(value: Plain) -> str:
    """Return text."""
    if isinstance(value, str):
        return value
    raise Malformed(f"{value!r} is no text.")


def boolean(value: Plain) -> bool:
    """Return a truth value."""
    if isinstance(value, bool):
        return value
    raise Malformed(f"{value!r} is no truth value.")


def number(value: Plain) -> int:
    """Return a whole number; a truth value is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Malformed(f"{value!r} is no whole number.")


def real(value: Plain) -> float:
    """Return a number; a truth value is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise Malformed(f"{value!r} is no number.")


def number_set(value: Plain) -> frozenset[int]:
    """Return a set of whole numbers; an absent one is empty, for DynamoDB has no empty sets."""
    if value is None:
        return frozenset()
    if isinstance(value, frozenset) and all(isinstance(each, int) for each in value):
        return value
    raise Malformed(f"{value!r} is no set of numbers.")


def mapping(value: Plain) -> Fields:
    """Return a map; an absent one is empty."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise Malformed(f"{value!r} is no map.")


def listed(value: Plain) -> Sequence[Plain]:
    """Return a list; an absent one is empty."""
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise Malformed(f"{value!r} is no list.")


def texts(value: Plain) -> dict[str, str]:
    """Return a map from text to text; an absent one is empty."""
    return {name: text(inner) for name, inner in mapping(value).items()}


def optional_number(value: Plain) -> int | None:
    """Return a whole number that may be absent."""
    return number(value) if value is not None else None


def optional_text(value: Plain) -> str | None:
    """Return text that may be absent."""
    return text(value) if value is not None else None


def written(instant: datetime | None) -> str | None:
    """Return an instant that may be absent, as it is stored."""
    return compact(instant) if instant is not None else None


def write_instants(values: Sequence[datetime]) -> Plain:
    """Write seconds, and milliseconds behind a point: a thousand stay within 11 KB of an item."""
    whole = [divmod((each - _EPOCH) // _MILLISECOND, 1000) for each in values]
    return " ".join(f"{seconds}.{rest:03}" if rest else f"{seconds}" for seconds, rest in whole)


def read_instants(value: Plain) -> tuple[datetime, ...]:
    """Read instants back."""
    parts = [each.partition(".") for each in text(value).split()]
    return tuple(
        _EPOCH + (int(seconds) * 1000 + int(rest or 0)) * _MILLISECOND for seconds, _, rest in parts
    )
