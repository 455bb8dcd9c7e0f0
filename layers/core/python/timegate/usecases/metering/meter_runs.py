"""The meter: counts what runs cost from their records, so that no run pays for being counted."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.metering.metered_attempt import MeteredAttempt
from timegate.domain.metering.tally import CostTally, TenantMonth, month_of
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.metering import MonthOf
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.metering.metering_services import Metering
from timegate.value_classes import dataclass

#: No page is begun later in a tick.
WORK_TIME = timedelta(seconds=15)
#: Tenants' months that one move of the meter adds to.
MOST_MONTHS = 90


@dataclass(frozen=True, kw_only=True, slots=True)
class _Share:
    """Attempts of a page that ended within the round, and the position behind them."""

    attempts: tuple[MeteredAttempt, ...]
    position: str | None


def meter_runs(metering: Metering, *, now: datetime) -> int:
    """Go on with the round under way, or begin one that is due; the attempts that were counted.

    Throttling ends the tick's share of it: the next tick goes on. Any other failure is counted
    and logged, and fails no tick: audits are repeated with a tick that fails.
    """
    try:
        counted = _meter(metering, now)
    except Throttled as error:
        metering.telemetry.event(service_events.METER_THROTTLED, detail=str(error))
        return 0
    except Exception as error:  # noqa: BLE001 - costs that stand still must stop no audit
        metering.telemetry.event(service_events.METER_FAILED, detail=repr(error))
        metering.telemetry.count(service_metrics.METER_FAILURES)
        return 0
    if counted:
        metering.telemetry.event(service_events.RUNS_METERED, attempts=counted)
    return counted


def _meter(metering: Metering, now: datetime) -> int:
    stored = metering.store.read_round()
    if stored.is_due(now):
        # A round that no record has would get another name after a crash, and tallies name it.
        begun = stored.begun(now)
        if not metering.store.move(stored, begun, {}):
            return 0
        stored = begun
    reached = stored
    deadline, counted = metering.clock.now() + WORK_TIME, 0
    while reached.until is not None and metering.clock.now() < deadline:
        share = _read_share(reached, metering)
        reached = reached.behind(share.position)
        if not share.attempts:
            # Nothing is lost if it is read again.
            continue
        _count_jobs(share.attempts, reached, metering)
        if not metering.store.move(stored, reached, _by_tenant(share.attempts)):
            # Another auditor counts this round.
            return counted
        stored, counted = reached, counted + len(share.attempts)
    if reached != stored:
        metering.store.move(stored, reached, {})
    return counted


def _read_share(reached: MeterRound, metering: Metering) -> _Share:
    """Read a page; its share has the ends of as many tenants as one move takes."""
    page = metering.store.read_page(reached.position)
    chosen: list[MeteredAttempt] = []
    months: set[MonthOf] = set()
    for each in page.attempts:
        if reached.until is None or not each.ended_within(reached.since, reached.until):
            continue
        months.add(_month(each))
        if len(months) > MOST_MONTHS:
            behind = metering.store.position_behind(chosen[-1])
            return _Share(attempts=tuple(chosen), position=behind)
        chosen.append(each)
    return _Share(attempts=tuple(chosen), position=page.position)


def _count_jobs(
    attempts: Sequence[MeteredAttempt], counting: MeterRound, metering: Metering
) -> None:
    for (of, job_id), own in _by_job(attempts):
        metering.store.count_job(of, job_id, own, counting=counting)


def _by_job(
    attempts: Sequence[MeteredAttempt],
) -> Iterator[tuple[tuple[MonthOf, JobId], list[MeteredAttempt]]]:
    owned = [each for each in attempts if _part(each) == "jobs"]
    owned.sort(key=_job)
    for key, own in groupby(owned, _job):
        yield key, [*own]


def _job(each: MeteredAttempt) -> tuple[MonthOf, JobId]:
    return _month(each), each.attempt.id.run.job_id


def _month(each: MeteredAttempt) -> tuple[TenantId, str]:
    attempt = each.attempt
    return attempt.tenant, month_of(attempt.ended_at or attempt.created_at)


def _by_tenant(attempts: Sequence[MeteredAttempt]) -> dict[MonthOf, TenantMonth]:
    parts: dict[MonthOf, dict[str, list[MeteredAttempt]]] = defaultdict(lambda: defaultdict(list))
    for each in attempts:
        parts[_month(each)][_part(each)].append(each)
    return {
        of: TenantMonth(**{name: CostTally.of(own) for name, own in found.items()})
        for of, found in parts.items()
    }


def _part(each: MeteredAttempt) -> str:
    """Name the part of a tenant's month that counts it."""
    if each.attempt.is_task:
        return "dag_tasks"
    return "one_shots" if each.is_one_shot else "jobs"
