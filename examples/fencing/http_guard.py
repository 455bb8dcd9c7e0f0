"""Fencing at the door: a WSGI middleware that reads the headers of Timegate's requests.

It needs nothing but Python, and a file that the processes of one host share. With several hosts,
keep the guard in the database they share: the statements are those of ``postgresql_guard``.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_ENTER = """
INSERT INTO timegate_guard (key, fence) VALUES (:key, :fence)
ON CONFLICT (key) DO UPDATE SET fence = max(fence, excluded.fence)
RETURNING fence, status, headers, answer
"""
_DONE = """
UPDATE timegate_guard SET status = :status, headers = :headers, answer = :answer
WHERE key = :key AND fence = :fence AND status IS NULL
"""


class FenceGuard:
    """Lets a run's work through once; a stale worker is refused with 409, a duplicate is answered
    with what was answered before. Requests without Timegate's headers pass untouched.

    The application should ask ``environ["timegate.still_mine"]()`` before each step that cannot be
    undone: a worker that stalled finds out there that another one has begun.
    """

    def __init__(self, application: "WSGIApplication", path: Path) -> None:
        self._application = application
        self._path = path
        with closing(self._connect()) as guard:
            guard.execute(
                "CREATE TABLE IF NOT EXISTS timegate_guard"
                " (key TEXT PRIMARY KEY, fence INTEGER NOT NULL, status TEXT, answer BLOB)"
            )
            # A file of before answers had headers lacks the column; another process may be first.
            with suppress(sqlite3.OperationalError):
                guard.execute("ALTER TABLE timegate_guard ADD COLUMN headers TEXT")

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """One request."""
        key = environ.get("HTTP_TIMEGATE_IDEMPOTENCY_KEY")
        fence = environ.get("HTTP_TIMEGATE_FENCE", "")
        if key is None or not fence.isdecimal():
            return self._application(environ, start_response)
        me = {"key": key, "fence": int(fence)}
        highest, status, headers, answer = self._enter(me)
        if status is not None:
            before = [(name, value) for name, value in json.loads(headers or "[]")]
            start_response(status, [*before, ("Timegate-Duplicate", "true")])
            return [answer]
        if highest > me["fence"]:
            start_response("409 Conflict", [("Content-Type", "text/plain")])
            return [b"a worker with a higher fence has this run"]
        return self._work(me, environ, start_response)

    def _work(
        self, me: dict[str, Any], environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        environ["timegate.still_mine"] = lambda: self._enter(me)[0] == me["fence"]
        started: list[tuple[str, list[tuple[str, str]]]] = []
        body = self._application(environ, _noting(started, start_response))
        try:
            answer = b"".join(body)
        finally:
            # A server closes the body that it is given: frameworks give connections back then.
            close = getattr(body, "close", None)
            if close is not None:
                close()
        if started and started[-1][0].startswith("2"):
            status, headers = started[-1]
            kept = {"status": status, "headers": json.dumps(headers), "answer": answer}
            self._change(_DONE, {**me, **kept})
        return [answer]

    def _enter(self, me: dict[str, Any]) -> tuple[int, str | None, str | None, bytes]:
        highest, status, headers, answer = self._change(_ENTER, me)[0]
        return highest, status, headers, answer

    def _change(self, statement: str, values: dict[str, Any]) -> list[Any]:
        with closing(self._connect()) as guard:
            return guard.execute(statement, values).fetchall()

    def _connect(self) -> sqlite3.Connection:
        # Each statement is a transaction of its own, and waits for those of other processes.
        return sqlite3.connect(self._path, timeout=30, isolation_level=None)


def _noting(
    started: list[tuple[str, list[tuple[str, str]]]], start_response: "StartResponse"
) -> Callable[..., Any]:
    """Remembers the status and headers the application answers with."""

    def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:  # noqa: ANN401 - as WSGI has it
        started.append((status, list(headers)))
        return start_response(status, headers, *rest)

    return start
