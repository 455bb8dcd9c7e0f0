"""The ledger of a subject, held against the instants it must have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tests.support.deployed.chaos.chronos_subjects import Subject

#: A run planned later than this after its instant was missed: the default of
#: ``catch_up.grace_seconds``.
MISSED_AFTER = timedelta(minutes=1)
#: From a run's publication to its start on a busy machine.
START_SLACK = timedelta(seconds=20)

Entry = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Band:
    """An instant known from both sides."""

    earliest: datetime
    latest: datetime


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A subject, its whole ledger, and when what was done to it."""

    subject: Subject
    named: Sequence[datetime]
    entries: Sequence[Entry]
    #: The last instant that was planned before the planner went dark.
    planned: Band
    #: When it planned again.
    back: Band
    #: When the job was paused, and when it went on.
    paused: tuple[Band, Band] | None = None

    @property
    def runs(self) -> list[Entry]:
        """Instants that became runs."""
        return [entry for entry in self.entries if entry["kind"] == "run"]

    @property
    def gaps(self) -> list[Entry]:
        """Ranges that did not."""
        return [entry for entry in self.entries if entry["kind"] == "gap"]

    def within(self, gap: Entry) -> list[datetime]:
        """The instants that a gap covers, as the oracle counts them."""
        first, last = read(gap["first"]), read(gap["last"])
        return [instant for instant in self.named if first <= instant <= last]

    def covered(self, reason: str) -> list[datetime]:
        """Instants in gaps for a reason."""
        return [i for gap in self.gaps if gap["reason"] == reason for i in self.within(gap)]

    def ended(self, state: str, reason: str | None) -> list[datetime]:
        """Instants whose runs ended so."""
        ends = [(read(r["instant"]), r["state"], r["reason"]) for r in self.runs]
        return [instant for instant, *end in ends if end == [state, reason]]

    def refused_late(self) -> list[tuple[datetime, datetime]]:
        """Instants whose runs were too late to start, and when that was said."""
        late = [run for run in self.runs if run["reason"] == "late"]
        return [(read(run["instant"]), read(run["ended_at"])) for run in late]


def read(instant: str) -> datetime:
    """An instant as the API writes it."""
    return datetime.fromisoformat(instant)


def complaints(trial: Trial) -> list[str]:
    """Everything that is wrong; nothing when each instant has its one explained record."""
    found = [
        *_records(trial),
        *_gaps(trial),
        *_missed(trial),
        *_late(trial),
        *_paused(trial),
    ]
    return [f"{trial.subject.name}: {what}" for what in found]


def _records(trial: Trial) -> Iterator[str]:
    """Each instant once; no other."""
    recorded = Counter(read(run["instant"]) for run in trial.runs)
    recorded.update(i for gap in trial.gaps for i in trial.within(gap))
    expected = Counter(trial.named)
    if expected - recorded:
        yield f"without a record: {listed(expected - recorded)}"
    if recorded - expected:
        yield f"not named, or recorded twice: {listed(recorded - expected)}"
    allowed = {("succeeded", None), ("skipped", "late"), ("skipped", "paused")}
    for run in trial.runs:
        if (run["state"], run["reason"]) not in allowed:
            yield f"{run['instant']} is {run['state']} ({run['reason']})"


def _gaps(trial: Trial) -> Iterator[str]:
    """They begin and end with instants, and count what they cover."""
    for gap in trial.gaps:
        covered = trial.within(gap)
        claimed = (read(gap["first"]), read(gap["last"]), gap["count"])
        if not covered or claimed != (covered[0], covered[-1], len(covered)):
            yield f"a gap that is not what it says: {gap}"
        if gap["reason"] not in {"missed_window", "paused"}:
            yield f"an unexplained gap: {gap}"


def _missed(trial: Trial) -> Iterator[str]:
    """Check the instants that the catch-up policy leaves out of an outage."""
    subject, skipped = trial.subject, trial.covered("missed_window")
    surely = _between(trial, trial.planned.latest, trial.back.earliest - MISSED_AFTER)
    perhaps = _between(trial, trial.planned.earliest, trial.back.latest - MISSED_AFTER)
    window = timedelta(seconds=subject.window_seconds)
    too_old = [i for i in surely if i < trial.back.earliest - window]
    least = max(len(surely) - subject.caught_up, len(too_old), 0)
    old_enough = [i for i in perhaps if i < trial.back.latest - window]
    most = max(len(perhaps) - subject.caught_up, len(old_enough), 0)
    if not least <= len(skipped) <= most:
        yield f"{len(skipped)} left out, expected {least} to {most}"
    if set(skipped) - set(perhaps):
        yield f"left out without an outage: {listed(Counter(skipped))}"
    ran = {read(run["instant"]) for run in trial.runs}
    if skipped and any(i in ran for i in surely if i < max(skipped)):
        yield f"an earlier instant ran, a later one did not: {listed(Counter(skipped))}"


def _late(trial: Trial) -> Iterator[str]:
    """Check the instants that an outage leaves too late to start."""
    late, limit = trial.ended("skipped", "late"), trial.subject.start_within_seconds
    if limit is None:
        if late:
            yield f"late without a limit: {listed(Counter(late))}"
        return
    allowed = timedelta(seconds=limit)
    surely = _between(trial, trial.planned.latest, trial.back.earliest - allowed)
    left_out = set(trial.covered("missed_window"))
    if set(surely) - left_out - set(late):
        yield f"started too late: {listed(Counter(set(surely) - left_out - set(late)))}"
    in_time = [i for i, refused_at in trial.refused_late() if refused_at <= i + allowed]
    if in_time:
        yield f"late for no reason: {listed(Counter(in_time))}"


def _paused(trial: Trial) -> Iterator[str]:
    """Nothing runs while it is paused, and nothing says so at other times."""
    skipped = [*trial.ended("skipped", "paused"), *trial.covered("paused")]
    if trial.paused is None:
        if skipped:
            yield f"paused, which it never was: {listed(Counter(skipped))}"
        return
    begin, end = trial.paused
    surely = _between(trial, begin.latest, end.earliest)
    # It is decided when a run is claimed, which is later than its instant.
    perhaps = _between(trial, begin.earliest - START_SLACK, end.latest)
    if set(surely) - set(skipped):
        yield f"ran while it was paused: {listed(Counter(set(surely) - set(skipped)))}"
    if set(skipped) - set(perhaps):
        yield f"skipped while it was not paused: {listed(Counter(set(skipped) - set(perhaps)))}"


def _between(trial: Trial, after: datetime, until: datetime) -> list[datetime]:
    return [instant for instant in trial.named if after < instant <= until]


def listed(instants: Counter[datetime]) -> str:
    """For a person to read."""
    shown = [instant.isoformat() for instant in sorted(instants)[:5]]
    return ", ".join(shown) + (f" and {len(instants) - 5} more" if len(instants) > 5 else "")
