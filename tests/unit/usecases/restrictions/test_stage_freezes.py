"""Freezes of the whole stage through planner, stream, executor and sweeper."""

from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import ALL, MINUTELY, SKIP, a_world, ledger, live
from tests.support.factories import JOB_ID, NOW, OTHER_TENANT, TENANT, after, stage_freeze_factory
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope
from timegate.domain.values.tenant import ADMINISTRATION
from timegate.usecases.ledger.explain_instant import explain_instant


def freeze_stage(world: World, first: float, last: float, **fields: Any) -> None:  # noqa: ANN401
    """Hold every tenant back."""
    freeze = stage_freeze_factory(starts_at=after(first), ends_at=after(last), **fields)
    world.restrictions.put_freeze(ADMINISTRATION, freeze, now=world.clock.now())


def but(tag: str) -> FreezeScope:
    """Every job without this tag."""
    return FreezeScope(kind=FreezeKind.STAGE, value=tag)


def explained(world: World, at: float) -> str:
    """Return the words about an instant of the job."""
    services = api_services(world)
    now = world.clock.now()
    return explain_instant(TENANT, JOB_ID, after(at), services, now=now).account.explanation


def test_a_freeze_of_the_stage_holds_a_tenant_back_and_thaws() -> None:
    """Planned runs and others wait for its end, and its thaw policy decides then."""
    world = a_world()
    world.tick()
    freeze_stage(world, 90, 1800, thaw=ALL)
    live(world, 1900)

    assert ledger(world)[:31] == [(n, n, "succeeded") for n in range(1, 32)]
    late = {a.started_at for a in world.attempts() if after(90) <= a.id.run.scheduled_at}
    assert min(at for at in late if at is not None) >= after(1800)


@pytest.mark.parametrize(
    ("fields", "is_held"),
    [
        pytest.param({"scope": but("tier=1")}, False, id="tag"),
        pytest.param({"scope": but("tier")}, False, id="key"),
        pytest.param({"scope": but("tier=2")}, True, id="another tag"),
        pytest.param({"spared_tenants": (TENANT,)}, False, id="tenant"),
        pytest.param({"spared_tenants": (OTHER_TENANT,)}, True, id="another tenant"),
    ],
)
def test_what_is_spared_goes_on(fields: dict[str, Any], is_held: bool) -> None:
    """Critical jobs by a tag, and tenants by name."""
    world = a_world(tags={"tier": "1"})
    freeze_stage(world, 30, 3600, thaw=SKIP, **fields)
    live(world, 240)

    assert bool([a for a in world.attempts() if a.started_at is not None]) is not is_held


def test_a_paused_job_is_paused_behind_it() -> None:
    """No state of the tenant's is touched."""
    world = a_world(status=JobStatus.PAUSED, held_at=NOW)
    freeze_stage(world, 30, 120)
    live(world, 240)

    assert world.jobs.get(TENANT, JOB_ID).timing.status is JobStatus.PAUSED
    assert world.attempts() == []


@pytest.mark.parametrize("at", [120, 1200, 3000])
def test_an_account_names_the_freeze_of_the_stage(at: float) -> None:
    """A run that waits, an instant that passed and one to come have the same sentence."""
    world = a_world(schedule=MINUTELY)
    world.tick()
    freeze_stage(world, 90, 3600, reason="Incident 4711.")
    live(world, 1500)

    assert explained(world, at).endswith(
        "The stage froze all tenants from 2026-11-21T07:01:30.000Z to 2026-11-21T08:00:00.000Z:"
        " Incident 4711."
    )


@pytest.mark.parametrize("at", [60, 3660])
def test_an_account_of_another_instant_does_not(at: float) -> None:
    """It ran before, or is due at the very end."""
    world = a_world(schedule=MINUTELY)
    world.tick()
    freeze_stage(world, 90, 3660)
    live(world, 1500)

    assert "The stage froze" not in explained(world, at)
