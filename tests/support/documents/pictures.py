"""Pictures in the docs: of DAGs and their runs, drawn anew by ``make pictures``."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.pipelines import pipeline
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.pictures.gantt import BarSpan, Gantt, Row, SpanKind
from timegate.domain.dag_runs.pictures.gantt_svg import gantt_svg
from timegate.domain.dag_runs.pictures.graph_svg import graph_svg
from timegate.domain.dag_runs.pictures.svg import PictureScheme
from timegate.domain.dag_runs.progress import DagRunStatus, TaskState
from timegate.domain.dags.drawing import Drawing, drawing_of
from timegate.domain.values.identity import TaskKey

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "images" / "dags"
BERLIN = ZoneInfo("Europe/Berlin")
_NIGHTLY = replace(
    dag(
        (
            *(task("orders"), task("customers"), task("prices")),
            *(task("clean", name="clean orders"), task("join", name="join customers")),
            *(task("report"), task("alert")),
        ),
        *("orders -> clean", "clean -> join", "customers -> join", "prices -> join"),
        *("join -> report", "join -x alert"),
    ),
    name="nightly load",
)
#: Attempts at each task: seconds since the beginning at which one was queued, began and ended.
_COURSE: Mapping[str, tuple[tuple[float, float, float | None], ...]] = {
    "prices": ((0, 4, 35),),
    "customers": ((0, 6, 81),),
    "orders": ((0, 5, 60), (90, 92, 240)),
    "clean": ((240, 243, 335),),
    "join": ((335, 344, 548),),
    "report": ((548, 551, None),),
}
_LASTS = 690.0
_STATES = ("succeeded",) * 6 + ("failed", "running", "skipped", "cancelled", "pending", "pending")


def _gantt() -> Gantt:
    """The chart of a run whose report is under way."""
    run = DagWorld().start(_NIGHTLY)
    began = run.created_at
    rows = (
        Row(
            key=each.key,
            title=each.name or each.key,
            state=_state(each.key),
            reason=None,
            round=1,
            members=None,
            spans=tuple(_spans(each.key, began)),
        )
        for each in _NIGHTLY.tasks
    )
    return Gantt(
        name=_NIGHTLY.name,
        run=replace(run, status=DagRunStatus.RUNNING),
        begins_at=began,
        ends_at=began + timedelta(seconds=_LASTS),
        rows=tuple(sorted(rows, key=lambda row: (not row.spans, _order(row)))),
    )


def _order(row: Row) -> float:
    return _COURSE[row.key][0][1] if row.spans else 0.0


def _state(key: TaskKey) -> TaskState:
    attempts = _COURSE.get(key, ())
    if not attempts:
        return TaskState.PENDING
    return TaskState.RUNNING if attempts[-1][2] is None else TaskState.SUCCEEDED


def _spans(key: TaskKey, began: datetime) -> Iterator[BarSpan]:
    attempts = _COURSE.get(key, ())
    for number, (queued, begun, ended) in enumerate(attempts, start=1):
        last = "succeeded" if number == len(attempts) else "failed"
        for kind, start, end in (
            (SpanKind.QUEUED, queued, begun),
            (SpanKind.RUNNING, begun, ended),
        ):
            yield BarSpan(
                kind=kind,
                round=1,
                attempt=number,
                begins_at=began + timedelta(seconds=start),
                ends_at=None if end is None else began + timedelta(seconds=end),
                state=last if kind is SpanKind.RUNNING and end is not None else None,
            )


def _sixty() -> Drawing:
    """A run of a pipeline of sixty tasks, in all states."""
    drawn, random = pipeline(16, 1), Random(4)
    nodes = (replace(node, state=random.choice(_STATES)) for node in drawn.nodes)
    return replace(drawn, name="pipeline", nodes=tuple(nodes))


def pictures() -> dict[str, str]:
    """Each picture, by the name of its file."""
    states = {each.key: _state(each.key) for each in _NIGHTLY.tasks}
    return {
        "graph.svg": graph_svg(drawing_of(_NIGHTLY)),
        "run.svg": graph_svg(drawing_of(_NIGHTLY, states)),
        "gantt.svg": gantt_svg(_gantt(), PictureScheme.AUTO, BERLIN),
        "gantt-dark.svg": gantt_svg(_gantt(), PictureScheme.DARK, BERLIN),
        "sixty.svg": graph_svg(_sixty()),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
