"""Limits of DynamoDB that no setting raises, and their checks for engines that have no DynamoDB.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
"""

from collections.abc import Sequence

from timegate.adapters.dynamo.tables.engine import MAX_MEMBERS, Fields, Query

#: Bytes of an item, names of attributes included.
MAX_ITEM_BYTES = 400 * 1024
#: Bytes of all items of a transaction.
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
#: A page ends behind the item that reaches it.
PAGE_BYTES = 1024 * 1024
#: Bytes of keys, also of an index.
MAX_PARTITION_BYTES = 2_048
MAX_SORT_BYTES = 1_024
#: Values that one attribute is compared with in a filter.
MAX_OPERANDS = 100


class LimitExceeded(ValueError):
    """DynamoDB refuses the request as invalid: it never succeeds."""


def check_item(size: int, fields: Fields) -> None:
    """Refuse an item that is too large; raises ``LimitExceeded``."""
    if size > MAX_ITEM_BYTES:
        raise LimitExceeded(f"{fields['pk']} {fields['sk']} has {size} bytes.")


def check_members(count: int) -> None:
    """Refuse a transaction of too many members; raises ``LimitExceeded``."""
    if count > MAX_MEMBERS:
        raise LimitExceeded(f"A transaction takes {MAX_MEMBERS} members, not {count}.")


def check_transaction(sizes: Sequence[int]) -> None:
    """Refuse a transaction whose items are too large together; raises ``LimitExceeded``."""
    if sum(sizes) > MAX_TRANSACTION_BYTES:
        raise LimitExceeded(f"The items of a transaction have {sum(sizes)} bytes.")


def check_keys(partition: str, sort: str) -> None:
    """Refuse keys that are too long; raises ``LimitExceeded``."""
    if len(partition.encode()) > MAX_PARTITION_BYTES or len(sort.encode()) > MAX_SORT_BYTES:
        raise LimitExceeded(f"The keys {partition!r} and {sort!r} are too long.")


def check_query(query: Query) -> None:
    """Refuse a query that DynamoDB does not carry out; raises ``LimitExceeded``."""
    if query.consistent and query.index is not None:
        raise LimitExceeded(f"The index {query.index} has no consistent reads.")
    compared = [*query.only.values(), *query.without.values()]
    if any(len(values) > MAX_OPERANDS for values in compared):
        raise LimitExceeded(f"A filter compares with {MAX_OPERANDS} values at most.")
