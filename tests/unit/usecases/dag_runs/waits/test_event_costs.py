"""Calls of waits: an event takes two more, and other tasks take none."""

from collections import Counter

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.event_waits import PARAMETERS, paid, payment, send
from tests.support.dag_runs.waiting import approval, look, then
from timegate.domain.dags.definition import Task
from timegate.domain.values.identity import TaskKey


class Counting:
    """A store of events that counts."""

    def __init__(self, dag_world: DagWorld) -> None:
        self.calls: Counter[str] = Counter()
        self._store = dag_world.world.events

    def __getattr__(self, name: str) -> object:
        self.calls[name] += 1
        return getattr(self._store, name)


def called(wait: Task) -> tuple[Counter[str], Counter[str]]:
    """Calls of the events' store by the start of a wait, and by one look at it."""
    dag_world = DagWorld()
    counting = Counting(dag_world)
    object.__setattr__(dag_world.works, "events", counting)
    run = dag_world.start(then(wait), parameters=PARAMETERS)
    begun = counting.calls.copy()
    look(dag_world, run, 120)
    return begun, counting.calls - begun


def test_a_wait_for_an_event_takes_one_write_and_one_query_more() -> None:
    """And a query at each look; a wait for a person takes nothing of it."""
    begun, looked = called(payment())

    assert begun == {"wait": 1, "kept": 1}
    assert looked == {"kept": 1}
    assert called(approval()) == (Counter(), Counter())


def test_a_wait_that_ended_asks_for_no_events() -> None:
    """Looks after its end are those of any DAG run."""
    dag_world = DagWorld()
    run = dag_world.start(then(payment()), parameters=PARAMETERS)
    send(dag_world, paid())
    counting = Counting(dag_world)
    object.__setattr__(dag_world.works, "events", counting)
    look(dag_world, run, 120)

    assert dag_world.tasks(run)[TaskKey("wait")].has_ended
    assert counting.calls == {}
