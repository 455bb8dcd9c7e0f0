"""Fair shares of a tick: few jobs of one tenant never wait behind many of another."""

from collections.abc import Sequence

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, job_id, timing_factory
from tests.support.world import World
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Advance, Unreadable
from timegate.usecases.planning.fair_shares import SHARE, FairShares

MINUTE = minute_of(NOW)
ONCE = Schedule(kind=ScheduleKind.AT, at=after(300))


def due(tenant: TenantId, count: int) -> list[Timing]:
    """So many jobs of a tenant."""
    return [timing_factory(tenant=tenant, job_id=job_id(f"{tenant} {n}")) for n in range(count)]


def sifted(shares: FairShares, timings: Sequence[Timing | Unreadable]) -> list[TenantId | str]:
    """Return the tenants whose jobs are planned at once."""
    found = shares.sift(MINUTE, iter(timings))
    return [each.tenant if isinstance(each, Timing) else each.pk for each in found]


def test_a_share_is_planned_at_once_and_what_is_beyond_it_is_set_aside() -> None:
    """The last of a share goes with the others, the one after it waits; nothing is lost."""
    shares = FairShares(share=3)
    jobs = due(TENANT, 4)

    assert sifted(shares, [*jobs[:3], *due(OTHER_TENANT, 1), jobs[3]]) == [
        *[TENANT] * 3,
        OTHER_TENANT,
    ]
    assert list(shares.set_aside()) == [(MINUTE, [jobs[3]])]
    assert shares.exceeded == {TENANT: 1}
    assert shares.unread() == []


def test_a_share_is_that_of_the_whole_tick() -> None:
    """Not of a bucket: a flood over many minutes is one flood."""
    shares = FairShares(share=2)
    jobs = due(TENANT, 3)
    first = list(shares.sift("202611211000", iter(jobs[:1])))
    second = list(shares.sift("202611211001", iter(jobs[1:])))

    assert first + second == jobs[:2]


def test_what_is_too_much_to_be_remembered_is_read_again() -> None:
    """Its tenant's is passed over from then on, and every bucket that may have more is known."""
    shares = FairShares(share=1, remembered=2)
    jobs = due(TENANT, 4)
    before = sifted(shares, jobs[:3]), shares.unread(), set(shares.flooding)
    sifted(shares, jobs[3:])

    assert before == ([TENANT], [], set())
    assert shares.flooding == {TENANT}
    assert shares.unread() == [MINUTE]
    assert list(shares.set_aside()) == [(MINUTE, jobs[1:3])]


def test_who_is_set_aside_takes_turns() -> None:
    """Two floods end together: neither waits for the whole of the other."""
    shares = FairShares(share=0)
    sifted(shares, [*due(TENANT, 60), *due(OTHER_TENANT, 30)])
    ((_, timings),) = shares.set_aside()

    assert [timing.tenant for timing in timings] == [
        *[TENANT] * 25,
        *[OTHER_TENANT] * 25,
        *[TENANT] * 25,
        *[OTHER_TENANT] * 5,
        *[TENANT] * 10,
    ]


def test_what_cannot_be_read_has_no_tenant() -> None:
    """It is dealt with at once, as ever."""
    damaged = Unreadable(pk="a", sk="b", reason="damaged")

    assert sifted(FairShares(share=0), [damaged]) == ["a"]


def test_once_shares_are_lifted_nothing_is_set_aside() -> None:
    """The rest of the tick is for whatever there is."""
    shares = FairShares(share=0, remembered=0)
    sifted(shares, due(TENANT, 1))
    shares.lift()

    assert sifted(shares, due(TENANT, 2)) == [TENANT] * 2
    assert shares.flooding == set()


@pytest.mark.parametrize("remembered", [10_000, 3], ids=["remembered", "read again"])
def test_a_quiet_tenant_is_planned_before_the_flood_and_the_flood_after_it(
    monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    """Due last and in a later minute, it is planned as soon as the flood has had its share; and a
    tick that has the time plans all of it.
    """
    monkeypatch.setattr(
        "timegate.usecases.planning.plan_shard.FairShares",
        lambda: FairShares(remembered=remembered),
    )
    world = World()
    planned: list[TenantId] = []
    plan_all = world.runs.plan_all

    def noted(advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        planned.extend(advance.timing.tenant for advance in advances)
        return plan_all(advances)

    monkeypatch.setattr(world.runs, "plan_all", noted)
    for number in range(SHARE + 10):
        world.add_job(job_id=job_id(f"flood {number}"), schedule=ONCE, next_run_at=after(300))
    later = Schedule(kind=ScheduleKind.AT, at=after(420))
    world.add_job(tenant=OTHER_TENANT, schedule=later, next_run_at=after(420))
    tick = world.tick()

    assert tick is not None
    assert (tick.jobs, tick.runs) == (SHARE + 11, SHARE + 11)
    assert planned == [*[TENANT] * SHARE, OTHER_TENANT, *[TENANT] * 10]
    assert world.telemetry.counts["JobsBeyondShare"] == min(10, remembered)
