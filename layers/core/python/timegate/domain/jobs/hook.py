"""Notifications a job asks for: which channel hears of its runs, and on which occasions."""

from collections.abc import Sequence

from timegate.domain.channels.channel import Channel
from timegate.domain.jobs.notification import OF_NO_RUN, Occasion, with_given_up
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Each of them is told by a run of its own.
MAX_HOOKS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Subscription:
    """A channel that is told of a job's runs on some occasions."""

    channel: Channel
    on: tuple[Occasion, ...]

    @property
    def id(self) -> str:
        """The same as long as the address is: part of the identity of what it is told."""
        return self.channel.id

    def hears(self, occasion: Occasion) -> bool:
        """Tell if it is told on this occasion."""
        return occasion in with_given_up(self.on)


def check_hooks(
    hooks: Sequence[Subscription],
    late_after_seconds: int | None,
    *,
    has_deadline: bool = False,
    pauses: bool = False,
    is_awaited: bool = False,
    decides: bool = False,
) -> None:
    """Refuse hooks that contradict each other or could never be told anything.

    Raises ``InvalidInput`` naming the field.
    """
    if len(hooks) > MAX_HOOKS:
        detail = f"A job may notify {MAX_HOOKS} addresses."
        raise InvalidInput("notifications", "too_long", detail)
    seen: set[str] = set()
    for number, hook in enumerate(hooks):
        field = f"notifications.{number}"
        if hook.id in seen:
            place = f"{field}.{hook.channel.leads_by}"
            raise InvalidInput(place, "repeated", "The address is given twice.")
        seen.add(hook.id)
        if not hook.on:
            raise InvalidInput(f"{field}.on", "required", "It would never hear of anything.")
        if len(set(hook.on)) != len(hook.on):
            raise InvalidInput(f"{field}.on", "repeated", "An occasion is given twice.")
        if Occasion.LATE in hook.on and late_after_seconds is None:
            detail = "A run is late after late_after_seconds, which the job does not have."
            raise InvalidInput(f"{field}.on", "never_late", detail)
        has = {"has_deadline": has_deadline, "pauses": pauses, "is_awaited": is_awaited}
        _check_job_occasions(hook, f"{field}.on", **has)
        if Occasion.NEEDS_DECISION in hook.on and not decides:
            detail = "Approvals are tasks of DAGs: a DAG's own notifications tell of them."
            raise InvalidInput(f"{field}.on", "never_decided", detail)


def _check_job_occasions(
    hook: Subscription, field: str, *, has_deadline: bool, pauses: bool, is_awaited: bool
) -> None:
    if any(occasion.is_of_deadline for occasion in hook.on) and not has_deadline:
        detail = "A run has its deadline from finish_by, which the job does not have."
        raise InvalidInput(field, "no_deadline", detail)
    if Occasion.PAUSED in hook.on and not pauses:
        detail = "Failures pause a job with pause_after_failures, which this one does not have."
        raise InvalidInput(field, "never_paused", detail)
    if Occasion.ABSENT in hook.on and not is_awaited:
        detail = "A success is awaited within absent_after_seconds, which the job does not have."
        raise InvalidInput(field, "never_absent", detail)


def occasions_heard(hooks: Sequence[Subscription]) -> tuple[Occasion, ...]:
    """Every occasion of a run on which any of them is told, in a fixed order."""
    heard = {each for hook in hooks for each in with_given_up(hook.on)} - OF_NO_RUN
    return tuple(occasion for occasion in Occasion if occasion in heard)
