"""DAG runs with which an operator interferes, while tasks end just before and just after that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from tests.crash.faults import Mode
from tests.crash.flows.pipelines import (
    Pipeline,
    begin,
    dag_run_id_of,
    executions_of,
    first_tries,
    states_of,
    status_of,
)
from tests.crash.judges.checker import ENDED
from tests.crash.judges.dag_judge import Moment, mark_of
from tests.crash.judges.operator_judge import OperatorJudge
from tests.crash.story import Flow, Story
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import FailurePolicy

_Promise = Callable[[Story, "Interfered"], None]

#: So many others of the faults are tried besides those of the request itself.
_MOST = 5
#: The operator comes between two ends of tasks: a process that stands still at either meets him.
_COMES_AFTER_SECONDS = 25
_ARROWS = ("a -> b", "b -* j", "c -> j", "e -> j")
_NEIGHBOURS = {"c": "works-20", "e": "works-30"}


def _pipeline(**calls: str) -> Pipeline:
    failing = {key: 1 for key, call in calls.items() if call == "fails"}
    tasks = tuple(
        task(key, input='{"$ref":"tasks.a.result","default":null}' if key == "b" else None)
        for key in "abcej"
    )
    own = dag(tasks, *_ARROWS, failure_policy=FailurePolicy.CONTINUE)
    return Pipeline(own, calls=_NEIGHBOURS | calls, failing=failing)


@dataclass(frozen=True)
class Asked:
    """An operator's request, and the moment of sending it."""

    verb: str
    key: str
    #: He waits until the task is so.
    when: frozenset[str]
    body: Mapping[str, object] = field(default_factory=dict)
    #: And until the DAG run has ended.
    over: bool = False
    #: The task may have ended when he is heard, and that is what it came to.
    may_be_late: bool = False

    @property
    def is_branch(self) -> bool:
        """Everything behind it is run again as well."""
        return self.body.get("scope", "branch") == "branch"

    def suits(self, now: Moment | None) -> bool:
        """Return whether the operator waits for this moment."""
        if now is None or self.key not in now.tasks or (self.over and not now.is_over):
            return False
        return now.tasks[self.key][1] in self.when

    def is_missed(self, now: Moment | None) -> bool:
        """The DAG run is over, and the task ended before he came: he waits in vain."""
        return now is not None and now.is_over and not self.when & ENDED


@dataclass(frozen=True)
class Interfered:
    """A DAG run, what was asked, and who judges."""

    pipeline: Pipeline
    asked: Asked
    judge: OperatorJudge


def _begin(pipeline: Pipeline, asked: Asked, story: Story) -> Interfered:
    judge = OperatorJudge(pipeline.dag, pipeline.fate, branch=asked.is_branch)
    region = story.cloud.region
    region.witness = lambda call: judge.notice(call, story.runs, region.injector.newest)
    story.cloud.at(_COMES_AFTER_SECONDS, partial(_ask, story, asked))
    begin(pipeline, story, judge)
    return Interfered(pipeline, asked, judge)


def _ask(story: Story, asked: Asked) -> None:
    """He repeats it until he is answered, and comes again where it is not time for it yet."""
    if _has_missed(story, asked):
        return
    if asked.suits(Moment.of(story.runs)):
        path = f"/v1/dag-runs/{dag_run_id_of(story)}/tasks/{asked.key}/{asked.verb}"
        answered = story.cloud.request(
            story.tenant, "POST", path, {"reason": "4711", **asked.body}, Idempotency_Key="4711"
        )
        if answered.status < 400:
            return
        if answered.code == "task_ended" and asked.may_be_late:
            return
        assert answered.code in {"dag_run_busy", "conflict"}, answered.body
    story.cloud.at(5, partial(_ask, story, asked))


def _has_missed(story: Story, asked: Asked) -> bool:
    """Tell if faults put him, or the steps, off until nothing was left to ask for.

    Two faults may, or a process that stands still: the DAG run is busy while it opens that.
    """
    stands_still = any(fault.mode is Mode.STALLED for fault in story.faults)
    may_miss = stands_still or len(story.faults) > 1
    return may_miss and asked.is_missed(Moment.of(story.runs))


def _comes_to_what_is_told(story: Story, interfered: Interfered) -> None:
    """Assert the oracle's end for the moment at which the request was written.

    An execution that receives the end after the DAG run was opened anew knows nothing.
    """
    missed = _has_missed(story, interfered.asked)
    assert interfered.judge.interventions == 1 or interfered.asked.may_be_late or missed
    interfered.judge.assert_told(story.runs)
    executions = executions_of(story)
    # It may have ended while the request stood still.
    assert len(executions) == 1 + interfered.judge.reopened
    assert executions[-1] == "SUCCEEDED"
    story.assert_called()


def _is_handed_on(story: Story, interfered: Interfered) -> None:
    _comes_to_what_is_told(story, interfered)
    assert {e.payload["rows"] for e in story.effects if "-b-" in e.run} == {1200}  # type: ignore[index]


def _what_was_stopped_goes_on(story: Story, interfered: Interfered) -> None:
    """With the failure, what was cancelled for it is undone as well."""
    assert interfered.judge.interventions == 1
    assert status_of(story) == ("succeeded", None)
    assert set(states_of(story).values()) == {"succeeded"}
    assert executions_of(story) == ["FAILED", "SUCCEEDED"]
    begun = {mark_of(row)[:2] for row in first_tries(story)}
    # ``b`` may have ended before a step was found to hear of the failure.
    assert begun - {(1, "b"), (2, "b")} == {(1, "a"), (2, "c")}


_ENDED = frozenset(ENDED)
_STUCK = _pipeline(a="works-200")
_COMPLETED = Asked("complete", "a", frozenset({"running"}), {"result": {"rows": 1200}})
_SKIPPED = Asked("skip", "b", frozenset({"pending"}))
_RACED = Asked("skip", "e", frozenset({"running"}), may_be_late=True)
_OVERRULED = Asked("complete", "a", _ENDED, {"result": {"rows": 1200}})
_ALONE = Asked("rerun", "a", _ENDED, {"scope": "task"})
_BRANCH = Asked("rerun", "a", _ENDED)
_BEHIND = Asked("rerun", "b", _ENDED, over=True)
_UNDONE = Asked("complete", "a", _ENDED, over=True)
_STOPPED = Pipeline(
    dag(
        (task("a"), task("b"), task("c")),
        "a -> c",
        "b -> c",
        failure_policy=FailurePolicy.FAIL_FAST,
    ),
    calls={"a": "fails", "b": "works-50"},
    failing={"a": 1},
)


def _flow(
    name: str, pipeline: Pipeline, asked: Asked, promise: _Promise = _comes_to_what_is_told
) -> Flow:
    """About the third request, after those that define the DAG and start it."""
    return Flow(name, partial(_begin, pipeline, asked), promise, most=_MOST, request=3)


INTERVENED = (
    _flow("dag, completed", _STUCK, _COMPLETED, _is_handed_on),
    _flow("dag, skipped", _pipeline(a="works-50"), _SKIPPED),
    _flow("dag, skipped late", _pipeline(a="works-50"), _RACED),
    _flow("dag, overruled", _pipeline(a="fails"), _OVERRULED, _is_handed_on),
    _flow("dag, task again", _pipeline(), _ALONE),
    _flow("dag, branch again", _pipeline(b="works-50"), _BRANCH),
    _flow("dag, branch reopened", _pipeline(), _BEHIND),
    _flow("dag, failure undone", _STOPPED, _UNDONE, _what_was_stopped_goes_on),
)
