"""Reading a file of any of the programs."""

from collections.abc import Callable, Mapping
from typing import Protocol

from timegate.cli.migrating.aws.eventbridge import is_json, read_schedules
from timegate.cli.migrating.celery.beat import read_beat
from timegate.cli.migrating.cron.crontab import read_crontab
from timegate.cli.migrating.cron.expressions import read_expressions
from timegate.cli.migrating.dkron.jobs import read_dkron_jobs
from timegate.cli.migrating.entries import Read, Source
from timegate.cli.migrating.github.workflows import read_workflow_schedules
from timegate.cli.migrating.google.jobs import read_jobs
from timegate.cli.migrating.kubernetes.cron_jobs import read_cron_jobs
from timegate.cli.migrating.systemd.timers import read_timers
from timegate.domain.recurrence.zones.zone_clock import load_zone

#: Files that name each zone other than UTC themselves.
_ZONED: Mapping[Source, Callable[[str], list[Read]]] = {
    Source.GOOGLE: read_jobs,
    Source.GITHUB: read_workflow_schedules,
}


class _Placed(Protocol):
    """A reader of files whose times are on a clock of the place where the program runs."""

    def __call__(self, text: str, *, timezone: str | None) -> list[Read]:
        """Read every entry of a file."""


_PLACED: Mapping[Source, _Placed] = {
    Source.KUBERNETES: read_cron_jobs,
    Source.DKRON: read_dkron_jobs,
    Source.CELERY: read_beat,
    Source.SYSTEMD: read_timers,
}


def read_source(text: str, source: Source, *, timezone: str | None, system: bool) -> list[Read]:
    """Read every entry of a file, in order.

    ``timezone`` is the zone of the other program where its file names none. ``system`` concerns
    crontabs alone. Raises ``InvalidInput`` for a file that cannot be read, or a wrong zone.
    """
    if timezone is not None:
        load_zone(timezone)
    match source:
        case Source.CRONTAB:
            return read_crontab(text, timezone=timezone, system=system)
        case Source.KUBERNETES | Source.DKRON | Source.CELERY | Source.SYSTEMD:
            return _PLACED[source](text, timezone=timezone)
        case Source.GOOGLE | Source.GITHUB:
            return _ZONED[source](text)
        case Source.EVENTBRIDGE if is_json(text):
            return read_schedules(text)
        case Source.QUARTZ | Source.EVENTBRIDGE:
            return read_expressions(text, source, timezone=timezone)
