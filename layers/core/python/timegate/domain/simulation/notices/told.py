"""Notices that a simulation tells, and the job in whose name the production code tells them."""

from collections.abc import Iterable
from dataclasses import field
from datetime import datetime
from typing import Protocol

from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.notice_words import notice_in_words
from timegate.domain.planning.transitions import Transition
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.agenda import Agenda
from timegate.domain.simulation.scenario import Scenario, SimulatedJob
from timegate.domain.values.identity import RunId
from timegate.domain.values.payload import Payload
from timegate.value_classes import dataclass

#: The type of a notice that a streak has ended.
RECOVERED = "recovered"
_ANY_URL = "https://simulation.invalid"


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedNotice:
    """One thing that people would be told."""

    at: datetime
    #: The job as its scenario names it.
    job: str | None
    #: An occasion of a job's channels, a condition of a rule, or ``recovered``.
    type: str
    #: ``None``: the job's own channels are told.
    rule: str | None = None
    #: The run that it is about; ``None``: the lack of one.
    run: RunId | None = None
    #: It happened then; later it was told where quiet hours held it back.
    since: datetime
    text: str


class Watched(Protocol):
    """A simulated job, as listeners see and change it."""

    timing: Timing

    def run_of(self, run: RunId) -> Attempt:
        """Return a run as it is now."""

    def change_by_itself(self, transition: Transition) -> None:
        """Carry out what Timegate decided about the job."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hearing:
    """Parts of a simulation that its listeners share."""

    scenario: Scenario
    agenda: Agenda
    notices: list[SimulatedNotice] = field(default_factory=list)

    def tell(
        self, job: SimulatedJob, occasion: Occasion, made: Iterable[Attempt], *, of: RunId | None
    ) -> None:
        """Take down the runs by which the production code tells a job's channels of something."""
        for each in made:
            words = notice_in_words(each.notice or "{}")
            # A run that failed has its end in its row; one that waits has nothing else to say.
            causes = words.facts if occasion is Occasion.LATE else ()
            why = [fact.text for fact in causes if fact.label == "Why"]
            notice = SimulatedNotice(
                at=self.agenda.now,
                job=job.name,
                type=occasion.value,
                run=of,
                since=each.due_at,
                text=": ".join([words.headline, *why]),
            )
            self.notices.append(notice)

    def has(self, at: datetime) -> bool:
        """Tell if ticks still come then: they end with the range."""
        return at < self.scenario.end


def governing(
    job: SimulatedJob,
    timing: Timing,
    updated_at: datetime,
    *,
    bounds: tuple[int, ...] = (),
    resumed_at: datetime | None = None,
) -> Job:
    """Return the stored job that a simulated one stands for, with one channel.

    ``bounds``: those of the rules that are told of its late runs.
    """
    channel = WebhookChannel(url=_ANY_URL)
    return Job(
        timing=timing,
        name=job.title,
        action=WebhookAction(url=_ANY_URL),
        notifications=(Subscription(channel=channel, on=tuple(job.told_on)),),
        late_after_seconds=job.late_after_seconds,
        absent_after_seconds=job.absent_after_seconds,
        pause_after_failures=job.pause_after_failures,
        finish_by=job.finish_by,
        payload=Payload(),
        updated_at=updated_at,
        resumed_at=resumed_at,
        request_hash="",
        told_late_after=bounds,
    )
