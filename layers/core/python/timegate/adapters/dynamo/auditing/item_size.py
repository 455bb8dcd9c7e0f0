"""Sizes of items, as DynamoDB bills them."""

from collections.abc import Mapping, Sequence

from timegate.adapters.dynamo.tables.values import Plain


def size_of(value: Plain) -> int:
    """Return the bytes that DynamoDB counts for a value, or for an item as a map of its fields."""
    match value:
        case str():
            return len(value.encode())
        case None | bool():
            return 1
        case Mapping():
            inner = sum(len(name) + size_of(each) for name, each in value.items())
            return inner + 3 + len(value)
        case frozenset():
            return 3 + sum(size_of(each) for each in value)
        case Sequence():
            return 3 + sum(1 + size_of(each) for each in value)
        case _:
            # Two digits to a byte, and one for the sign and the exponent.
            return len(str(value)) // 2 + 2
