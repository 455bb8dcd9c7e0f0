"""DAG runs that do the work of jobs' runs: an executor starts one, and its end is the run's."""

from functools import partial

from tests.crash.flows.pipelines import (
    Pipeline,
    comes_to,
    define,
    executions_of,
    states_of,
    status_of,
    watch,
)
from tests.crash.judges.checker import Row
from tests.crash.judges.dag_judge import DagJudge, dag_run_of
from tests.crash.story import Flow, Story
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import FailurePolicy

_MOST = 12
_TASKS = (task("a", input='{"$ref":"parameters.day"}'), task("b"))
_LINE = Pipeline(dag(_TASKS, "a -> b"))
_FAILING = Pipeline(
    dag(_TASKS, "a -> b", failure_policy=FailurePolicy.CONTINUE),
    calls={"a": "fails"},
    failing={"a": 1},
)
_WORKING = Pipeline(dag(_TASKS, "a -> b"), calls={"a": "works-200"})


def _begin(pipeline: Pipeline, story: Story) -> tuple[Pipeline, str]:
    """A job that is due at once; the DAG and the job's id."""
    watch(story, DagJudge(pipeline.dag))
    return _created(pipeline, story)


def _created(pipeline: Pipeline, story: Story) -> tuple[Pipeline, str]:
    action = {"type": "dag", "dag_id": define(pipeline, story)}
    job_id = story.create(action=action, payload={"day": "today"})
    return pipeline, job_id


def _begin_cancelled(story: Story) -> tuple[Pipeline, str]:
    """Its run is cancelled, by somebody who does not know of DAG runs; there may be none yet."""
    judge = DagJudge(_WORKING.dag)
    story.judges.append(lambda: judge.look(story.runs))
    begun = _created(_WORKING, story)
    story.cloud.at(20, partial(_cancel, story, begun[1]))
    return begun


def _cancel(story: Story, job_id: str) -> None:
    """As soon as there is a run."""
    rows = _of_job(story, job_id)
    if not rows:
        story.cloud.at(5, partial(_cancel, story, job_id))
        return
    instant, origin, _ = rows[0].key[1].split("#")
    story.send("POST", f"/v1/runs/{job_id}.{origin}{instant}/cancel")


def _of_job(story: Story, job_id: str) -> list[Row]:
    return [row for row in story.rows if row.key[0] == f"{story.tenant}#{job_id}"]


def _ends_as(state: str, story: Story, begun: tuple[Pipeline, str]) -> None:
    """One attempt, one DAG run, and both came to the same."""
    pipeline, job_id = begun
    (end,) = story.ends(job_id)
    assert end[0] == state
    assert story.status(job_id) == "completed"
    (execution,) = executions_of(story)
    comes_to(story, pipeline, [execution])
    assert execution == {"succeeded": "SUCCEEDED", "failed": "FAILED"}[state]
    assert {e.payload for e in story.effects if "-a-" in e.run} == {"today"}


def _ends_cancelled(story: Story, begun: tuple[Pipeline, str]) -> None:
    """With everything that it had begun."""
    _, job_id = begun
    assert story.ends(job_id) == [("cancelled", "cancel_requested")]
    assert story.status(job_id) == "completed"
    if dag_run_of(story.runs) is not None:
        assert status_of(story)[0] == "cancelled"
        assert set(states_of(story).values()) == {"cancelled"}
    assert all("-a-" in effect.run for effect in story.effects)


DAG_JOBS = (
    Flow("job, by a dag", partial(_begin, _LINE), partial(_ends_as, "succeeded"), most=_MOST),
    Flow("job, dag fails", partial(_begin, _FAILING), partial(_ends_as, "failed"), most=_MOST),
    Flow("job, dag cancelled", _begin_cancelled, _ends_cancelled, most=_MOST),
)
