"""DAG runs over time: what is drawn of waiting, working, trying again and fanning out."""

from dataclasses import replace
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest

from tests.support.dag_runs.dag_interventions import begin
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, task, tasks
from timegate.domain.dag_runs.pictures.gantt import Gantt, SpanKind, gantt_of
from timegate.domain.dag_runs.pictures.gantt_svg import gantt_svg
from timegate.domain.dag_runs.pictures.gantt_text import WIDTH, gantt_text
from timegate.domain.dag_runs.pictures.svg import PictureScheme
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dags.definition import Dag, FanOut, Join, JoinKind
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState

CHAIN = dag(tasks("a", "b", "c"), "a -> b", "b -> c")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(dag_world: DagWorld, own: Dag, run: DagRun) -> Gantt:
    """The chart as it is now."""
    found = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    attempts = dag_world.dag_runs.attempts(found)
    return gantt_of(own, found, dag_world.tasks(run), attempts, now=dag_world.world.clock.now())


def worked(dag_world: DagWorld, *, wait: float, work: float, state: RunState) -> None:
    """The one run that waits does so, is worked at, and ends."""
    clock = dag_world.world.clock
    (attempt,) = dag_world.waiting()
    clock.advance(wait)
    begun = begin(dag_world, attempt)
    clock.advance(work)
    ended = replace(dag_world.finish(begun, state), started_at=begun.started_at)
    dag_world.world.tables.put_attempt(ended)
    dag_world.hear(ended)


def half_way() -> Gantt:
    """The first task waited 10 s and worked 20, the second has waited for 10."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    worked(dag_world, wait=10, work=20, state=RunState.SUCCEEDED)
    dag_world.world.clock.advance(10)
    return drawn(dag_world, CHAIN, run)


def test_waiting_and_working_are_told_apart() -> None:
    """Up to now while it goes on; what has not begun comes last and has no bar."""
    chart = half_way()
    spans = [[(s.kind, s.ends_at is None) for s in row.spans] for row in chart.rows]

    assert spans == [
        [(SpanKind.QUEUED, False), (SpanKind.RUNNING, False)],
        [(SpanKind.QUEUED, True)],
        [],
    ]
    assert [
        (s.ends_at - s.begins_at).total_seconds() for s in chart.rows[0].spans if s.ends_at
    ] == [
        10,
        20,
    ]


def test_as_text_each_second_has_its_place() -> None:
    """Dots, equals signs, and an arrow where it goes on."""
    lines = gantt_text(half_way()).splitlines()
    bars = [line.split("|")[1] for line in lines[2:]]

    assert "from 2026-11-21" in lines[1]
    assert "40.0 s" in lines[1]
    assert bars[0] == "." * 10 + "=" * 20 + " " * 10
    assert bars[1] == " " * 30 + "." * 9 + ">"
    assert bars[2].strip() == ""
    assert {len(bar) for bar in bars} == {WIDTH}
    assert all(len(line) <= 80 for line in lines)


def test_the_picture_is_xml_with_title_description_and_now() -> None:
    """Names are escaped, and what XML cannot have is left out."""
    chart = half_way()
    hostile = replace(chart, name='<script>&"\x00\ufffe🎉', rows=chart.rows)
    root = ET.fromstring(gantt_svg(hostile))
    texts = [each.text for each in root.iter(f"{SVG}text")]

    assert root.find(f"{SVG}title").text == '<script>&"🎉'  # type: ignore[union-attr]
    assert "a: succeeded; b: running" in root.find(f"{SVG}desc").text  # type: ignore[union-attr, operator]
    assert "now" in texts
    assert [r.get("class") for r in root.iter(f"{SVG}rect")] == [
        "sheet",
        "queued",
        "succeeded",
        "queued",
        "succeeded",
        "queued",
    ]


def test_times_are_those_of_a_zone() -> None:
    """The axis, the titles of bars and the text; without one, UTC."""
    chart = half_way()
    berlin = ZoneInfo("Europe/Berlin")
    svg, text = gantt_svg(chart, PictureScheme.DARK, berlin), gantt_text(chart, berlin)

    assert ">Europe/Berlin</text>" in svg
    assert ">UTC</text>" in gantt_svg(chart)
    assert "08:00:10+01:00 to 2026-11-21 08:00:30+01:00" in svg
    assert "from 2026-11-21 08:00:00+01:00 Europe/Berlin to now" in text


@pytest.mark.parametrize(
    ("schedule", "zone"),
    [
        pytest.param(None, "UTC", id="none"),
        pytest.param(
            Schedule(kind=ScheduleKind.CRON, cron="0 3 * * *", timezone="Asia/Kolkata"),
            "Asia/Kolkata",
            id="cron",
        ),
        pytest.param(Schedule(kind=ScheduleKind.RATE, every_seconds=60), "UTC", id="rate"),
    ],
)
def test_its_zone_is_that_of_its_schedule(schedule: Schedule | None, zone: str) -> None:
    """A DAG whose schedule is read on no clock has UTC."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    own = replace(CHAIN, schedule=schedule)

    assert gantt_of(own, run, {}, [], now=run.created_at).timezone == zone


def test_when_it_has_ended_nothing_is_now() -> None:
    """The right edge is its end; skipped tasks say why."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    worked(dag_world, wait=0, work=30, state=RunState.FAILED)
    dag_world.world.clock.advance(500)
    chart = drawn(dag_world, CHAIN, run)

    assert (chart.ends_at - chart.begins_at).total_seconds() == 30
    assert ">now<" not in gantt_svg(chart)
    assert gantt_text(chart).count("| upstream") == 2


@pytest.mark.parametrize("width", [1, 3])
def test_a_fan_out_is_one_row(width: int) -> None:
    """From the first of its members to the last, with their counts."""
    dag_world = DagWorld()
    fan_out = FanOut(over="parameters.parts", join=Join(kind=JoinKind.ALL), max_width=9)
    own = dag((task("part", fan_out=fan_out),))
    parts = ",".join("1" * width)
    run = dag_world.start(own, parameters=f'{{"parts":[{parts}]}}')
    for _ in range(width):
        dag_world.world.clock.advance(5)
        dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.SUCCEEDED))
    (row,) = drawn(dag_world, own, run).rows

    assert [(s.kind, s.runs) for s in row.spans] == [
        (SpanKind.QUEUED, width),
        (SpanKind.RUNNING, width),
    ]
    assert f"{width} of {width} members" in gantt_text(drawn(dag_world, own, run))


def test_a_run_that_was_just_created_is_drawn() -> None:
    """No time has passed, and no task is on record."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    chart = gantt_of(CHAIN, run, {}, [], now=run.created_at)

    assert [row.state for row in chart.rows] == ["pending"] * 3
    assert ET.fromstring(gantt_svg(chart)) is not None
    assert gantt_text(chart).count("pending") == 3


def test_of_more_attempts_than_are_read_the_tasks_tell_themselves() -> None:
    """A wide fan-out is one span of its record; what was read whole is drawn as always."""
    own = dag((*tasks("a"), task("b", fan_out=FanOut(over="parameters.parts"))), "a -> b")
    dag_world = DagWorld()
    run = dag_world.start(own, parameters='{"parts":[1,2,3,4,5,6,7]}')
    worked(dag_world, wait=1, work=1, state=RunState.SUCCEEDED)
    for attempt in dag_world.waiting():
        failed = attempt.id.run.about.endswith(("-2", "-4"))
        ended = dag_world.finish(attempt, RunState.FAILED if failed else RunState.SUCCEEDED)
        dag_world.hear(ended)
    found = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    now = dag_world.world.clock.now()
    few = dag_world.dag_runs.first_attempts(found, at_most=4)
    cut = gantt_of(own, found, dag_world.tasks(run), few, now=now, is_cut=True)
    first, wide = cut.rows
    text = gantt_text(cut)

    assert (len(few), first.is_complete, wide.is_complete) == (4, True, False)
    assert [span.kind for span in first.spans] == [SpanKind.QUEUED, SpanKind.RUNNING]
    assert [(span.kind, span.runs) for span in wide.spans] == [(SpanKind.RUNNING, 7)]
    assert "tries not drawn" in text
    assert gantt_svg(cut).count("tries not drawn") == 1
