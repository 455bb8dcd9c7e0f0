"""Words that are completed without a stage, such as profiles, time zones, weekdays and fields."""

import os
from zoneinfo import available_timezones

from timegate.cli.completing.reading import Offers, beginning
from timegate.client.access.profile_files import profile_names
from timegate.client.schemas import JobPatch
from timegate.client.scopes import SCOPES
from timegate.domain.limits.quotas import QUOTA_NAMES
from timegate.domain.recurrence.wall_times.phrases import WEEKDAYS


def _plain(incomplete: str, words: list[str]) -> Offers:
    return beginning(incomplete, [(word, "") for word in words])


def complete_profiles(incomplete: str) -> Offers:
    """Names of profiles."""
    return _plain(incomplete, profile_names(os.environ))


def complete_zones(incomplete: str) -> Offers:
    """IANA time zones."""
    return _plain(incomplete, sorted(available_timezones()))


def complete_weekdays(incomplete: str) -> Offers:
    """Weekdays as calendars write them."""
    return _plain(incomplete, [each[:3].lower() for each in WEEKDAYS])


def complete_scopes(incomplete: str) -> Offers:
    """Scopes that some operation takes."""
    return _plain(incomplete, sorted({*SCOPES.values()}))


def complete_quotas(incomplete: str) -> Offers:
    """Names of quotas, before their numbers."""
    return _plain(incomplete, [f"{name}=" for name in QUOTA_NAMES])


def complete_job_fields(incomplete: str) -> Offers:
    """Fields of a job that an update may change."""
    return _plain(incomplete, sorted(JobPatch.__annotations__))
