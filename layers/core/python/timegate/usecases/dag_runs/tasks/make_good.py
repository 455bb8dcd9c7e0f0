"""Making good: what the records of a DAG run say should have followed does."""

from timegate.domain.dag_runs.policies import Stop, judge_run
from timegate.domain.dag_runs.progress import DagRunStatus, TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.run import Attempt
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.members.last_runs import LastRuns
from timegate.usecases.dag_runs.members.make_members import complete_members
from timegate.usecases.dag_runs.tasks.advance import consider_all, follow_up, propagate
from timegate.usecases.dag_runs.tasks.cancel_task_run import last_attempts
from timegate.usecases.dag_runs.tasks.end_task import end_tasks, join
from timegate.usecases.dag_runs.tasks.turns import in_turn, look_on
from timegate.usecases.dag_runs.tasks.wait_task import end_wait, watch_waits


def make_good(course: Course, works: DagWorks) -> None:
    """Do whatever a process left undone when it died; raises ``Throttled``."""
    run = course.run
    found = works.dag_runs.tasks(run.tenant, run.dag_run_id)
    running = [task for task in found if task.state is TaskState.RUNNING]
    for task in running:
        end_wait(course, task, works)
    missing = [task for task in running if task.members and not task.members.is_complete]
    for task in in_turn(missing, works):
        complete_members(course, task, works)
    if missing:
        look_on(run, works)
    hear_of_ends(course, works)
    # An operator's change of members may decide a fan-out, and no end follows that.
    tasks = [
        _joined(course, task, works) for task in works.dag_runs.tasks(run.tenant, run.dag_run_id)
    ]
    uncounted = [
        task for task in tasks if task.has_ended and course.places[task.key] not in run.ended
    ]
    if uncounted:
        propagate(course, uncounted, works)
    run = works.dag_runs.get(run.tenant, run.dag_run_id)
    if run.status is DagRunStatus.RUNNING and not isinstance(judge_run(course.dag, run), Stop):
        pending = [task for task in tasks if task.state is TaskState.PENDING]
        consider_all(course.at(run), pending, works)
    watch_waits(course, tasks, works)
    follow_up(course.at(works.dag_runs.get(run.tenant, run.dag_run_id)), works)


def _joined(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress:
    if task.state is not TaskState.RUNNING or task.members is None:
        return task
    return join(course, task, works) or task


def hear_of_ends(course: Course, works: DagWorks) -> None:
    """Hear of runs whose ends should have been heard of; raises ``Throttled``."""
    run = course.run
    tasks = works.dag_runs.tasks(run.tenant, run.dag_run_id)
    lost_until = works.lost_until()
    if lost_until is not None and run.created_at < lost_until:
        # Imported here: few stages have two regions.
        from timegate.usecases.dag_runs.tasks.mend_tasks import mend_tasks  # noqa: PLC0415

        last = last_attempts(works.dag_runs.attempts(run))
        if mend_tasks(course, tasks, last, lost_until, works):
            tasks = works.dag_runs.tasks(run.tenant, run.dag_run_id)
    runs = LastRuns(run, tasks, works)
    working = [task for task in tasks if task.state is TaskState.RUNNING and not task.is_waiting]
    for task in in_turn(working, works):
        ended = [each for each in runs.of(task).values() if _is_unheard(each, task)]
        end_tasks(ended, works)


def _is_unheard(attempt: Attempt, task: TaskProgress) -> bool:
    """It has ended, and its task, which is under way, does not know that."""
    mark = task_run_mark(attempt.id.run)
    if mark is None or not attempt.ends_run or not task.is_run_by(mark):
        return False
    members = task.members
    return members is None or mark.index not in members.succeeded | members.failed
