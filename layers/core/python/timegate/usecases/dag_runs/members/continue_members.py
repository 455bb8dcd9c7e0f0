"""Putting a fan-out back: members that have succeeded stay, where its list does."""

from collections.abc import Mapping

from timegate.domain.dag_runs.fan_out import continued
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.reopening import put_back
from timegate.domain.dag_runs.run_errors import MembersIncomplete
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.members.members_on_record import as_their_runs_say


def put_task_back(
    course: Course,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    key: TaskKey,
    works: DagWorks,
) -> TaskProgress:
    """Return a task as it is put back; of a failed fan-out, with members that have succeeded.

    A fan-out runs again as a whole if a task before it does, for then its list may change, or if
    the runs of its members are not all on record. Raises ``Throttled``.
    """
    task, back = tasks[key], put_back(course.layout, run, tasks, key)
    members = task.members
    if members is None or not members.is_complete:
        return back
    if any(_is_new(course, run, tasks[each]) for each in course.graph.ancestors()[key]):
        return back
    try:
        heard, _ = as_their_runs_say(run, task, works.dag_runs)
    except MembersIncomplete:
        return back
    return continued(task, heard.members or members, back)


def _is_new(course: Course, run: DagRun, task: TaskProgress) -> bool:
    return task.round >= run.round or course.places[task.key] in run.repeats
