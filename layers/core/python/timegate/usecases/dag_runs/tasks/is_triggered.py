"""Tasks that go on although their DAG run stops for a failure."""

from timegate.domain.dag_runs.stopping import triggered_tasks
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks


def is_triggered(course: Course, key: TaskKey, works: DagWorks) -> bool:
    """Tell if a failure triggered this running task; reads all tasks only where one may."""
    run = course.run
    if not run.winds_down:
        return False
    tasks = works.dag_runs.tasks(run.tenant, run.dag_run_id)
    return key in triggered_tasks(course.graph, {task.key: task.state for task in tasks})
