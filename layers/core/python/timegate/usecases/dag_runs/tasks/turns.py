"""Bounds of one look at a DAG run: a wide one takes several, and other records come between them.

A look reads and writes once for each run. A DAG run may have hundreds of thousands, and outcomes is
killed after a minute, while records of other tenants wait behind it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, DagWorks

#: A look takes up no further task after so long. One task of a thousand members takes as long.
LOOK_TIME = timedelta(seconds=10)
#: Each look begins with other tasks where there are more than these.
_TASKS_IN_ORDER = 50


def for_a_look(works: DagWorks) -> DagWorks:
    """Return the services with the time of one look."""
    return replace(works, until=works.clock.now() + LOOK_TIME)


def in_turn(tasks: Sequence[TaskProgress], works: DagWorks) -> Iterator[TaskProgress]:
    """Yield tasks, the first one always, and others while the look has time."""
    parts = -(-len(tasks) // _TASKS_IN_ORDER) or 1
    first = int(works.clock.now().timestamp()) % parts * _TASKS_IN_ORDER
    for place, task in enumerate((*tasks[first:], *tasks[:first])):
        if place and works.is_over:
            return
        yield task


def look_on(run: DagRun, works: DagWorks) -> None:
    """Have a DAG run looked at again at once if the look's time is over; raises ``Throttled``."""
    if works.is_over:
        works.dag_runs.look_now(run, works.clock.now() + LOOK_SOON)
