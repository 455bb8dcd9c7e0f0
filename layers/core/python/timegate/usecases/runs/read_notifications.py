"""Reading what was told of a run, and whether it arrived."""

from timegate.domain.channels.channel import Channel
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import NoticeMark, parse_notice_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownNotification:
    """A notification, as its last attempt shows it."""

    mark: NoticeMark
    #: ``None``: the job does not notify it any more.
    channel: Channel | None
    last: Attempt


def read_notifications(
    tenant: TenantId, run: RunId, services: ApiServices
) -> tuple[ShownNotification, ...]:
    """Read the notifications of a run, by attempt; raises ``RunNotFound`` and ``JobDamaged``."""
    services.runs.attempts(tenant, run)
    channels = {hook.id: hook.channel for hook in _hooks(tenant, run, services)}
    told = []
    for last in services.runs.notices(tenant, run):
        mark = parse_notice_mark(last.id.run.about)
        if mark is not None:
            told.append(ShownNotification(mark=mark, channel=channels.get(mark.hook), last=last))
    return tuple(sorted(told, key=lambda each: (each.mark.attempt, each.last.created_at)))


def _hooks(tenant: TenantId, run: RunId, services: ApiServices) -> tuple[Subscription, ...]:
    """Return the hooks of its job; a task of a DAG, and a message of a rule, has none."""
    try:
        return services.jobs.get(tenant, run.job_id).notifications
    except JobNotFound:
        return ()
