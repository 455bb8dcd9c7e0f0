"""The auditor recounts some tenants, and tells of what has drifted."""

import random
from datetime import timedelta

import pytest

from tests.support.factories import OTHER_TENANT, TENANT, job_id
from tests.support.world import World
from timegate.domain.execution.quota_usage import Quota
from timegate.usecases.auditing.audit_quotas import DRAWN, TIME, audit_quotas
from timegate.usecases.auditing.recount import LOOKS, SETTLES, recount


def drift(world: World, by: int) -> None:
    seen = world.usage.tallied(TENANT, Quota.JOBS)
    assert world.usage.correct(TENANT, Quota.JOBS, seen, by=by)


def test_a_tick_tells_of_a_tenant_whose_count_is_wrong() -> None:
    """With both numbers; of one that is right it says nothing."""
    world = World()
    world.add_job()
    world.add_job(tenant=OTHER_TENANT, job_id=job_id("b"))
    drift(world, 4)
    world.audit()
    (told,) = world.telemetry.named("quota_drifted")

    assert told.fields == {"tenant_id": TENANT, "quota": "jobs", "counted": 5, "present": 1}
    assert world.telemetry.counts["QuotaDrift"] == 4
    assert world.telemetry.counts["RecountsInconclusive"] == 0


def test_a_tick_has_a_bound() -> None:
    """So many tenants, whatever tenants are there."""
    world = World()
    asked: list[str] = []

    class Listening:
        def tallied(self, tenant: str, quota: Quota) -> object:
            asked.append(tenant)
            return world.usage.tallied(TENANT, quota)

        def present(self, *_: object, **__: object) -> None:
            return None

    tenants = {TENANT.__class__(f"tenant-{number}") for number in range(20)}
    audit_quotas(tenants, Listening(), world.telemetry, random.Random(1), world.clock)  # type: ignore[arg-type]

    assert len(set(asked)) == DRAWN
    assert world.telemetry.counts["RecountsInconclusive"] == 2 * DRAWN


def test_what_changes_under_its_hands_is_not_judged() -> None:
    """A job was made between the two looks at the counts."""
    world = World()
    world.add_job()
    usage = world.usage

    class Busy:
        def tallied(self, tenant: str, quota: Quota) -> object:
            drift(world, 1)
            return usage.tallied(TENANT, quota)

        def present(self, *_: object, **__: object) -> int:
            return 1

    assert recount(TENANT, Quota.JOBS, Busy(), lambda: None, most=5) is None  # type: ignore[arg-type]


def test_an_index_that_is_late_is_looked_at_again() -> None:
    """A difference that a second count does not show is no drift."""
    world = World()
    world.add_job()
    late = iter([0, 1])

    class Late:
        def tallied(self, _: str, quota: Quota) -> object:
            return world.usage.tallied(TENANT, quota)

        def present(self, *_: object, **__: object) -> int:
            return next(late)

    found = recount(TENANT, Quota.JOBS, Late(), lambda: None, most=5)  # type: ignore[arg-type]

    assert found is not None
    assert found.drift == 0


class LateIndex:
    """A usage whose index shows a job seconds after it was made; the records count it at once."""

    def __init__(self, world: World, *, seconds: float, makes: bool = False) -> None:
        self._world = world
        self._late = timedelta(seconds=seconds)
        self._made_at = [world.clock.now()]
        self._makes = makes

    def tallied(self, _: str, quota: Quota) -> object:
        """Read the count, which is one more for each job."""
        return self._world.usage.tallied(TENANT, quota)

    def present(self, *_: object, **__: object) -> int:
        """Count what the index shows; between two looks the tenant makes another job."""
        now = self._world.clock.now()
        if self._makes and now > self._made_at[-1]:
            drift(self._world, 1)
            self._made_at.append(now)
        return sum(1 for at in self._made_at if now >= at + self._late)


def looked(world: World, usage: LateIndex) -> int | None:
    """Return the drift that a recount finds; ``None``: it proves nothing."""
    found = recount(
        TENANT,
        Quota.JOBS,
        usage,  # type: ignore[arg-type]
        lambda: world.clock.advance(SETTLES.total_seconds()),
        most=5,
    )
    return None if found is None else found.drift


@pytest.mark.parametrize(
    ("seconds", "makes", "expected"), [(0, False, 0), (4, False, 0), (60, True, None)]
)
def test_an_index_that_is_seconds_late_is_no_drift(
    seconds: float, expected: int | None, *, makes: bool
) -> None:
    """Neither of a job that was made just now, nor of one every few seconds."""
    world = World()
    world.add_job()

    assert looked(world, LateIndex(world, seconds=seconds, makes=makes)) == expected


def test_a_difference_that_stands_is_a_drift() -> None:
    """Nothing was made meanwhile, and the index had its time."""
    world = World()
    world.add_job()
    drift(world, 3)

    assert looked(world, LateIndex(world, seconds=0)) == -3


def test_a_tick_waits_for_indexes_no_longer_than_its_time() -> None:
    """Other shards of the tick wait behind it."""
    world = World()
    world.add_job()
    drift(world, 1)
    began_at = world.clock.now()
    tenants = {TENANT.__class__(f"tenant-{number}") for number in range(20)}
    usage = LateIndex(world, seconds=60)
    audit_quotas(tenants, usage, world.telemetry, random.Random(1), world.clock)  # type: ignore[arg-type]

    assert world.clock.now() - began_at <= TIME + 2 * LOOKS * SETTLES
