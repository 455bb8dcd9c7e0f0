"""``JobStore``: what its gap records say, and cutting those that reach ahead."""

from dataclasses import replace

import pytest

from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after, gap_factory
from tests.support.stores.contract_stores import Stores
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Naming
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.values.errors import JobChanged
from timegate.usecases.planning.cut_gaps import WITH_CHANGE

CRON = Schedule(
    kind=ScheduleKind.CRON,
    cron="30 2 * * MON",
    timezone="Europe/Berlin",
    starts_at=NOW,
    ends_at=after(86_400),
    max_runs=7,
    gap=GapPolicy.SKIP,
    fold=FoldPolicy.BOTH,
)
NAMINGS = [Naming(schedule=each, anchored_at=after(-7.5)) for each in (EVERY_MINUTE, CRON)]


def renamed(job: Job) -> Job:
    """Its next version."""
    timing = replace(job.timing, version=job.timing.version + 1)
    return replace(job, name="renamed", timing=timing)


def test_an_update_cuts_gaps(stores: Stores) -> None:
    """A cut gap lies at its new end; a removed one takes no place on a page."""
    job = stores.add_job()
    gaps = [gap_factory(first=after(n * 100), last=after(n * 100 + 60)) for n in range(4)]
    for gap in gaps:
        before = stores.jobs.get(TENANT, JOB_ID)
        stores.jobs.update(before, before, gap=gap)
    left = replace(gaps[1], last=after(120), count=3)
    cuts = [Cut(gap=gaps[0], left=None), Cut(gap=gaps[1], left=left), Cut(gap=gaps[2], left=None)]
    with pytest.raises(JobChanged):
        stores.jobs.update(renamed(renamed(job)), renamed(job), cuts=cuts)
    untouched = stores.jobs.gaps(TENANT, JOB_ID, since=after(0), limit=9)
    stores.jobs.update(job, renamed(job), cuts=cuts)

    assert untouched == tuple(gaps)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(0), limit=2) == (left, gaps[3])
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(0), limit=1) == (left,)
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(121), limit=9) == (gaps[3],)


def test_an_update_takes_as_many_cuts_as_a_transaction(stores: Stores) -> None:
    """With its former definition, a new gap, and what is left of the first: a hundred writes."""
    job = stores.add_job()
    gaps = [gap_factory(first=after(n * 100), last=after(n * 100 + 60)) for n in range(200)]
    for gap in gaps:
        before = stores.jobs.get(TENANT, JOB_ID)
        stores.jobs.update(before, before, gap=gap)
    left = replace(gaps[0], last=after(0), count=1)
    new = gap_factory(first=after(-120), last=after(-60), count=2)
    cuts = [Cut(gap=gaps[0], left=left), *(Cut(gap=gap, left=None) for gap in gaps[1:])]
    stores.jobs.update(job, renamed(job), gap=new, cuts=cuts[:WITH_CHANGE])
    half_way = stores.jobs.gaps(TENANT, JOB_ID, since=after(-120), limit=999)
    stores.jobs.cut(cuts[WITH_CHANGE:])
    stores.jobs.cut(cuts[WITH_CHANGE:])

    assert half_way == (new, left, *gaps[WITH_CHANGE:])
    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(-120), limit=999) == (new, left)


def test_what_is_left_of_gaps_takes_their_place(stores: Stores) -> None:
    """Any number of them, each with a part."""
    stores.add_job()
    gaps = [gap_factory(first=after(n * 100), last=after(n * 100 + 60)) for n in range(51)]
    for gap in gaps:
        before = stores.jobs.get(TENANT, JOB_ID)
        stores.jobs.update(before, before, gap=gap)
    left = [replace(gap, last=gap.first, count=1) for gap in gaps]
    stores.jobs.cut([Cut(gap=gap, left=part) for gap, part in zip(gaps, left, strict=True)])

    assert stores.jobs.gaps(TENANT, JOB_ID, since=after(0), limit=999) == tuple(left)


@pytest.mark.parametrize("naming", [None, *NAMINGS], ids=["none", "rate", "cron"])
def test_a_gap_keeps_what_named_its_instants(stores: Stores, naming: Naming | None) -> None:
    """Records from before that was kept have none."""
    job, gap = stores.add_job(), gap_factory(naming=naming)
    stores.jobs.update(job, renamed(job), gap=gap)

    assert stores.jobs.gaps(TENANT, JOB_ID, since=gap.first, limit=9) == (gap,)
