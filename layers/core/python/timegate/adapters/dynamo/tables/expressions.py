"""Writes, conditions and queries in DynamoDB's words: every expression is made here.

A field is named ``#n``, a value ``:v``, numbered in the order of their mention: reserved words and
paths need no further care.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from timegate.adapters.dynamo.tables.engine import Query, Scan
from timegate.adapters.dynamo.tables.indexes import INDEXES, PRIMARY
from timegate.adapters.dynamo.tables.values import Plain, to_attribute, to_item
from timegate.adapters.dynamo.tables.writes import (
    Compared,
    Count,
    Insert,
    Put,
    Replace,
    Update,
    Where,
    Write,
)

_OPERATORS = {"equal": "=", "above": ">", "below": "<", "at_most": "<="}
_EXISTS, _IS_NEW = "attribute_exists(pk)", "attribute_not_exists(pk)"


class Words:
    """The placeholders of one request."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}

    def name(self, *path: str) -> str:
        """Return the placeholder of a field, or of one within maps."""
        return ".".join(self._names.setdefault(part, f"#n{len(self._names)}") for part in path)

    def value(self, value: Plain) -> str:
        """Return the placeholder of a value."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = to_attribute(value)
        return placeholder

    def attributes(self) -> dict[str, Any]:
        """Return the members of a request that say what the placeholders are."""
        names = {word: name for name, word in self._names.items()}
        return {
            **({"ExpressionAttributeNames": names} if names else {}),
            **({"ExpressionAttributeValues": self._values} if self._values else {}),
        }


def put_request(write: Insert | Put | Replace) -> dict[str, Any]:
    """Return the members of ``PutItem``, or of a transaction's ``Put``."""
    request: dict[str, Any] = {"TableName": write.table, "Item": to_item(write.fields)}
    match write:
        case Insert():
            return request | _new_or_expired(write.as_of)
        case Replace():
            words = Words()
            condition = _all_of([_EXISTS, *_clauses(write.where, words)])
            shown = "ALL_OLD" if write.shows_refused else "NONE"
            return request | {
                "ConditionExpression": condition,
                "ReturnValuesOnConditionCheckFailure": shown,
                **words.attributes(),
            }
        case Put():
            return request


def _new_or_expired(as_of: datetime | None) -> dict[str, Any]:
    if as_of is None:
        return {"ConditionExpression": _IS_NEW}
    words = Words()
    condition = f"{_IS_NEW} OR {_expired(as_of, words)}"
    return {"ConditionExpression": condition, **words.attributes()}


def _expired(as_of: datetime, words: Words) -> str:
    """Compare an expiry, in whole seconds; an item without one has not expired."""
    return f"{words.name('expires_at')} <= {words.value(int(as_of.timestamp()))}"


def update_request(write: Update) -> dict[str, Any]:
    """Return the members of ``UpdateItem``, or of a transaction's ``Update``."""
    words = Words()
    condition = _update_condition(write, words)
    return {
        "TableName": write.table,
        "Key": write.key.attributes(),
        "UpdateExpression": _changes(write, words),
        **({"ConditionExpression": condition} if condition else {}),
        **words.attributes(),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD" if write.shows_refused else "NONE",
    }


def _changes(write: Update, words: Words) -> str:
    within = write.within
    sets = [
        f"{words.name(*within, name)} = {words.value(value)}" for name, value in write.kept.items()
    ]
    for name, value in write.first.items():
        word = words.name(name)
        sets.append(f"{word} = if_not_exists({word}, {words.value(value)})")
    for name, texts in write.appended.items():
        word = words.name(name)
        before = f"if_not_exists({word}, {words.value([])})"
        sets.append(f"{word} = list_append({before}, {words.value(list(texts))})")
    actions = {
        "SET": sets,
        "REMOVE": [words.name(*within, name) for name in write.gone],
        "ADD": [f"{words.name(name)} {words.value(by)}" for name, by in write.added.items()],
        "DELETE": [f"{words.name(name)} {words.value(out)}" for name, out in write.taken.items()],
    }
    return " ".join(f"{verb} {', '.join(all_)}" for verb, all_ in actions.items() if all_)


def _update_condition(write: Update, words: Words) -> str:
    """Return the condition of an update: unless it creates, the item exists."""
    exists = [] if write.creates else [_EXISTS]
    condition = _all_of([*exists, *_clauses(write.where, words, write.within)])
    if not write.or_where:
        return condition
    # AND binds closer than OR, and DynamoDB refuses parentheses that change nothing.
    return f"{condition} OR {_all_of([*exists, *_clauses(write.or_where, words)])}"


def _all_of(clauses: Sequence[str]) -> str:
    return " AND ".join(clauses)


def _clauses(where: Where, words: Words, within: Sequence[str] = ()) -> list[str]:
    return [_clause(words.name(*within, name), wanted, words) for name, wanted in where.items()]


def _clause(word: str, wanted: "Plain | Compared", words: Words) -> str:
    missing = f"attribute_not_exists({word})"
    if wanted is None:
        return missing
    if not isinstance(wanted, Compared):
        return f"{word} = {words.value(wanted)}"
    bounds = {name: getattr(wanted, name) for name in _OPERATORS}
    compared = _all_of(
        [
            f"{word} {_OPERATORS[name]} {words.value(bound)}"
            for name, bound in bounds.items()
            if bound is not None
        ]
    )
    return f"({missing} OR {compared})" if wanted.or_missing else compared


def count_request(write: Count) -> dict[str, Any]:
    """Return the members of ``UpdateItem``, or of a transaction's ``Update``."""
    request: dict[str, Any] = {
        "TableName": write.table,
        "Key": write.key.attributes(),
        "UpdateExpression": "ADD counted :by",
        "ExpressionAttributeValues": {":by": {"N": str(write.by)}},
    }
    if write.expires_at is not None:
        request["UpdateExpression"] += " SET expires_at = :expires"
        request["ExpressionAttributeValues"][":expires"] = {"N": str(write.expires_at)}
    if write.at_most is None:
        return request
    room = write.at_most - write.by
    # Nothing was counted yet: that is less than any room there is.
    is_new = "attribute_not_exists(counted) OR " if room >= 0 else ""
    request["ConditionExpression"] = f"{is_new}counted <= :room"
    request["ExpressionAttributeValues"][":room"] = {"N": str(room)}
    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def member(write: Write | Put) -> dict[str, Any]:
    """Return a write as a member of a transaction."""
    match write:
        case Update():
            return {"Update": update_request(write)}
        case Count():
            return {"Update": count_request(write)}
        case Insert() | Replace() | Put():
            return {"Put": put_request(write)}


def query_request(query: Query) -> dict[str, Any]:
    """Return the members of ``Query``."""
    words = Words()
    keys = INDEXES[query.index] if query.index is not None else PRIMARY
    condition = f"{words.name(keys.partition)} = {words.value(query.of)}"
    condition += _range(query, keys.sort, words)
    return {
        "TableName": query.table,
        **({"IndexName": query.index} if query.index is not None else {}),
        "KeyConditionExpression": condition,
        **_filter(query.only, query.without, words, begins=query.begins, as_of=query.as_of),
        **_projection(query.fields, words),
        **words.attributes(),
        **({"ScanIndexForward": False} if query.latest_first else {}),
        **({"ConsistentRead": True} if query.consistent else {}),
        **({"Select": "COUNT"} if query.counts_only else {}),
        **_page(query),
    }


def scan_request(scan: Scan) -> dict[str, Any]:
    """Return the members of ``Scan``."""
    words = Words()
    return {
        "TableName": scan.table,
        **({"IndexName": scan.index} if scan.index is not None else {}),
        **({"ConsistentRead": True} if scan.consistent else {}),
        **({"Segment": scan.segment, "TotalSegments": scan.of} if scan.of > 1 else {}),
        **_filter(scan.only, {}, words, between=scan.between),
        **_projection(scan.fields, words),
        **words.attributes(),
        **_page(scan),
    }


def projection_request(fields: Sequence[str]) -> dict[str, Any]:
    """Return the members of ``GetItem`` that name the only fields to read."""
    words = Words()
    return {**_projection(fields, words), **words.attributes()}


def _range(query: Query, sort: str, words: Words) -> str:
    prefix, first, last = query.prefix, query.first, query.last
    if prefix is None:
        return f" AND {_bounds(sort, first, last, words)}" if first or last else ""
    return f" AND begins_with({words.name(sort)}, {words.value(prefix)})"


def _bounds(name: str, first: str | None, last: str | None, words: Words) -> str:
    word = words.name(name)
    if first is None or last is None:
        return f"{word} {'>=' if last is None else '<='} {words.value(first or last)}"
    return f"{word} BETWEEN {words.value(first)} AND {words.value(last)}"


def _filter(
    only: Mapping[str, Sequence[str]],
    without: Mapping[str, Sequence[str]],
    words: Words,
    *,
    begins: Mapping[str, str] = MappingProxyType({}),
    between: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    as_of: datetime | None = None,
) -> dict[str, str]:
    clauses = [_among(name, values, words) for name, values in only.items() if values]
    bounds = [_bounds(name, *ends, words) for name, ends in between.items()]
    # DynamoDB refuses parentheses that change nothing.
    clauses += [f"({' OR '.join(bounds)})"] if len(bounds) > 1 else bounds
    clauses += [f"begins_with({words.name(n)}, {words.value(v)})" for n, v in begins.items()]
    clauses += [f"NOT ({_among(name, v, words)})" for name, v in without.items() if v]
    clauses += [f"NOT ({_expired(as_of, words)})"] if as_of is not None else []
    return {"FilterExpression": _all_of(clauses)} if clauses else {}


def _among(name: str, values: Sequence[str], words: Words) -> str:
    return f"{words.name(name)} IN ({', '.join(words.value(value) for value in values)})"


def _projection(fields: Sequence[str], words: Words) -> dict[str, str]:
    named = ", ".join(words.name(name) for name in fields)
    return {"ProjectionExpression": named} if named else {}


def _page(asked: Query | Scan) -> dict[str, Any]:
    return {
        **({"Limit": asked.limit} if asked.limit is not None else {}),
        **({"ExclusiveStartKey": to_item(asked.after)} if asked.after is not None else {}),
    }
