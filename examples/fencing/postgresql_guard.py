"""Fencing in PostgreSQL: the guard is a row, written in the transaction of the effect."""

from collections.abc import Callable
from typing import LiteralString

import psycopg

TABLE: LiteralString = """
CREATE TABLE IF NOT EXISTS timegate_guard (
    key text PRIMARY KEY,        -- Timegate-Idempotency-Key
    fence bigint NOT NULL,       -- the highest Timegate-Fence that has begun
    answer text                  -- of the work, once it is done
)
"""
#: The row is locked until the transaction ends: of two workers one waits for the other.
ENTER: LiteralString = """
INSERT INTO timegate_guard (key, fence) VALUES (%(key)s, %(fence)s)
ON CONFLICT (key) DO UPDATE SET fence = greatest(timegate_guard.fence, excluded.fence)
RETURNING fence, answer
"""
DONE: LiteralString = "UPDATE timegate_guard SET answer = %(answer)s WHERE key = %(key)s"


class Fenced(Exception):
    """A worker with a higher fence has this run: stop."""


def enter(connection: psycopg.Connection, key: str, fence: int) -> str | None:
    """Begin: from now on every lower fence is refused. The answer, if the work is done already.

    Raises Fenced. Commit at once when the work itself is done elsewhere and takes long.
    """
    row = connection.execute(ENTER, {"key": key, "fence": fence}).fetchone()
    highest, answer = row if row is not None else (fence, None)
    if answer is None and highest > fence:
        raise Fenced(key)
    return str(answer) if answer is not None else None


def apply_once(
    connection: psycopg.Connection,
    key: str,
    fence: int,
    effect: Callable[[psycopg.Connection], str],
) -> str:
    """Do the effect, once, unless a higher fence has begun: both are stored or neither.

    The answer of the worker that did it; raises Fenced.
    """
    with connection.transaction():
        answer = enter(connection, key, fence)
        if answer is None:
            answer = effect(connection)
            connection.execute(DONE, {"key": key, "answer": answer})
    return answer
