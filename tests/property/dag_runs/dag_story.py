"""The end of a DAG run with which operators interfere: a story told over the whole graph.

It keeps settled ends, and the round in which everything else runs. The rest is worked out anew
each time, without counters, decided edges, or sets of tasks to repeat.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from tests.property.dag_runs.dag_oracle import again, undealt, wants
from tests.property.dags.dag_strategies import Fate
from timegate.domain.dags.definition import Dag, FailurePolicy
from timegate.domain.values.identity import TaskKey


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Progress of a DAG run when an operator interferes: seen, and not worked out."""

    begun: frozenset[TaskKey]
    ended: frozenset[TaskKey]
    over: bool


@dataclass
class Story:
    """A DAG run under ``continue`` or ``retry``, as far as it is told."""

    dag: Dag
    fate: Fate
    round: int = 1
    #: Rounds that the policy has asked for since an operator last opened the run.
    tried: int = 0
    #: How tasks end that have begun, or that an operator decided.
    settled: dict[TaskKey, str] = field(default_factory=dict)
    #: In which round a task runs, if not in the first.
    rounds: dict[TaskKey, int] = field(default_factory=dict)

    def outlook(self) -> dict[TaskKey, str]:
        """Return each task's end if no operator interferes and nothing is tried again."""
        states = dict(self.settled)
        while len(states) < len(self.dag.tasks):
            for task in self.dag.tasks:
                over = all(e.source in states for e in self.dag.edges if e.target == task.key)
                if task.key not in states and over:
                    runs = wants(self.dag, task.key, states)
                    end = self.fate.of(task.key, self.rounds.get(task.key, 1)).value
                    states[task.key] = end if runs else "skipped"
        return states

    def tell_on(self, until: int | None = None) -> None:
        """Apply the policy's retries, up to a round or to the end."""
        tries = self.dag.max_retries if self.dag.failure_policy is FailurePolicy.RETRY else 0
        while self.tried < tries and self.round != until and undealt(self.dag, self.outlook()):
            states = self.outlook()
            self.tried += 1
            self._repeat(again(self.dag, states), states, states.keys())

    def status(self) -> str:
        """Status of the ended run."""
        return "failed" if undealt(self.dag, self.outlook()) else "succeeded"

    def decide(self, key: TaskKey, state: str, seen: Seen) -> None:
        """An operator says how a task ends."""
        states = self.outlook()
        self._open_if(seen.over)
        if key in seen.ended:
            self._repeat(self._came_to_nothing(key, states, seen), states, seen.begun)
            self.rounds[key] = self.round
        else:
            self._settle(states, seen.begun)
        self.settled[key] = state

    def rerun(self, key: TaskKey, seen: Seen, *, branch: bool) -> None:
        """An operator has a task run again, and all behind it or what of that came to nothing."""
        states = self.outlook()
        self._open_if(seen.over)
        behind = self._behind(key) if branch else self._came_to_nothing(key, states, seen)
        self._repeat({key, *behind}, states, seen.begun)

    def _open_if(self, over: bool) -> None:
        self.tried = 0 if over else self.tried

    def _came_to_nothing(
        self, key: TaskKey, states: dict[TaskKey, str], seen: Seen
    ) -> set[TaskKey]:
        return {
            other
            for other in self._behind(key)
            if other not in seen.begun or (other in seen.ended and states[other] != "succeeded")
        }

    def _repeat(
        self, back: Collection[TaskKey], states: dict[TaskKey, str], begun: Collection[TaskKey]
    ) -> None:
        self.round += 1
        self.rounds |= dict.fromkeys(back, self.round)
        self._settle(states, {key for key in begun if key not in back})

    def _settle(self, states: dict[TaskKey, str], keys: Collection[TaskKey]) -> None:
        self.settled = {key: states[key] for key in keys}

    def _behind(self, key: TaskKey) -> set[TaskKey]:
        found = {e.target for e in self.dag.edges if e.source == key}
        while more := {e.target for e in self.dag.edges if e.source in found} - found:
            found |= more
        return found
