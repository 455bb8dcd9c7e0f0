"""The judgement on a stage's health: what is a problem, from where on, and how grave."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.factories import NOW, after
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.auditing.stage_health import (
    AUDIT_SILENT,
    FINDING_HOLDS,
    TICK_BEHIND,
    TICK_SILENT,
    HealthStatus,
    LaneState,
    ProblemCode,
    ShardTicks,
    StageAlarm,
    StageHealth,
    status_of,
)
from timegate.domain.auditing.stage_problems import problems_of
from timegate.domain.dispatch.shards import OpenShards

RUNBOOKS = Path(__file__).resolve().parents[4] / "docs" / "operations" / "runbooks.md"
SHARDS = OpenShards.first(8, at=after(-86_400), key=b"k" * 32)
MOMENT = timedelta(milliseconds=1)


def ticks(shard: int = 0, **changes: Any) -> ShardTicks:  # noqa: ANN401 - any field
    """A shard in which everything is done in time."""
    well = ShardTicks(
        shard=shard,
        opened_at=after(-86_400),
        planned_to=after(-180),
        swept_to=after(-180),
        audit_began_at=after(-3600),
        audited=AuditVerdict(at=after(-300)),
    )
    return replace(well, **changes)


def health(*shards: ShardTicks, **changes: Any) -> StageHealth:  # noqa: ANN401 - any field
    """A stage of these shards."""
    well = StageHealth(at=NOW, open_shards=SHARDS, ticks=shards or (ticks(),), lanes=())
    return replace(well, **changes)


def codes(found: StageHealth) -> list[ProblemCode]:
    """The problems by their codes."""
    return [each.code for each in problems_of(found)]


def test_a_stage_that_does_its_work_is_healthy() -> None:
    """With waiting messages, too: they are shown, and alarms judge them."""
    lane = LaneState(lane="normal-short", waiting=5000, oldest_seconds=7)
    found = problems_of(health(lanes=(lane,)))

    assert found == ()
    assert status_of(found) is HealthStatus.HEALTHY


@pytest.mark.parametrize(
    ("field", "behind", "silent"),
    [
        ("planned_to", ProblemCode.PLANNER_BEHIND, ProblemCode.PLANNER_SILENT),
        ("swept_to", ProblemCode.SWEEPER_BEHIND, ProblemCode.SWEEPER_SILENT),
    ],
)
def test_a_shard_is_behind_and_then_silent(
    field: str, behind: ProblemCode, silent: ProblemCode
) -> None:
    """Behind degrades the stage; silent makes it unhealthy. Both bounds are exact."""

    def lagging(lag: timedelta) -> list[ProblemCode]:
        changes: dict[str, Any] = {field: NOW - lag}
        return codes(health(ticks(**changes)))

    assert lagging(TICK_BEHIND) == []
    assert lagging(TICK_BEHIND + MOMENT) == [behind]
    assert lagging(TICK_SILENT) == [behind]
    assert lagging(TICK_SILENT + MOMENT) == [silent]


def test_a_shard_without_a_tick_counts_from_its_opening() -> None:
    """A shard that was just opened is given the time of its first tick."""
    new = ticks(planned_to=None, swept_to=None, audited=None, opened_at=after(-60))
    old = replace(new, opened_at=after(-3600))

    assert codes(health(new)) == []
    assert codes(health(old)) == ["planner_silent", "sweeper_silent", "audit_silent"]


def test_the_worst_shard_decides_and_a_few_are_named() -> None:
    """Six of eight are behind: five are named, and all are counted."""
    late = [ticks(shard, planned_to=after(-400 - shard)) for shard in range(6)]
    (problem,) = problems_of(health(*late, ticks(6), ticks(7)))

    assert "6 of 8 shards (0, 1, 2, 3, 4 …)" in problem.detail
    assert "7 minutes behind" in problem.detail
    assert problem.status is HealthStatus.DEGRADED


def test_an_auditor_that_finished_no_tick_is_told_of() -> None:
    """Losses would be reported late; nothing is late by itself."""
    at = NOW - AUDIT_SILENT

    assert codes(health(ticks(audited=AuditVerdict(at=at)))) == []
    assert codes(health(ticks(audited=AuditVerdict(at=at - MOMENT)))) == ["audit_silent"]


@pytest.mark.parametrize(
    ("unaccounted", "lost", "code"),
    [(2, 0, "instants_unaccounted"), (0, 1, "records_lost"), (2, 1, "records_lost")],
)
def test_a_finding_is_a_problem_for_an_hour(unaccounted: int, lost: int, code: str) -> None:
    """Although the ticks after it find nothing."""

    def found_at(at: datetime) -> StageHealth:
        verdict = AuditVerdict(
            at=after(-300), found_at=at, unaccounted=unaccounted, lost=lost, instants=9
        )
        return health(ticks(audited=verdict))

    assert codes(found_at(NOW - FINDING_HOLDS)) == [code]
    assert codes(found_at(NOW - FINDING_HOLDS - MOMENT)) == []


def test_alarms_and_unknown_metrics_degrade() -> None:
    """The alarm's own words are told."""
    alarm = StageAlarm(name="relay-errors", meaning="It raises.", since=after(-120))
    told = problems_of(health(alarms=(alarm,)))

    assert told[0].detail == "The alarm relay-errors is on for 2 minutes. It raises."
    assert codes(health(lanes=None)) == ["metrics_unknown"]
    assert status_of(told) is HealthStatus.DEGRADED


def test_the_graver_problem_is_told_first() -> None:
    """And decides on the status."""
    found = problems_of(health(ticks(planned_to=after(-400), swept_to=after(-4000)), lanes=None))

    assert [each.code for each in found] == ["sweeper_silent", "planner_behind", "metrics_unknown"]
    assert status_of(found) is HealthStatus.UNHEALTHY


def test_a_stage_before_its_first_tick_is_said_to_be_one() -> None:
    """Nothing else can be told of it."""
    assert codes(health(open_shards=None, ticks=())) == ["no_shard_open"]


def test_every_problem_names_a_section_of_the_runbooks() -> None:
    """A link that leads nowhere is worth nothing at night."""
    verdict = AuditVerdict(at=after(-9000), found_at=NOW, lost=1)
    bad = ticks(planned_to=after(-4000), swept_to=after(-400), audited=verdict)
    missed = ticks(audited=AuditVerdict(at=NOW, found_at=NOW, unaccounted=1))
    alarm = StageAlarm(name="a", meaning="", since=NOW)
    stages = (
        health(bad, lanes=None, alarms=(alarm,)),
        health(missed),
        health(open_shards=None, ticks=()),
    )
    named = {problem.runbook for stage in stages for problem in problems_of(stage)}
    titles = {
        line.removeprefix("## ").strip().lower().replace(" ", "-")
        for line in RUNBOOKS.read_text().splitlines()
        if line.startswith("## ")
    }

    assert named <= titles
    assert len(named) == 7


def test_a_verdict_remembers_the_last_finding() -> None:
    """A tick that finds nothing keeps it; one that finds something replaces it."""
    bad = AuditVerdict.of(at=after(-600), instants=5, unaccounted=2, lost=0)
    good = AuditVerdict.of(at=after(-300), instants=7, unaccounted=0, lost=0)
    worse = AuditVerdict.of(at=NOW, instants=7, unaccounted=0, lost=1)
    kept = good.following(bad.following(None))

    assert (kept.at, kept.instants) == (after(-300), 7)
    assert (kept.found_at, kept.unaccounted, kept.lost) == (after(-600), 2, 0)
    assert worse.following(kept) == worse
    assert good.following(None).found_at is None
