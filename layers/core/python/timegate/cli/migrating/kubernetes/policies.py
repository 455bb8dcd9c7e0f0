"""Policies of a CronJob: runs that meet, starts that are late, and what differs here.

Sources: Kubernetes' page about CronJobs, and its controller (``cronjob_controllerv2.go``).
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from timegate.cli.migrating.entries import Note, whole_number
from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

_OVERLAPS = {"Allow": None, "Forbid": {"policy": "forbid"}, "Replace": {"policy": "replace"}}
_DEADLINE = "startingDeadlineSeconds"
#: The longest window of a job's catch-up policy.
_MAX_WINDOW = 31_536_000
#: Seconds between two looks of the controller, as its page says.
_LOOKS = 10
#: Missed starts beyond which Kubernetes warns, or starts nothing before version 1.21.
_MOST_MISSED = 100
_DAY = 86_400


def policies_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Map ``concurrencyPolicy`` and the deadline to ``overlap`` and ``catch_up``.

    Kubernetes starts the latest of several missed runs, however old without a deadline. Raises
    ``InvalidInput`` with code ``wrong_type``.
    """
    overlap = _OVERLAPS.get(_concurrency(spec))
    deadline = whole_number(spec, _DEADLINE, _MAX_WINDOW)
    catch_up: dict[str, object] = {"policy": "skip"}
    if deadline:
        window = min(deadline, _MAX_WINDOW)
        catch_up = {"policy": "latest", "window_seconds": window}
    return {**({"overlap": overlap} if overlap else {}), "catch_up": catch_up}


def notes_of_policies(spec: Mapping[str, Any], schedule: Schedule) -> Iterator[Note]:
    """Yield the differences that the policies make."""
    policy = _concurrency(spec)
    if policy not in _OVERLAPS:
        detail = f"concurrencyPolicy is {policy!r}: it is left out."
        yield Note(code="unknown_policy", detail=detail)
    if policy == "Forbid":
        detail = (
            "Kubernetes starts the latest run that Forbid held back when the earlier one ends;"
            " here it is skipped, on record."
        )
        yield Note(code="held_back", detail=detail)
    yield from _notes_of_deadline(whole_number(spec, _DEADLINE, _MAX_WINDOW), schedule)


def _notes_of_deadline(deadline: int, schedule: Schedule) -> Iterator[Note]:
    if deadline < _LOOKS:
        detail = (
            f"Kubernetes looks every {_LOOKS} s, and may never start a run within"
            f" {_DEADLINE}: {deadline}; here it starts on time."
        )
        yield Note(code="starting_deadline", detail=detail)
    if deadline > _MAX_WINDOW:
        detail = f"{_DEADLINE} is cut to a year."
        yield Note(code="starting_deadline", detail=detail)
    if _starts_within(min(deadline, _DAY), schedule) > _MOST_MISSED:
        detail = (
            f"After {_MOST_MISSED} missed starts within {_DEADLINE}, or within any time without it,"
            " Kubernetes complains, and starts none before 1.21; here the latest runs."
        )
        yield Note(code="missed_starts", detail=detail)


def _concurrency(spec: Mapping[str, Any]) -> str:
    return str(spec.get("concurrencyPolicy") or "Allow")


def _starts_within(seconds: int, schedule: Schedule) -> int:
    """Count the most starts in so many seconds of a day, were each day one of its days."""
    if schedule.kind is not ScheduleKind.CRON:
        return seconds // (schedule.every_seconds or _DAY)
    pattern = pattern_of(schedule)
    times = sorted(
        3600 * hour + 60 * minute for hour, minute in product(pattern.hours, pattern.minutes)
    )
    if len(times) <= _MOST_MISSED:
        return 0
    twice = [*times, *(each + _DAY for each in times)]
    spans = zip(twice, twice[_MOST_MISSED:], strict=False)
    return _MOST_MISSED + 1 if any(end - begin <= seconds for begin, end in spans) else 0
