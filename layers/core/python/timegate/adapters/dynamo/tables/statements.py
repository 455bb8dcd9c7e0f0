"""Writes of a batch as statements of PartiQL."""

from typing import Any

from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Insert, Statement, Update


def statement(write: Statement) -> tuple[str, list[Plain]]:
    """Return a PartiQL statement with its parameters; raises ``ValueError`` for more than it can.

    A statement inserts, and replaces nothing; or it sets, removes and compares, and neither counts
    nor creates.
    """
    return _insertion(write) if isinstance(write, Insert) else _change(write)


def _insertion(insert: Insert) -> tuple[str, list[Plain]]:
    if insert.as_of is not None:
        message = f"A statement of a batch cannot say all of {insert}."
        raise ValueError(message)
    fields = {name: value for name, value in insert.fields.items() if value is not None}
    item = ", ".join(f"'{name}': ?" for name in fields)
    return f'INSERT INTO "{insert.table}" VALUE {{{item}}}', [*fields.values()]


def _change(update: Update) -> tuple[str, list[Plain]]:
    more = (
        update.added,
        update.taken,
        update.first,
        update.appended,
        update.or_where,
        update.within,
    )
    bounds = [each for each in update.where.values() if isinstance(each, Compared)]
    if any(more) or bounds or update.creates:
        message = f"A statement of a batch cannot say all of {update}."
        raise ValueError(message)
    clauses = [f'SET "{name}" = ?' for name in update.kept]
    clauses += [f'REMOVE "{name}"' for name in update.gone]
    conditions = ["pk = ?", "sk = ?"]
    matched: list[Any] = [update.key.pk, update.key.sk]
    for name, value in update.where.items():
        conditions.append(f'"{name}" IS MISSING' if value is None else f'"{name}" = ?')
        matched += [] if value is None else [value]
    text = f'UPDATE "{update.table}" {" ".join(clauses)} WHERE {" AND ".join(conditions)}'
    return text, [*update.kept.values(), *matched]
