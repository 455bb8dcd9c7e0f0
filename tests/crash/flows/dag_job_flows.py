"""DAG runs that do the work of jobs' runs: an executor starts one, and its end is the run's."""

from dataclasses import dataclass
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
    """Its run is cancelled, by a caller that does not know of DAG runs; there may be none yet."""
    judge = DagJudge(_WORKING.dag)
    story.judges.append(lambda: judge.look(story.runs))
    begun = _created(_WORKING, story)
    story.cloud.at(20, partial(_cancel, story, begun[1]))
    return begun


def _cancel(story: Story, job_id: str) -> None:
    """Cancel the run as soon as there is one."""
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


@dataclass(frozen=True)
class _Timed(Pipeline):
    """One that says when it starts: it has a job of its own."""

    def body(self) -> dict[str, object]:
        """Return the request that defines the DAG."""
        return {**super().body(), "schedule": _SOON}


#: Its first run is stored with the DAG.
_SOON = {"kind": "delay", "delay_seconds": 5}
_NEVER = {"kind": "delay", "delay_seconds": 31_536_000}
_LATER = {"kind": "delay", "delay_seconds": 200}
_PLAIN = Pipeline(dag((task("a"), task("b")), "a -> b"))
_TIMED = _Timed(_PLAIN.dag)


def _begin_timed(story: Story) -> str:
    """The job is made with the DAG, and cancelled with it."""
    _watch_both(story)
    dag_id = define(_TIMED, story)
    story.once_ended(lambda: story.send("DELETE", f"/v1/dags/{dag_id}"))
    return dag_id


def _begin_retimed(story: Story) -> str:
    """It gets its schedule by an edit, which another edit replaces."""
    _watch_both(story)
    dag_id = define(_PLAIN, story)
    for schedule in (_NEVER, _LATER):
        story.send("PATCH", f"/v1/dags/{dag_id}", {"schedule": schedule})
    story.once_ended(lambda: story.send("DELETE", f"/v1/dags/{dag_id}"))
    return dag_id


def _watch_both(story: Story) -> None:
    story.expects_job("nightly")
    watch(story, DagJudge(_PLAIN.dag))
    story.judges.append(lambda: _agree(story))


def _agree(story: Story) -> None:
    """At every moment the DAG and its job say the same, or there is neither."""
    dags = [item for item in story.jobs if item["sk"]["S"] == "dag"]
    jobs = [item for item in story.jobs if item["sk"]["S"] == "job"]
    said = [
        (item["schedule"], item["status"]["S"] == "deleted") for item in dags if "has_job" in item
    ]
    kept = [(item["plan"]["M"]["schedule"], item["status"]["S"] == "cancelled") for item in jobs]
    assert said == kept


def _runs_by_its_own_job(story: Story, dag_id: str) -> None:
    """Once, and both have ended."""
    del dag_id
    (job,) = (item for item in story.jobs if item["sk"]["S"] == "job")
    (end,) = story.ends(str(job["pk"]["S"]).rpartition("#")[2])
    assert end == ("succeeded", None)
    assert job["status"]["S"] == "cancelled"
    comes_to(story, _PLAIN, ["SUCCEEDED"])


DAG_JOBS = (
    Flow("job, by a dag", partial(_begin, _LINE), partial(_ends_as, "succeeded"), most=_MOST),
    Flow("job, dag fails", partial(_begin, _FAILING), partial(_ends_as, "failed"), most=_MOST),
    Flow("job, dag cancelled", _begin_cancelled, _ends_cancelled, most=_MOST),
    Flow("dag with its job", _begin_timed, _runs_by_its_own_job, request=1, most=8),
    Flow("dag is rescheduled", _begin_retimed, _runs_by_its_own_job, request=3, most=8),
)
