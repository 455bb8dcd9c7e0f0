"""Moving records from one stage to another, as the use cases see it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class MovedRecord:
    """One record, as the file has it."""

    kind: MovedKind
    #: An item in DynamoDB's own form; of a blob its path and text.
    item: Mapping[str, Any]
    #: Paths in the blob store that it names.
    blobs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SourcePage:
    """Records of one page, and the place behind it."""

    records: Sequence[MovedRecord]
    #: Records that this release does not know, and jobs that it cannot read: each key once.
    unknown: Sequence[str]
    #: Where the next page begins; ``None``: there is none.
    after: Mapping[str, Any] | None


class RecordSource(Protocol):
    """A stage's records, from end to end: an operator's right, which no function has."""

    def pages(self, *, after: Mapping[str, Any] | None) -> Iterator[SourcePage]:
        """Yield what moves, page by page, from a place on. Raises ``Throttled``."""


class StoreEffect(StrEnum):
    """Effects of storing a record that moved in."""

    STORED = "stored"
    #: It was stored before, and may have gone on since.
    PRESENT = "present"
    #: Another record has its key.
    DIFFERENT = "different"


class RecordTarget(Protocol):
    """The stage that records move to."""

    def store(self, records: Sequence[MovedRecord], *, now: datetime) -> list[StoreEffect]:
        """Store records of one kind, each unless its key exists. Raises ``Throttled``."""

    def stays(self, record: MovedRecord) -> bool:
        """Tell if a record is its stage's own, which an earlier release exported."""

    def erased_owner(self, record: MovedRecord) -> TenantId | None:
        """Return the tenant whose a record is, if it was erased here. Raises ``Throttled``."""

    def tenants(self) -> frozenset[TenantId]:
        """Return the tenants whose records were stored."""
