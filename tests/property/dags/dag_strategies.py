"""DAGs of any shape, and how the runs of their tasks end."""

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import (
    Dag,
    Edge,
    EdgeCondition,
    FailurePolicy,
    Task,
    TriggerKind,
    TriggerRule,
)
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey

ENDS = [
    *[RunState.SUCCEEDED] * 5,
    RunState.FAILED,
    RunState.DEAD_LETTERED,
    RunState.TIMED_OUT,
    RunState.CANCELLED,
    RunState.SKIPPED,
]


@dataclass(frozen=True, kw_only=True)
class Fate:
    """End of each task's run, round by round."""

    ends: dict[tuple[TaskKey, int], RunState]

    def of(self, key: TaskKey, in_round: int) -> RunState:
        """In a round; what is not listed succeeds."""
        return self.ends.get((key, in_round), RunState.SUCCEEDED)


@st.composite
def dags(draw: st.DrawFn, *, largest: int = 40) -> Dag:
    """Up to ``largest`` tasks, each waiting for some of those before it."""
    count = draw(st.integers(1, largest))
    keys = [TaskKey(f"t{number}") for number in range(count)]
    own: list[Task] = []
    edges: list[Edge] = []
    for number, key in enumerate(keys):
        before = keys[max(0, number - 6) : number]
        chosen = draw(st.lists(st.sampled_from(before), max_size=4, unique=True)) if before else []
        conditions = st.sampled_from([*[EdgeCondition.ON_SUCCESS] * 3, *EdgeCondition])
        edges += [Edge(source=each, target=key, condition=draw(conditions)) for each in chosen]
        own.append(task(key, trigger_rule=draw(_rules(len(chosen)))))
    policy = draw(st.sampled_from(FailurePolicy))
    retries = draw(st.integers(1, 2)) if policy is FailurePolicy.RETRY else 0
    return dag(tuple(own), failure_policy=policy, max_retries=retries, edges=tuple(edges))


@st.composite
def fates(draw: st.DrawFn, own: Dag, *, asked: int = 0) -> Fate:
    """An end for the run of each task in each round of the policy, and in some asked for."""
    rounds = range(1, own.max_retries + 2 + asked)
    named = [(task.key, number) for task in own.tasks for number in rounds]
    ends = draw(st.lists(st.sampled_from(ENDS), min_size=len(named), max_size=len(named)))
    return Fate(ends=dict(zip(named, ends, strict=True)))


def _rules(edges: int) -> st.SearchStrategy[TriggerRule]:
    rules = [st.just(TriggerRule()), st.just(TriggerRule(kind=TriggerKind.ANY))]
    if edges:
        counts = st.integers(1, edges)
        rules.append(counts.map(lambda n: TriggerRule(kind=TriggerKind.AT_LEAST, count=n)))
    return st.one_of(rules)
