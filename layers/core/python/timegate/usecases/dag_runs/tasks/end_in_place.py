"""The end of a task in a line, as its executor follows it: the next task starts in its place."""

from timegate.domain.dag_runs.progress import DagRunStatus, TaskState
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import InlineTask
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.tasks.advance import count_end, decide_edges, follow_up, goes_on
from timegate.usecases.dag_runs.tasks.end_task import as_its_run


def end_in_place(ended: Attempt, works: DagWorks) -> None:
    """Move a DAG run on by the success of a task in a line; raises ``Throttled``.

    Outcomes follows all other ends. It is shown this one as well: it completes what a crash left,
    and tells the execution.
    """
    mark = task_run_mark(ended.id.run)
    if mark is None or ended.state is not RunState.SUCCEEDED:
        return
    try:
        run = works.dag_runs.get(ended.tenant, mark.dag_run_id)
    except DagRunNotFound:
        return
    if run.status is not DagRunStatus.RUNNING or run.deadline_at <= works.clock.now():
        return
    course = Course.of(run, works)
    if not _is_in_line(course, mark.key):
        return
    task = works.dag_runs.task(ended.tenant, mark.dag_run_id, mark.key)
    if task is None or task.state is not TaskState.RUNNING or not task.is_run_by(mark):
        return
    after = works.dag_runs.change_task(task, as_its_run(course, task, ended, works))
    if after is None or not goes_on(course, after) or decide_edges(course, after, works):
        return
    counted = count_end(course, after, works)
    if counted is not None:
        follow_up(course.at(counted), works)


def _is_in_line(course: Course, key: TaskKey) -> bool:
    """Tell if at most one task follows, by a run of its own."""
    edges = course.graph.outgoing[key]
    following = [course.task(edge.target) for edge in edges]
    is_plain = all(isinstance(t.spec, InlineTask) and t.fan_out is None for t in following)
    return course.task(key).fan_out is None and len(edges) <= 1 and is_plain
