"""The seam below the stores: reads and writes of items, in plain values.

One engine speaks to DynamoDB (``boto_engine``), one keeps items in memory (``adapters.memory``).
Both refuse a write for the same reasons, so the stores above them are the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from itertools import islice
from typing import Protocol, TypeAlias, TypeVar

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Found, Put, Statement, Write, WriteResult
from timegate.value_classes import dataclass

Fields: TypeAlias = dict[str, Plain]
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

#: DynamoDB's limit for one batch of statements.
MAX_STATEMENTS = 25
#: DynamoDB's limit for one transaction.
MAX_MEMBERS = 100
#: The code of a transaction's member whose condition does not hold.
REFUSED = "ConditionalCheckFailed"
#: Codes of a member, or of a statement in a batch, that another try may not meet.
TRANSIENT = frozenset(
    {
        "ProvisionedThroughputExceeded",
        "ThrottlingError",
        "RequestLimitExceeded",
        "TransactionConflict",
        "InternalServerError",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """Items of one partition, in the order of their sort keys."""

    table: str
    #: The partition's key, of the table or of ``index``.
    of: str
    index: str | None = None
    #: The first and the last sort key, both included.
    first: str | None = None
    last: str | None = None
    #: Text that sort keys begin with; excludes ``first`` and ``last``.
    prefix: str | None = None
    latest_first: bool = False
    #: Items that one page looks at.
    limit: int | None = None
    #: The place after which a page begins, as a page before reported it.
    after: Mapping[str, Plain] | None = None
    consistent: bool = False
    #: The only fields to read; all of them if none are named.
    fields: Sequence[str] = ()
    #: Values that a field must have; items without are read, billed and left out.
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Values that a field must not have.
    without: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Text that a field must begin with.
    begins: Mapping[str, str] = field(default_factory=dict)
    #: Items that have expired by then are left out, as ``Insert`` has it; ``None``: none are.
    as_of: datetime | None = None
    #: Report how many there are, and none of them.
    counts_only: bool = False

    @property
    def is_empty(self) -> bool:
        """Tell if no sort key lies within: DynamoDB refuses bounds of which the last is before."""
        return self.first is not None and self.last is not None and self.last < self.first


@dataclass(frozen=True, kw_only=True, slots=True)
class Scan:
    """Items of a whole table, or of an index, in no order."""

    table: str
    index: str | None = None
    #: One of ``of`` parts of the table.
    segment: int = 0
    of: int = 1
    limit: int | None = None
    after: Mapping[str, Plain] | None = None
    fields: Sequence[str] = ()
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: The first and the last value, both included, of fields one of which an item must have.
    between: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    #: Meet every item that was written before the page is read, at twice the price; of no index.
    consistent: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """One page of a query or a scan."""

    items: Sequence[Fields]
    count: int
    #: The place after which the next page begins; ``None``: there is none.
    last: Fields | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """The answer of one member of a transaction that was not written."""

    #: ``None`` in words, for a member that would have been written.
    code: str
    #: The item that its condition met, if it asked.
    found: Found = None


class Engine(Protocol):
    """Reads and writes of items; each call raises ``Throttled`` when it stays throttled."""

    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item, strongly consistent, or the named fields of it."""

    def get_all(self, wanted: Mapping[str, Sequence[Key]]) -> dict[str, dict[Key, Fields]]:
        """Return the items of each table that exist, strongly consistent."""

    def query(self, query: Query) -> Rows:
        """Return one page."""

    def scan(self, scan: Scan) -> Rows:
        """Return one page."""

    def write(self, write: Write) -> WriteResult:
        """Write one item; the stream shows it."""

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write each item by itself, in no order; raising does not undo the others."""

    def execute(self, writes: Sequence[Statement]) -> list[WriteResult]:
        """Write items in batches, each on its own condition; raising does not undo the others."""

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items, whatever is there; no key may be named twice."""

    def delete_all(self, table: str, keys: Sequence[Key]) -> None:
        """Delete items, there or not: an operator's right, which no function has."""

    def transact(self, writes: "Sequence[Write | Put]", *, is_named: bool = False) -> list[Refusal]:
        """Try once to write all or nothing: nothing when written, else each member's refusal.

        ``is_named``: the same writes sent again within ten minutes are the same transaction.
        """

    def side_by_side(self, call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
        """Return the answers to calls that mostly wait, in order; raises what one of them does."""


def pages(engine: Engine, query: Query) -> Iterator[Rows]:
    """Yield the pages of a query, each read as it is taken."""
    while True:
        page = engine.query(query)
        yield page
        if page.last is None:
            return
        query = replace(query, after=page.last)


def rows(engine: Engine, query: Query) -> Iterator[Fields]:
    """Yield the items of a query, page by page as they are taken."""
    for page in pages(engine, query):
        yield from page.items


def first_rows(engine: Engine, query: Query, most: int) -> list[Fields]:
    """Return the first items of a query: fewer than ``most`` only where there are no more.

    A page ends at a megabyte, however many items were asked for.
    """
    return list(islice(rows(engine, replace(query, limit=most)), most))
