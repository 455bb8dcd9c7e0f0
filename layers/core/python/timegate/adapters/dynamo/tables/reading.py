"""Reading items back: one that says nothing anybody understands is malformed, and nothing else."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeVar

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.values.errors import Malformed, TimegateError

Record = TypeVar("Record")
Read = Callable[[Mapping[str, Plain]], Record]


def reader_of(what: str) -> Callable[[Read[Record]], Read[Record]]:
    """Let a function that reads ``what`` raise ``Malformed`` whatever the item has wrong.

    Without it a damaged instant of the store would look like a mistake of the caller's.
    """

    def decorate(read: Read[Record]) -> Read[Record]:
        @wraps(read)
        def careful(fields: Mapping[str, Plain]) -> Record:
            try:
                return read(fields)
            except Malformed:
                raise
            except (TimegateError, LookupError, ValueError, TypeError, AttributeError) as error:
                raise Malformed(f"The item is no {what}: {error!r}") from error

        return careful

    return decorate
