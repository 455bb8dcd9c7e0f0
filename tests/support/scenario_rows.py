"""The rows of a ledger in one form: of a simulation, and of a deployed stack."""

from collections.abc import Iterable, Mapping
from typing import Any

#: Kind, first instant, last instant, how many, state, reason.
Row = tuple[str, str, str, int, str, str | None]


def rows_of_ledger(items: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The rows of ``GET /v1/jobs/{job_id}/ledger``."""
    return [_run(item["instant"], item) if item["kind"] == "run" else _gap(item) for item in items]


def rows_of_simulation(rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The rows of ``timegate simulate --json``."""
    return [_run(row["scheduled_at"], row) if row["type"] == "run" else _gap(row) for row in rows]


def _run(instant: str, record: Mapping[str, Any]) -> Row:
    return ("run", instant, instant, 1, record["state"], record["reason"])


def _gap(record: Mapping[str, Any]) -> Row:
    return ("gap", record["first"], record["last"], record["count"], "skipped", record["reason"])
