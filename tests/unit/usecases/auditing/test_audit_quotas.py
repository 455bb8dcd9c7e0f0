"""The auditor recounts some tenants, and tells of what has drifted."""

import random

from tests.support.factories import OTHER_TENANT, TENANT, job_id
from tests.support.world import World
from timegate.domain.execution.quota_usage import Quota
from timegate.usecases.auditing.audit_quotas import DRAWN, audit_quotas
from timegate.usecases.auditing.recount import recount


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
    audit_quotas(tenants, Listening(), world.telemetry, random.Random(1))  # type: ignore[arg-type]

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

    assert recount(TENANT, Quota.JOBS, Busy(), most=5) is None  # type: ignore[arg-type]


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

    found = recount(TENANT, Quota.JOBS, Late(), most=5)  # type: ignore[arg-type]

    assert found is not None
    assert found.drift == 0
