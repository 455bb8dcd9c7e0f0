"""The oracle of a pool: which runs a claim may hand out, by the guide alone and without a store.

Instants are milliseconds since the course began.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

#: The length of a worker's lease in the tests' world.
LEASE_MS = 60_000
#: A sweeper takes a worker for dead so long after its lease expired.
SLACK_MS = 5_000
#: So many silent workers bury a run, if all but the first had it alone.
MOST_SILENT = 5


class Turn(NamedTuple):
    """The place of a run among those that wait: by priority, then by second."""

    priority: int
    second: int


@dataclass(kw_only=True)
class ModelRun:
    """A run as its callers know it."""

    name: str
    #: 0 is the most urgent.
    priority: int
    due_at: int
    fence: int = 0
    #: The end of the lease under which a worker has it; ``None``: none has.
    held_until: int | None = None
    is_over: bool = False
    #: The lease that holds it now was handed out alone, to follow a silent worker.
    is_alone: bool = False
    #: A flag for each worker that was silent: it had the run alone.
    silent: list[bool] = field(default_factory=list)

    def available_at(self) -> int:
        """Return the instant from which a worker may have it."""
        return self.due_at if self.held_until is None else self.held_until

    def turn(self) -> Turn:
        """Return its place among those that wait."""
        return Turn(self.priority, self.available_at() // 1_000)

    @property
    def silent_so_far(self) -> list[bool]:
        """Return the flags of silent workers, with the one whose lease has expired."""
        return self.silent + ([self.is_alone] if self.held_until is not None else [])

    @property
    def has_killed(self) -> bool:
        """Tell if it is handed out no more."""
        silent = self.silent_so_far
        return len(silent) >= MOST_SILENT and sum(silent) >= MOST_SILENT - 1

    @property
    def is_suspect(self) -> bool:
        """Tell if a worker was silent under it."""
        return bool(self.silent_so_far)

    def is_in_doubt(self, now: int) -> bool:
        """Tell if the next claim or look buries it: which of them comes first is not judged."""
        return not self.is_over and self.has_killed and self.available_at() <= now

    def fall_back(self) -> None:
        """Offer it again after a silent worker."""
        if self.held_until is not None:
            self.silent.append(self.is_alone)
        self.held_until = None

    def hand_out(self, now: int) -> None:
        """Give it to a worker under the next fence."""
        self.fall_back()
        self.is_alone = bool(self.silent)
        self.fence += 1
        self.held_until = now + LEASE_MS


@dataclass(kw_only=True)
class ModelPool:
    """A pool as its callers know it."""

    runs: dict[str, ModelRun] = field(default_factory=dict)
    is_paused: bool = False
    #: The instant at which the pause ends by itself; ``None``: it does not.
    paused_until: int | None = None

    def holds_back(self, now: int) -> bool:
        """Tell if a pause keeps runs from workers."""
        return self.is_paused and (self.paused_until is None or now < self.paused_until)

    def waiting(self, now: int) -> list[ModelRun]:
        """Return the runs that a worker may have."""
        return [
            run
            for run in self.runs.values()
            if not run.is_over and run.available_at() <= now and not run.has_killed
        ]

    def offered_before(self, suspect: ModelRun, now: int) -> list[ModelRun]:
        """Return the runs that may be ahead of one, those that are buried next among them."""
        return [
            run
            for run in self.runs.values()
            if run is not suspect
            and not run.is_over
            and run.available_at() <= now
            and run.turn() <= suspect.turn()
        ]

    def sweep(self, now: int) -> None:
        """Offer what silent workers had again, as of its due instant."""
        for run in (each for each in self.runs.values() if not each.is_over):
            expired = run.held_until is not None and run.held_until + SLACK_MS <= now
            if expired and run.has_killed:
                run.is_over = True
            elif expired:
                run.fall_back()

    def judge_claim(self, names: Sequence[str], most: int, now: int) -> None:
        """Check which runs a claim handed out at ``now``; raises ``AssertionError``."""
        if self.holds_back(now):
            assert not names, "a paused pool handed out runs"
            return
        waiting = {run.name: run for run in self.waiting(now)}
        assert set(names) <= waiting.keys(), "a run was not to be had"
        assert bool(names) is bool(waiting), "a run was to be had, and no worker got one"
        if not names:
            return
        handed = [waiting.pop(name) for name in names]
        left, first = list(waiting.values()), min(run.turn() for run in handed)
        last = max(run.turn() for run in handed)
        sound = [run for run in left if not run.is_suspect]
        if any(run.is_suspect for run in handed):
            assert len(handed) == 1, "a suspect was handed out with others"
            ahead = [run for run in left if run.turn() < first]
            assert _has_turn(handed[0], ahead, most), "a suspect was handed out before its turn"
            return
        assert all(run.turn() >= first for run in left), "a run was passed over"
        for suspect in (run for run in left if run.is_suspect):
            ahead = self.offered_before(suspect, now)
            assert not _has_turn(suspect, ahead, most), "a suspect was kept from its turn"
        assert len(handed) == min(most, len(handed) + len(sound)), "fewer than were asked for"
        assert all(run.turn() >= last for run in sound), "runs were handed out of their order"


def _has_turn(suspect: ModelRun, ahead: Sequence[ModelRun], most: int) -> bool:
    """Tell if a claim has room for a suspect, and all that is ahead of it was due later."""
    return len(ahead) < most and all(run.turn().second > suspect.turn().second for run in ahead)
