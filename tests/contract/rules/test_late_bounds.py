"""Late bounds of rules lie with what is in force, and late runs beside failures in their index."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    job_factory,
    lease_factory,
    running,
)
from tests.support.ruling import rule_factory
from tests.support.stores.contract_stores import Stores
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.restrictions.restrictions import LateBound
from timegate.domain.rules.rule import Rule, RuleName, StreakCondition, When
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.finish import Lateness
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.instant_range import InstantRange
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

LATE = When(late_after_seconds=600)
SOME = Selection(name="send*", tags={"team": "ops"})


def put(stores: Stores, name: str = "late", **fields: Any) -> Rule:  # noqa: ANN401 - as the rule has them
    """Store a rule."""
    rule = rule_factory(**({"name": RuleName(name), "when": LATE} | fields))
    return stores.rules.put_rule(rule, expected_version=None, now=NOW)


def bounds(stores: Stores) -> tuple[LateBound, ...]:
    """Bounds that are in force."""
    return stores.restrictions.in_force([TENANT])[TENANT].late_bounds


def late_attempt(number: int = 1, **fields: Any) -> Attempt:  # noqa: ANN401 - as the attempt has them
    """A run that passed a bound."""
    lateness = Lateness(since=NOW, beyond_seconds=600, marked_at=after(600 + number))
    its_id = attempt_id(scheduled_at=after(number))
    return attempt_factory(**({"id": its_id, "lateness": lateness} | fields))


def found(stores: Stores, *, late: bool = True) -> list[AttemptRef]:
    """Return the runs that a look would read of an hour."""
    within = InstantRange(start=NOW, end=after(3_600))
    refs, _ = stores.failures.failures_since(TENANT, within=within, limit=10, after=None, late=late)
    return list(refs)


def test_bounds_follow_the_rules(stores: Stores) -> None:
    """Enabled rules for late runs give bounds; a deletion takes them away."""
    put(stores, jobs=SOME)
    put(stores, "hour", when=When(late_after_seconds=3_600, dead_letter=True))
    put(stores, "failures", when=When(failures_in_a_row=1))
    some, hour = LateBound(after_seconds=600, jobs=SOME), LateBound(after_seconds=3_600)

    assert sorted(bounds(stores), key=lambda each: each.after_seconds) == [some, hour]
    put(stores, "hour", when=When(late_after_seconds=3_600), enabled=False)
    assert bounds(stores) == (some,)
    stores.rules.delete_rule(TENANT, "late", expected_version=None, now=NOW)
    assert bounds(stores) == ()


def test_bounds_and_restrictions_keep_one_another(stores: Stores) -> None:
    """One record has both, and each change leaves the other."""
    stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=None)
    put(stores)
    stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=None)
    in_force = stores.restrictions.in_force([TENANT, OTHER_TENANT])

    assert in_force[TENANT].late_bounds == (LateBound(after_seconds=600),)
    assert dict(in_force[TENANT].calendars) == {calendar_factory().name: 2}
    assert in_force[OTHER_TENANT].late_bounds == ()


@pytest.mark.parametrize(
    ("selection", "expected"), [(SOME, ()), (Selection(), (600,)), (Selection(name="se*"), (600,))]
)
def test_a_job_that_is_loaded_knows_its_bounds(
    stores: Stores, selection: Selection, expected: tuple[int, ...]
) -> None:
    """The rules that select it give the bounds, at no further call."""
    stores.jobs.create(job_factory())
    attempt = stores.add(attempt_factory())
    put(stores, jobs=selection)
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=TENANT, id=attempt.id)])

    assert loaded.job is not None
    assert loaded.job.told_late_after == expected


def test_the_write_that_marks_a_run_shows_it_to_looks(stores: Stores) -> None:
    """The sweeper's look, or the claim; failures are listed as before."""
    waiting = stores.add(attempt_factory(id=attempt_id(scheduled_at=after(1))))
    claimed = stores.add(attempt_factory(id=attempt_id(scheduled_at=after(2))))
    mark = late_attempt().lateness
    assert found(stores) == []
    stores.runs.replace(waiting, replace(waiting, lateness=mark))
    late = replace(claimed, lateness=mark)
    stores.runs.claim_all([LeaseClaim(attempt=late, job_version=1, lease=lease_factory())])
    (stored,) = stores.runs.attempts(TENANT, claimed.id.run)
    listed = stores.failures.list_failures(
        TENANT, within=InstantRange(start=NOW, end=after(3_600)), limit=10, cursor=None
    )

    assert {ref.id for ref in found(stores)} == {waiting.id, claimed.id}
    assert stored.lateness == mark
    assert found(stores, late=False) == []
    assert listed.rows == ()


@pytest.mark.parametrize("state", [RunState.SUCCEEDED, RunState.FAILED])
def test_a_late_run_that_ends_is_still_found(stores: Stores, state: RunState) -> None:
    """A failure moves it into the partitions of failures, which looks read as well."""
    attempt = stores.add(running(late_attempt()))
    stores.runs.finish_all([end(attempt, state, now=after(700), reason=Reason.PERMANENT)])

    assert [ref.id for ref in found(stores)] == [attempt.id]
    assert len(found(stores, late=False)) == int(state is RunState.FAILED)


def test_a_streak_of_one_run_is_read_back(stores: Stores) -> None:
    """Beside that of its job, and kept for longer than a run may wait."""
    rule = put(stores)
    run = attempt_id().run
    of_job = StreakId(rule_id=rule.rule_id, condition=StreakCondition.LATE, job_id=JOB_ID)
    of_run = replace(of_job, run=run)
    streak = Streak(
        tenant=TENANT,
        id=of_run,
        job_name="report",
        until=NOW,
        runs_from=NOW,
        told_at=NOW,
        is_open=False,
        run=run,
    )
    assert stores.rule_messages.tell(TENANT, streaks=[streak])

    assert stores.rules.streaks(TENANT, [of_job, of_run], now=NOW) == {of_run: streak}
    assert streak.forgotten_at - NOW > timedelta(days=8)
