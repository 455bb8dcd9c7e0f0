"""A Gantt chart as text: a line per task, for terminals, logs and tickets."""

from datetime import UTC, tzinfo

from timegate.domain.dag_runs.pictures.gantt import Gantt, Row, SpanKind
from timegate.domain.dag_runs.pictures.local_times import lasting
from timegate.domain.dag_runs.pictures.words import cells, cut
from timegate.domain.dag_runs.progress import Members

#: Characters between the bars, and of a title: a line without remarks fits 80 columns.
WIDTH = 40
_TITLE = 21
#: Failed members that are named by number.
_NAMED = 5
_MARKS = {SpanKind.QUEUED: ".", SpanKind.RUNNING: "="}
#: At the right end of what goes on.
_NOW = ">"


def gantt_text(gantt: Gantt, zone: tzinfo = UTC) -> str:
    """Dots wait, equals signs work; ``>`` at the right edge goes on."""
    run = gantt.run
    until = "now" if gantt.goes_on else "its end"
    lines = [
        f"{gantt.name} {run.dag_run_id} {run.status}, round {run.round}",
        f"{lasting(gantt, zone)} to {until}; . waits, = works",
    ]
    lines += [_line(gantt, row) for row in gantt.rows]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _line(gantt: Gantt, row: Row) -> str:
    title = cut(row.title, _TITLE)
    title += " " * (_TITLE - cells(title))
    return f"{title} {row.state:<13} |{_bar(gantt, row)}| {said_of(row)}"


def _bar(gantt: Gantt, row: Row) -> str:
    cells = [" "] * WIDTH
    for span in row.spans:
        begin = min(WIDTH - 1, int(gantt.share(span.begins_at) * WIDTH))
        end = gantt.share(span.ends_at or gantt.ends_at) * WIDTH
        # A span too short to be seen is shown at its begin, unless it only waited.
        shown = max(int(end), begin + (span.kind is SpanKind.RUNNING))
        for cell in range(begin, min(shown, WIDTH)):
            cells[cell] = _MARKS[span.kind]
        if span.ends_at is None and gantt.goes_on:
            cells[-1] = _NOW
    return "".join(cells)


def said_of(row: Row) -> str:
    """Describe a row beyond its bar: members, tries, rounds, and the reason of its end."""
    members, said = row.members, []
    if members is not None:
        said.append(_said_of_members(members))
    tries = max((span.attempt for span in row.spans), default=0)
    if tries > 1:
        said.append(f"{tries} tries")
    if row.round > 1:
        said.append(f"round {row.round}")
    if row.reason is not None:
        said.append(row.reason)
    if not row.is_complete:
        said.append("tries not drawn")
    return "; ".join(said)


def _said_of_members(members: Members) -> str:
    """Name the failed members if they are few, and count them otherwise."""
    failed = sorted(members.failed - members.skipped)
    which = f" ({', '.join(map(str, failed))})" if len(failed) <= _NAMED else ""
    said = f"{len(members.succeeded - members.skipped)} of {members.width} members"
    said += f", {len(failed)} failed{which}" if failed else ""
    return said + (f", {len(members.skipped)} left out" if members.skipped else "")
