"""Rows of a partition in which the items of deleted things stay for a while."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query
from timegate.adapters.dynamo.tables.keys import Key

#: Items that the query looks at: more than a tenant has, and few deleted ones among them.
LOOKED_AT = 300


def present_rows(
    engine: Engine, query: Query, most: int, names: Callable[[], Iterable[Key]]
) -> list[Fields]:
    """Return up to ``most`` items that are not deleted, in the order of their sort keys.

    ``names``: the keys of all that exists. It is called where the query ends early: a tenant can
    leave any number of deleted items between two that exist.
    """
    page = engine.query(replace(query, limit=LOOKED_AT))
    found = _present(page.items)
    if page.last is None or len(found) >= most:
        return found[:most]
    last = str(page.last["sk"])
    behind = sorted((key for key in names() if key.sk > last), key=lambda key: key.sk)
    while behind and len(found) < most:
        # A name that was deleted meanwhile makes room for the next one.
        keys, behind = behind[: most - len(found)], behind[most - len(found) :]
        items = engine.get_all({query.table: keys})[query.table]
        found += _present(items[key] for key in keys if key in items)
    return found


def _present(items: Iterable[Fields]) -> list[Fields]:
    return [each for each in items if "deleted" not in each]
