"""Another round: what failed, and what came to nothing because of it, is put back and run again."""

from dataclasses import replace

from timegate.domain.dag.definition import TaskKey
from timegate.domain.dag.policies import to_repeat
from timegate.domain.dag.progress import DagRunStatus, TaskProgress, TaskState
from timegate.domain.dag.readiness import satisfies
from timegate.usecases.dag_runs.open_dag_run import set_going
from timegate.usecases.dag_runs.works import Course, DagWorks


def repeat_tasks(course: Course, works: DagWorks) -> None:
    """Put back what another round runs, then set it going; raises ``Throttled``.

    What is put back is written down before anything is, so whoever dies on the way is followed by
    one who puts back the same. And all is back before anything starts: what a task decides must
    not be undone.
    """
    run = course.run
    if run.status is not DagRunStatus.REOPENING:
        return
    tasks = {task.key: task for task in works.dag_runs.tasks(run.tenant, run.dag_run_id)}
    if not run.repeats:
        course = _choose(course, tasks, works)
    if course.run.status is not DagRunStatus.REOPENING or course.run.round != run.round:
        # Somebody stopped it meanwhile, or another put everything back.
        return
    back = {course.dag.tasks[place].key for place in course.run.repeats}
    for key in sorted(back):
        if tasks[key].round < run.round:
            works.dag_runs.change_task(tasks[key], _put_back(course, tasks, key, back))
    set_going(course, works)


def _choose(course: Course, tasks: dict[TaskKey, TaskProgress], works: DagWorks) -> Course:
    run = course.run
    chosen = to_repeat(course.graph, {key: task.state for key, task in tasks.items()})
    places = frozenset(course.places[key] for key in chosen)
    after = replace(
        run,
        repeats=places,
        ended=run.ended - places,
        failed=run.failed - places,
        follow=False,
    )
    works.dag_runs.change(run, after)
    works.telemetry.event(
        "dag_run_repeated",
        tenant_id=run.tenant,
        dag_run_id=run.dag_run_id,
        round=run.round,
        tasks=sorted(chosen),
    )
    return course.at(works.dag_runs.get(run.tenant, run.dag_run_id))


def _put_back(
    course: Course, tasks: dict[TaskKey, TaskProgress], key: TaskKey, back: set[TaskKey]
) -> TaskProgress:
    """The task as it was before anything behind it began; what stays before it is decided."""
    decided = {
        course.places[edge.source]: satisfies(edge.condition, tasks[edge.source].state)
        for edge in course.graph.incoming[key]
        if edge.source not in back
    }
    before = tasks[key]
    return TaskProgress(
        tenant=before.tenant,
        dag_run_id=before.dag_run_id,
        key=key,
        state=TaskState.PENDING,
        round=course.run.round,
        satisfied=frozenset(place for place, holds in decided.items() if holds),
        unsatisfied=frozenset(place for place, holds in decided.items() if not holds),
        job_version=before.job_version,
    )
