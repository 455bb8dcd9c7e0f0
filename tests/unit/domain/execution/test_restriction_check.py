"""Restraint: what becomes of a run that is due when a freeze ends, by the freeze's thaw policy."""

from typing import Any

import pytest

from tests.support.factories import (
    NOW,
    after,
    attempt_factory,
    attempt_id,
    freeze_factory,
    timing_factory,
)
from timegate.domain.execution.restriction_check import NeverBegins, PutOff, judge_restrictions
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.slices import Slices
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.values.identity import AttemptId, Origin

#: Runs of every minute up to here were planned before the freeze was made.
LAST = 540
SKIP, LATEST, ALL = CatchUpPolicy.SKIP, CatchUpPolicy.LATEST, CatchUpPolicy.ALL


def judged(
    thaw: ThawPolicy,
    *,
    at: float,
    catch_up: CatchUp | None = None,
    origin: Origin = Origin.SCHEDULE,
    **fields: Any,  # noqa: ANN401 - the dataclass checks them
) -> PutOff | NeverBegins | None:
    """Judge the run of an instant once a freeze of ten minutes from NOW is over."""
    freeze = freeze_factory(starts_at=NOW, ends_at=after(600), thaw=thaw)
    timing = timing_factory(next_run_at=after(600), catch_up=catch_up or CatchUp(policy=ALL))
    attempt = attempt_factory(
        id=attempt_id(scheduled_at=after(at), origin=origin),
        due_at=after(600),
        frozen_since=after(at),
        **fields,
    )
    return judge_restrictions(timing, attempt, Restrictions(freezes=(freeze,)), now=after(600))


@pytest.mark.parametrize(
    ("thaw", "catch_up", "runs"),
    [
        pytest.param(ThawPolicy.SKIP, {"policy": ALL}, [], id="skip"),
        pytest.param(ThawPolicy.LATEST, {"policy": ALL}, [540], id="latest"),
        pytest.param(ThawPolicy.ALL, {"policy": SKIP}, [0, 240, 480, 540], id="all"),
        pytest.param(ThawPolicy.JOB, {"policy": SKIP}, [], id="job-skips"),
        pytest.param(ThawPolicy.JOB, {"policy": LATEST}, [540], id="job-latest"),
        pytest.param(ThawPolicy.JOB, {"policy": ALL, "limit": 2}, [480, 540], id="job-two"),
        pytest.param(
            ThawPolicy.JOB, {"policy": ALL, "window_seconds": 360}, [240, 480, 540], id="job-window"
        ),
        pytest.param(
            ThawPolicy.JOB, {"policy": ALL, "window_seconds": 359}, [480, 540], id="shorter-window"
        ),
    ],
)
def test_the_thaw_policy_decides_about_each_instant_when_the_freeze_is_over(
    thaw: ThawPolicy, catch_up: dict[str, Any], runs: list[float]
) -> None:
    """Also about those that were planned before any planner knew of the freeze."""
    policy = CatchUp(**catch_up)
    found = {at: judged(thaw, at=at, catch_up=policy) for at in (0, 240, 480, LAST)}

    assert [at for at, verdict in found.items() if verdict is None] == runs
    assert {verdict for verdict in found.values() if verdict is not None} <= {
        NeverBegins(reason=Reason.FROZEN)
    }


@pytest.mark.parametrize(
    ("thaw", "runs"),
    [
        pytest.param(ThawPolicy.SKIP, False, id="skip"),
        pytest.param(ThawPolicy.LATEST, True, id="latest"),
        pytest.param(ThawPolicy.ALL, True, id="all"),
        pytest.param(ThawPolicy.JOB, True, id="job"),
    ],
)
def test_a_trigger_that_was_frozen_runs_unless_nothing_may(thaw: ThawPolicy, *, runs: bool) -> None:
    """No schedule named it, so it is none of the latest instants, whatever the job catches up."""
    catch_up = CatchUp(policy=SKIP)
    verdict = judged(thaw, at=240, catch_up=catch_up, origin=Origin.TRIGGER)

    assert verdict == (None if runs else NeverBegins(reason=Reason.FROZEN))


@pytest.mark.parametrize(("ended", "runs"), [(0, False), (1, True)], ids=["new", "under way"])
def test_a_run_that_is_under_way_goes_on_whatever_the_policy(ended: int, *, runs: bool) -> None:
    """Part of its work is done: it is no instant that one can leave out."""
    verdict = judged(ThawPolicy.SKIP, at=240, slices=Slices(ended=ended))

    assert verdict == (None if runs else NeverBegins(reason=Reason.FROZEN))


@pytest.mark.parametrize("number", [1, 2], ids=["first", "retry"])
@pytest.mark.parametrize(("origin", "runs"), [(Origin.TRIGGER, False), (Origin.TASK, True)])
def test_a_task_of_a_dag_run_goes_on_whatever_the_policy(
    number: int, origin: Origin, *, runs: bool
) -> None:
    """Its DAG run is under way, and would be told to have succeeded without it."""
    run = attempt_id(scheduled_at=after(240), origin=origin).run
    attempt = attempt_factory(
        id=AttemptId(run=run, number=number), due_at=after(600), frozen_since=after(240)
    )
    freeze = freeze_factory(starts_at=NOW, ends_at=after(600), thaw=ThawPolicy.SKIP)
    restrictions = Restrictions(freezes=(freeze,))
    verdict = judge_restrictions(timing_factory(), attempt, restrictions, now=after(600))

    assert verdict == (None if runs else NeverBegins(reason=Reason.FROZEN))


@pytest.mark.parametrize("origin", [Origin.SCHEDULE, Origin.TRIGGER])
@pytest.mark.parametrize("spares", [False, True], ids=["holds runs", "spares runs"])
def test_a_freeze_that_spares_runs_holds_none_back(origin: Origin, *, spares: bool) -> None:
    """A tenant that leaves for another stage ends its runs where they began."""
    freeze = freeze_factory(starts_at=NOW, ends_at=after(600), spares_runs=spares)
    attempt = attempt_factory(id=attempt_id(origin=origin), due_at=NOW)
    restrictions = Restrictions(freezes=(freeze,))
    verdict = judge_restrictions(timing_factory(), attempt, restrictions, now=NOW)

    assert (verdict is None) is spares
