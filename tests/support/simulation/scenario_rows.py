"""The rows of a ledger in one form: of a simulation, and of a deployed stack."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import ndiff
from typing import Any

from tests.support.simulation.scenario_timeline import Document, jobs_of

#: Columns of a row, in the order in which it is printed.
HEAD = ("instants", "count", "state", "why", "due", "start", "end", "rolled to")
Row = tuple[str, ...]
NOTHING = "-"


def row_of_run(instant: str, run: Mapping[str, Any]) -> Row:
    """A run, with when it was due, and when its work began and ended."""
    times = [run[name] for name in ("due_at", "started_at", "ended_at")]
    return _row(instant, 1, run["state"], run["reason"], *times, None)


def row_of_gap(gap: Mapping[str, Any], state: str) -> Row:
    """Instants that did not become runs."""
    first, last = gap["first"], gap["last"]
    instants = first if first == last else f"{first} to {last}"
    nothing = (None, None, None)
    return _row(instants, gap["count"], state, gap["reason"], *nothing, gap["rolled_to"])


def rows_of_simulation(rows: Iterable[Mapping[str, Any]], job: str | None) -> list[Row]:
    """The rows of one job, as ``timegate simulate --json`` has them."""
    return joined(
        row_of_run(row["scheduled_at"], row)
        if row["type"] == "run"
        else row_of_gap(row, row["state"])
        for row in rows
        if row["job"] == job
    )


def joined(rows: Iterable[Row]) -> list[Row]:
    """Gaps that follow one another for one reason as one, as the API shows them."""
    found: list[Row] = []
    for row in rows:
        before = found[-1] if found else None
        if before is not None and before[2:7] == row[2:7] and row[4] == NOTHING:
            first, last = before[0].split(" to ")[0], row[0].split(" to ")[-1]
            count = str(int(before[1]) + int(row[1]))
            found[-1] = (f"{first} to {last}", count, *before[2:])
        else:
            found.append(row)
    return found


def hold_ledgers(
    document: Document, rows: Sequence[Mapping[str, Any]], ledgers: Mapping[int, Sequence[Row]]
) -> None:
    """Fail unless each job of a scenario has exactly the records that are simulated, in order."""
    for number, job in enumerate(jobs_of(document)):
        expected, found = rows_of_simulation(rows, job.get("name")), list(ledgers[number])

        assert expected == found, difference(expected, found)


def difference(simulated: Sequence[Row], found: Sequence[Row]) -> str:
    """Both ledgers as one table: ``-`` begins what is simulated only, ``+`` what is not."""
    widths = [max(map(len, column)) for column in zip(HEAD, *simulated, *found, strict=True)]
    lines = ndiff(_lines(simulated, widths), _lines(found, widths))
    compared = [line for line in lines if not line.startswith("?")]
    return "\n".join(["", "  " + _lines([HEAD], widths)[0], *compared])


def _lines(rows: Sequence[Row], widths: Sequence[int]) -> list[str]:
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(*values: Any) -> Row:  # noqa: ANN401 - JSON
    return tuple(NOTHING if value is None else str(value) for value in values)
