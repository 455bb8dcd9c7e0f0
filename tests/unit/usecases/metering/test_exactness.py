"""The meter counts as many units, calls and seconds as were billed, whatever it has to read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from bench.cost.meter import Meter
from bench.cost.steps import executed
from tests.support.factories import after, job_id
from tests.support.stores.faults import Died
from timegate.domain.metering.meter_round import SETTLED_AFTER, MeterRound
from timegate.domain.metering.tally import CostTally, TenantMonth
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.messaging import Delayed
from timegate.ports.metering import MeterPage, MonthOf
from timegate.usecases.metering.meter_runs import meter_runs
from timegate.usecases.metering.metering_services import Metering

ACME, GLOBEX, INITECH = (TenantId(each) for each in ("acme", "globex", "initech"))
TENANTS = (ACME, GLOBEX, INITECH)
MONTH = "2026-11"
#: Tenants, minutes between runs, and jobs.
RATES = ((ACME, 1, 7), (ACME, 5, 4), (GLOBEX, 1, 1), (GLOBEX, 15, 6), (INITECH, 60, 12))
JOBS = sum(count for *_, count in RATES)
#: Minutes before the measure, and in it.
WARM, MEASURED = 20, 120


@dataclass
class Course:
    """Two hours of a stage whose targets answer at once, after some minutes without measure."""

    rates: tuple[tuple[TenantId, int, int], ...] = ()
    meter: Meter = field(default_factory=Meter)
    on_their_way: list[Delayed] = field(default_factory=list)
    #: Units that the meter itself wrote for the whole of it.
    own_units: int = 0
    #: Costs counted before the measure.
    warm: CostTally = field(default_factory=CostTally)

    def play(self) -> "Course":
        """Play it to its end."""
        for tenant, minutes, count in self.rates:
            for number in range(count):
                self._add(tenant, minutes, number)
        self._pass(WARM)
        self.count()
        self.warm = self.month()
        self.meter.begin()
        self._pass(MEASURED)
        self.count()
        self.own_units = self.meter.engine.units.total()
        return self

    def count(self) -> int:
        """Let the meter count; its own units are billed to no run."""
        self.meter.engine.reset()
        world = self.meter.world
        metering = Metering(store=world.meter, clock=world.clock, telemetry=world.telemetry)
        return meter_runs(metering, now=world.clock.now())

    def month(self) -> CostTally:
        """Sum the tallies of all tenants."""
        store, whole = self.meter.world.meter, CostTally()
        for each in TENANTS:
            whole += store.tenant_month((each, MONTH)).whole
        return whole

    def _add(self, tenant: TenantId, minutes: int, number: int) -> None:
        first = minutes if minutes < WARM else WARM + 6 + 4 * number
        self.meter.world.add_job(
            tenant=tenant,
            job_id=job_id(f"{tenant} {minutes} {number}"),
            schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=60 * minutes),
            anchored_at=after(60 * (first - minutes)),
            next_run_at=after(60 * first),
        )

    def _pass(self, minutes: int) -> None:
        for _ in range(minutes):
            self.meter.world.clock.advance(60)
            with self.meter.invoked("planner", items=0):
                self.meter.world.tick()
            self.on_their_way = executed(self.meter, self.on_their_way, target_seconds=0)


@pytest.fixture(scope="module")
def busy() -> Course:
    """A stage with thirty jobs of three tenants."""
    return Course(rates=RATES).play()


@pytest.fixture(scope="module")
def billed(busy: Course) -> BilledUsage:
    """Its bill beyond that of a stage without a job, whose ticks are no tenant's."""
    return busy.meter.usage + Course().play().meter.usage.times(-1)


@pytest.fixture(scope="module")
def counted(busy: Course) -> BilledUsage:
    """Its tenants' usage by the meter; what is kept is billed by the month."""
    return replace(busy.month().usage + busy.warm.usage.times(-1), stored_bytes=0)


def test_write_units_are_those_that_the_engine_bills(
    billed: BilledUsage, counted: BilledUsage
) -> None:
    """Plans of seven runs, of two and of one; batches of two to ten."""
    assert counted.write_units == pytest.approx(billed.write_units, rel=0.02)


def test_the_sum_over_tenants_is_the_bill_of_the_stage(
    billed: BilledUsage, counted: BilledUsage
) -> None:
    """Within two per cent, in US dollars: a batch's calls are shared by its runs."""
    assert counted.usd == pytest.approx(billed.usd, rel=0.02)


def test_jobs_add_up_to_their_tenant(busy: Course) -> None:
    """Each record is added to by itself, and none twice."""
    store = busy.meter.world.meter
    for tenant in TENANTS:
        jobs, is_complete = store.job_tallies((tenant, MONTH))
        whole, summed = store.tenant_month((tenant, MONTH)).whole, CostTally()
        for each in jobs:
            summed += each.tally

        assert is_complete
        assert summed.runs == whole.runs
        assert summed.usage.usd == pytest.approx(whole.usage.usd, rel=1e-5)


def test_every_run_that_ended_is_counted_once(busy: Course) -> None:
    """Up to five minutes ago: what ended later is the next round's."""
    world = busy.meter.world
    until = world.clock.now() - SETTLED_AFTER
    ended = [each for each in world.attempts() if each.ended_at and each.ended_at <= until]

    assert busy.month().runs == len(ended) > 1_000


def test_a_round_costs_a_unit_for_each_job(busy: Course) -> None:
    """One more at its beginning, two for each tenant and the meter's record; runs pay nothing."""
    assert busy.own_units == JOBS + 1 + 2 * (len(TENANTS) + 1)


def test_a_round_that_is_not_due_reads_the_meter_s_record_alone(busy: Course) -> None:
    """It is due an hour behind the ends that the last one counted."""
    before, engine = busy.month(), busy.meter.engine
    engine.reset()

    assert busy.count() == 0
    assert engine.calls == {"GetItem": 1}
    assert busy.month() == before


def test_a_round_whose_tick_dies_counts_each_end_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are counted, and the meter has not moved: the next tick goes on with the same round."""
    course = Course(rates=((ACME, 1, 2),))
    course._add(ACME, 1, 0)
    course._pass(30)
    store = course.meter.world.meter
    move = store.move

    def dies(before: MeterRound, after: MeterRound, added: Mapping[MonthOf, TenantMonth]) -> bool:
        if added:
            raise Died
        return move(before, after, added)

    monkeypatch.setattr(store, "move", dies)
    with pytest.raises(Died):
        course.count()
    monkeypatch.undo()
    course.meter.world.clock.advance(60)
    course.count()
    (job,), _ = store.job_tallies((ACME, MONTH))

    assert job.tally.runs == course.month().runs > 10


def test_a_failure_of_the_meter_is_told_and_fails_no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused read, or a bug: nothing is counted, and the next tick counts all of it."""
    course = Course()
    course._add(ACME, 1, 0)
    course._pass(30)
    telemetry = course.meter.world.telemetry

    def refuses(position: str | None) -> MeterPage:
        raise ValueError(position)

    monkeypatch.setattr(course.meter.world.meter, "read_page", refuses)
    failed = course.count()
    monkeypatch.undo()
    mended = course.count()

    assert failed == 0
    assert mended == course.month().runs > 10
    assert telemetry.counts["MeterFailures"] == 1
    assert [each.fields for each in telemetry.named("meter_failed")] == [
        {"detail": "ValueError(None)"}
    ]
