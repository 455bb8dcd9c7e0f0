"""Ends of DAG runs that their DAG's own job did not start: on record once, at any death."""

from dataclasses import replace
from itertools import count

from tests.support.dag_runs.dag_jobs import ETL, ME
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Script
from tests.support.execution.telling import documents, hook
from tests.unit.usecases.dag_runs.test_scheduled_dag_crashes import EVENTS, interrupted
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dags.definition import Dag
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import own_job_id

HEARD = replace(ETL, notifications=(hook(Occasion.FAILED),), has_job=True)
OWN = own_job_id(ME, ETL.dag_id)


def started(dag: Dag = HEARD) -> tuple[DagWorld, DagRun]:
    """Start the DAG by hand, beside its own job."""
    dag_world = DagWorld()
    dag_world.world.add_job(
        job_id=OWN, action=DagAction(dag_id=dag.dag_id), notifications=dag.notifications
    )
    return dag_world, dag_world.start(dag)


def told(dag_world: DagWorld) -> int:
    """Let outcomes, relay and executors go on; how many notices there are of the record."""
    dag_world.world.settle()
    return len(documents(dag_world.world))


@EVENTS
def test_an_end_is_on_record_once(event: object) -> None:
    """A failed or refused call at any moment of ending the DAG run leaves one record."""
    for moment in count():
        (dag_world, run), script = started(), Script(moment, event)  # type: ignore[arg-type]
        (first,) = dag_world.waiting()
        ended = dag_world.finish(first, RunState.FAILED)
        interrupted(dag_world, script, lambda w=dag_world, e=ended: w.hear(e))  # type: ignore[misc]
        for _ in range(3):
            dag_world.look(run)
            dag_world.follow()
        records = [each for each in dag_world.world.attempts() if each.id.run.job_id == OWN]

        assert [(each.state, each.dag_run) for each in records] == [
            (RunState.FAILED, run.dag_run_id)
        ]
        assert told(dag_world) == 1
        assert dag_world.dag_runs.get(ME, run.dag_run_id).watch_at is None
        if script.moments <= moment:
            break
    assert moment >= 6


def test_an_end_of_a_dag_without_a_listener_writes_no_record() -> None:
    """Neither when the run starts nor when it ends does anything listen."""
    dag_world, run = started(replace(ETL, has_job=True))
    dag_world.play(run, lambda *_: RunState.FAILED)

    assert not dag_world.dag_runs.get(ME, run.dag_run_id).is_heard
    assert [each for each in dag_world.world.attempts() if each.id.run.job_id == OWN] == []


def test_a_job_that_is_gone_holds_nothing_up() -> None:
    """The DAG run is done with: no record tells whom to tell."""
    dag_world = DagWorld()
    run = dag_world.start(HEARD)
    dag_world.play(run, lambda *_: RunState.FAILED)
    done = dag_world.dag_runs.get(ME, run.dag_run_id)

    assert (done.is_heard, done.watch_at) == (True, None)
