"""Looking at a DAG run: what it is about to do is done, what was left undone is made good."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress, TaskReason
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, Course, DagWorks
from timegate.usecases.dag_runs.end_its_run import end_its_run, is_called_off
from timegate.usecases.dag_runs.interventions.repeat_tasks import repeat_tasks
from timegate.usecases.dag_runs.open_dag_run import open_dag_run
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.dag_runs.stopping.stop_dag_run import stop_tasks
from timegate.usecases.dag_runs.stopping.wind_down import wind_down
from timegate.usecases.dag_runs.tasks.advance import answer_run
from timegate.usecases.dag_runs.tasks.make_good import hear_of_ends, make_good
from timegate.usecases.dag_runs.tasks.turns import for_a_look


def look_at_dag_runs(refs: Sequence[DagRunRef], works: DagWorks) -> None:
    """Look at each of them; raises ``Throttled``. Safe to do at any time, and twice.

    A look that has no time for all of a DAG run has it looked at again.
    """
    for ref in dict.fromkeys(refs):
        try:
            run = works.dag_runs.get(ref.tenant, ref.id)
        except DagRunNotFound:
            continue
        look_at_dag_run(run, for_a_look(works))


def look_at_dag_run(run: DagRun, works: DagWorks) -> None:
    """Move a DAG run on from wherever it stands."""
    if run.has_ended:
        answer_run(run, works)
        end_its_run(run, works)
        return
    if not run.stops_all and is_called_off(run, works):
        call_off(run, works.dag_runs, works.telemetry, now=works.clock.now())
        run = works.dag_runs.get(run.tenant, run.dag_run_id)
    now = works.clock.now()
    if run.deadline_at <= now and not run.stops_all:
        run = _time_out(run, works)
    _move_on(run, works)


def _move_on(run: DagRun, works: DagWorks) -> None:
    match run.status:
        case DagRunStatus.OPENING:
            open_dag_run(run, works)
        case DagRunStatus.REOPENING:
            repeat_tasks(Course.of(run, works), works)
        case DagRunStatus.STOPPING:
            course = _with_tasks(run, works)
            hear_of_ends(course, works)
            works = for_a_look(works)
            if run.winds_down:
                wind_down(course.at(works.dag_runs.get(run.tenant, run.dag_run_id)), works)
            else:
                stop_tasks(course, works)
        case DagRunStatus.RUNNING:
            make_good(Course.of(run, works), works)
        case _:
            return


def _time_out(run: DagRun, works: DagWorks) -> DagRun:
    after = replace(
        run,
        status=DagRunStatus.STOPPING,
        stops_as=DagRunStatus.TIMED_OUT,
        reason=TaskReason.DAG_TIMED_OUT,
        watch_at=works.clock.now() + LOOK_SOON,
        follow=False,
    )
    works.dag_runs.change(run, after)
    return works.dag_runs.get(run.tenant, run.dag_run_id)


def _with_tasks(run: DagRun, works: DagWorks) -> Course:
    """One that was stopped before it was opened has its tasks on record all the same."""
    course = Course.of(run, works)
    if len(works.dag_runs.tasks(run.tenant, run.dag_run_id)) < run.tasks:
        works.dag_runs.open_tasks(
            run,
            [
                TaskProgress(
                    tenant=run.tenant, dag_run_id=run.dag_run_id, key=task.key, round=run.round
                )
                for task in course.dag.tasks
            ],
        )
    return course
