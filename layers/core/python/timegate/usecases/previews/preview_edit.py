"""Previewing an edit: the instants that a job would gain, lose and move by it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, islice

from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Job, JobKeyTaken, JobStatus, Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.ledger.ledger import refuse_withdrawn_zone
from timegate.domain.planning.left_behind import is_left_behind
from timegate.domain.planning.movable_end import MovableEnd, movable_end
from timegate.domain.planning.places import Places
from timegate.domain.planning.transitions import resumed
from timegate.domain.previews.costs.monthly_cost import MonthlyCost, monthly_cost
from timegate.domain.previews.edit_preview import MOST_COMPARED, EditPreview, compare
from timegate.domain.previews.forthcoming import PreviewWindow, forthcoming, keep_places, will_begin
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.words import describe
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, Restrictions
from timegate.domain.values.errors import VersionMismatch
from timegate.domain.values.identity import Origin, RunId
from timegate.domain.values.instants import MILLISECOND
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.update_job import refuse_governed, updated_job
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.ledger.runs_on_record import runs_on_record
from timegate.usecases.restrictions.named_calendars import named_calendars
from timegate.usecases.runs.store_payload import first_payload, load_kept_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Runs are stored for a look-ahead of minutes: at most one a second, unless edits left more.
_PAGE_SIZE = 1_000
_MOST_STORED = 3_000


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedPreview:
    """An edit, and how far its effect is shown."""

    changes: JobChanges
    length: timedelta
    #: Compare as if a paused job were resumed now; nothing of it runs otherwise.
    as_resumed: bool = False
    #: Show what the first run of each side sends.
    filled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstPayloads:
    """JSON texts that the first runs of the window send; ``None``: none runs, or it has none."""

    before: str | None
    after: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewedEdit:
    """Changes that an edit would make, and both schedules in words."""

    #: The version of the job that was compared.
    version: int
    #: Status now, or in the comparison.
    status: JobStatus
    window: PreviewWindow
    preview: EditPreview
    #: Stored runs that begin before and after the edit, ...
    adopted: int
    #: ... and those that begin without it alone.
    superseded: int
    old_description: str
    new_description: str
    #: The first instants that run on each side.
    first_before: datetime | None
    first_after: datetime | None
    #: Where ``max_runs`` ends the job within the window.
    old_end: MovableEnd | None
    new_end: MovableEnd | None
    #: Cost of a month's runs before and after, were the job active.
    old_cost: MonthlyCost
    new_cost: MonthlyCost
    #: ``None``: they were not asked for.
    payloads: FirstPayloads | None = None


def preview_edit(
    ref: JobRef, asked: AskedPreview, services: ApiServices, *, now: datetime
) -> PreviewedEdit:
    """Compare the instants of a job before and after an edit; nothing is stored.

    Raises ``JobNotFound``, ``TimezoneWithdrawn``, ``VersionMismatch``, ``JobKeyTaken``, and as
    ``update_job`` for changes that it refuses.
    """
    job = services.jobs.get(ref.tenant, ref.job_id)
    refuse_withdrawn_zone(job.timing)
    version = job.timing.version
    if ref.version not in {None, version}:
        raise VersionMismatch(ref.job_id, version)
    at = max(now, job.updated_at + MILLISECOND)
    refuse_governed(job, asked.changes)
    edited, _ = updated_job(job, asked.changes, services, at)
    _refuse_taken_key(job, edited, services)
    before, after = job.timing, edited.timing
    if edited != job:
        after = replace(after, version=version + 1)
    if asked.as_resumed:
        before, after = _resumed(before, at), _resumed(after, at)
    # A schedule that runs once may name this very instant.
    window = PreviewWindow(start=at - MILLISECOND, end=at + asked.length)
    stored = _stored(before, window, services)
    costs = (monthly_cost(before, job.action, now=at), monthly_cost(after, edited.action, now=at))
    found = _compared(before, after, window, stored, costs, services)
    if not asked.filled:
        return found
    own = load_kept_payload(job.payload, services.blobs)
    given = asked.changes.given.get("payload", own)
    payloads = FirstPayloads(
        before=_first_payload(job, found.first_before, own),
        after=_first_payload(replace(edited, timing=after), found.first_after, given),
    )
    return replace(found, payloads=payloads)


def _first_payload(job: Job, at: datetime | None, text: str | None) -> str | None:
    if at is None:
        return None
    run = RunId(job_id=job.job_id, origin=Origin.SCHEDULE, scheduled_at=at)
    return first_payload(job, run, text)


def _refuse_taken_key(job: Job, edited: Job, services: ApiServices) -> None:
    """Raise ``JobKeyTaken`` for a key of another job, which the update's write would refuse."""
    if edited.key is None or edited.key == job.key:
        return
    holder = services.jobs.keyed_job(job.tenant, edited.key)
    if holder not in {None, job.job_id}:
        raise JobKeyTaken(edited.key, str(holder))


def _compared(
    before: Timing,
    after: Timing,
    window: PreviewWindow,
    stored: Mapping[datetime, RunRecord],
    costs: tuple[MonthlyCost, MonthlyCost],
    services: ApiServices,
) -> PreviewedEdit:
    restrictions = _restrictions(before, after, services)
    old, new = _Side(timing=before), _Side(timing=after, replaces=before)
    places, began = _begin(old, window, stored, restrictions, services)
    places_after, begins = _begin(new, window, stored, restrictions, services)
    olds = forthcoming(before, window, restrictions, began, places)
    news = forthcoming(after, window, restrictions, begins, places_after)
    first_before, first_after = next(olds, None), next(news, None)
    preview = compare(
        chain([first_before] if first_before is not None else [], olds),
        chain([first_after] if first_after is not None else [], news),
        until=window.end,
        timezone=after.schedule.wall_timezone or "UTC",
    )
    adopted = sum(begins[instant] for instant, it_began in began.items() if it_began)
    superseded = sum(began.values()) - adopted
    return PreviewedEdit(
        version=before.version,
        status=after.status,
        window=window,
        preview=preview,
        adopted=adopted,
        superseded=superseded,
        old_description=describe(before.schedule),
        new_description=describe(after.schedule),
        old_end=_end(old, window, stored, restrictions, services),
        new_end=_end(new, window, stored, restrictions, services),
        old_cost=costs[0],
        new_cost=costs[1],
        first_before=None if first_before is None else first_before.instant,
        first_after=None if first_after is None else first_after.instant,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Side:
    """A job's timing before or after the edit."""

    timing: Timing
    #: Timing that the edit replaces; ``None``: no edit.
    replaces: Timing | None = None

    def begins(self, run: RunRecord, restrictions: Restrictions, now: datetime) -> bool:
        """Tell whether a stored run begins on this side."""
        if self.replaces is not None and is_left_behind(run, self.replaces, self.timing):
            return False
        return will_begin(self.timing, run, restrictions, now=now)


def _begin(
    side: _Side,
    window: PreviewWindow,
    stored: Mapping[datetime, RunRecord],
    restrictions: Restrictions,
    services: ApiServices,
) -> tuple[Places | None, dict[datetime, bool]]:
    """The places that runs will hold, and which stored runs begin."""

    def begins(run: RunRecord) -> bool:
        return side.begins(run, restrictions, window.start)

    places = places_of(side.timing, services.runs, holding=begins)
    kept = keep_places(side.timing, stored, restrictions, places)
    return places, {at: at in kept and begins(run) for at, run in stored.items()}


def _end(
    side: _Side,
    window: PreviewWindow,
    stored: Mapping[datetime, RunRecord],
    restrictions: Restrictions,
    services: ApiServices,
) -> MovableEnd | None:
    """Return the instant at which ``max_runs`` ends the job; ``None``: beyond the window."""
    timing = side.timing
    limit = timing.schedule.max_runs
    places, begin = _begin(side, window, stored, restrictions, services)
    if limit is None or places is None or places.begun >= limit:
        return None
    coming = forthcoming(timing, window, restrictions, begin, places)
    running = {each.instant for each in islice(coming, MOST_COMPARED)}
    taken = sum(at not in stored or places.ahead.get(at, False) for at in running)
    if not running or taken + places.begun + places.waiting < limit:
        return None
    last = max(running)
    unbounded = replace(timing, schedule=replace(timing.schedule, max_runs=None))
    following = next_fire(unbounded.schedule, created_at=timing.anchored_at, after=last)
    if following is None:
        return None
    longer = PreviewWindow(start=window.start, end=max(window.end, following))
    open_ended = replace(side, timing=unbounded)
    _, begin = _begin(open_ended, longer, stored, restrictions, services)
    beyond = forthcoming(unbounded, longer, restrictions, begin)
    return movable_end(
        limit,
        named=fires_between(
            unbounded.schedule, created_at=timing.anchored_at, after=window.start, until=last
        ),
        running=running,
        moves_to=next((each.instant for each in beyond if each.instant > last), None),
    )


def _stored(
    timing: Timing, window: PreviewWindow, services: ApiServices
) -> dict[datetime, RunRecord]:
    start = window.start + MILLISECOND
    found = runs_on_record(timing, services.runs, start=start, end=window.end, page_size=_PAGE_SIZE)
    return {run.id.run.scheduled_at: run for run in islice(found, _MOST_STORED)}


def _restrictions(before: Timing, after: Timing, services: ApiServices) -> Restrictions:
    tenant = before.tenant
    in_force = services.restrictions.in_force([tenant]).get(tenant, NOTHING_IN_FORCE)
    names = [rule.calendar for rule in (*before.calendars, *after.calendars)]
    calendars = named_calendars(tenant, names, in_force, services)
    return Restrictions(freezes=in_force.freezes, calendars=calendars)


def _resumed(timing: Timing, now: datetime) -> Timing:
    if timing.status is not JobStatus.PAUSED:
        return timing
    transition = resumed(timing, now=now, catch_up=False)
    if transition is None:
        return timing
    # The next version adopts the instants that its schedule names.
    return replace(transition.timing, version=timing.version + 1)
