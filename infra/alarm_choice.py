"""Alarms of a stage: from where on they ring, whom they tell, and where their runbooks are read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: The page of runbooks in the repository; a fork, or a site of one's own, names another.
RUNBOOKS = "https://github.com/timegate/timegate/blob/main/docs/operations/runbooks.md"
#: A description of an alarm has 1,024 characters, and the address is one part of it.
_LONGEST_URL = 200
_URL = re.compile(r"https://[A-Za-z0-9.-]+(:[1-9]\d{0,4})?(/[\w.~!$&'()*+,;=:@%/?-]*)?")
_EMAIL = re.compile(r"[^@\s,]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")


class AlarmError(ValueError):
    """The context says of alarms what cannot be."""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """From where on something rouses a person."""

    #: Publishing a run after its due instant: p99, milliseconds.
    scheduling_lag_ms: int
    #: Starting a run that is due and in its queue, per priority, milliseconds: the bound of the
    #: lane's objective.
    start_lag_ms: Mapping[str, int]
    #: Oldest message per priority, seconds. Above 900: AWS does not say whether the delay that
    #: holds a future run in its queue counts as age. Start lag is the quicker alarm.
    queue_age_seconds: Mapping[str, int]
    #: Runs dead-lettered within one minute.
    dead_lettered_runs: int = 1
    #: A run that waits in its pool, seconds; it is looked at every ten minutes.
    offer_age_seconds: int = 3_600


@dataclass(frozen=True, kw_only=True)
class AlarmChoice:
    """Choices of a stage's alarms."""

    #: Subscribed to both topics; empty: people subscribe by themselves.
    email: str = ""
    #: The address of the page of runbooks.
    runbooks: str = RUNBOOKS
    #: Each lane has objectives, and alarms on how fast their budget is used up.
    objectives: bool = True


def alarm_choice(context: Callable[[str], str | None], default: AlarmChoice) -> AlarmChoice:
    """Read ``alertEmail``, ``runbooksUrl`` and ``objectives``; raises ``AlarmError``."""
    email, url = context("alertEmail") or default.email, context("runbooksUrl") or default.runbooks
    switch = context("objectives") or ("on" if default.objectives else "off")
    if email and not _EMAIL.fullmatch(email):
        raise AlarmError(f"alertEmail: {email!r} is no address of e-mail")
    if not _URL.fullmatch(url) or len(url) > _LONGEST_URL:
        raise AlarmError(
            f"runbooksUrl: {url!r} is no address of a page that begins with https:// and has up to"
            f" {_LONGEST_URL} characters"
        )
    if switch not in {"on", "off"}:
        raise AlarmError(f"objectives: {switch!r} is neither on nor off")
    return AlarmChoice(email=email, runbooks=url, objectives=switch == "on")
