"""Events that start runs of DAGs, as a rule hands them over."""

import json
from dataclasses import replace

import pytest

from infra.constructs.dag_events import INPUT_PATHS, input_template
from tests.functional.events.functions import DAG_EVENT, EVENTS, Event, Functions
from tests.unit.domain.dag.definitions import ACME, dag, tasks
from timegate.domain.dag.definition import DagStatus
from timegate.domain.dag.errors import DagIsDeleted, DagNotFound
from timegate.domain.dag.progress import DagTrigger
from timegate.domain.dag.run_identity import DagRunId
from timegate.domain.errors import Malformed, TimegateError
from timegate.domain.tenant import TenantId

CHAIN = dag(tasks("extract", "load"), "extract -> load")


def sample(**changes: object) -> Event:
    """What the function is told of an event."""
    told: Event = json.loads((EVENTS / f"{DAG_EVENT}.json").read_text())
    return {**told, **changes}


def test_an_event_starts_one_run(functions: Functions) -> None:
    """However often it comes; another event starts another."""
    functions.dags.add(CHAIN)
    answers = [functions.send("dag_runs", sample()) for _ in range(2)]
    other = functions.send("dag_runs", sample(event={**sample()["event"], "id": "another"}))
    run = functions.world.dag_runs.get(ACME, DagRunId(answers[0]["dag_run_id"]))

    assert answers[0] == answers[1] != other
    assert (run.trigger, run.dag_id) == (DagTrigger.EVENT, CHAIN.dag_id)
    assert run.scheduled_at.isoformat() == "2026-11-21T07:00:00+00:00"
    assert json.loads(run.parameters.inline or "") == sample()["event"]


def test_the_template_makes_of_an_event_what_the_function_takes(functions: Functions) -> None:
    """Put together as EventBridge does: texts with their quotes, objects as they are."""
    event = {
        "id": "1",
        "time": "2026-11-21T07:00:00Z",
        "source": "billing",
        "detail-type": 'the "month"',
        "detail": {"tenant": "globex", "dag_id": "b" * 26, "step": "cleanup"},
    }
    functions.dags.add(CHAIN)
    text = input_template("acme", CHAIN.dag_id)
    for name, path in INPUT_PATHS.items():
        text = text.replace(f"<{name}>", json.dumps(event[path.removeprefix("$.")]))
    told = json.loads(text)
    started = functions.send("dag_runs", told)

    assert (told["step"], told["tenant"], told["dag_id"]) == ("start", "acme", CHAIN.dag_id)
    assert functions.world.dag_runs.get(ACME, DagRunId(started["dag_run_id"])).tenant == ACME


REFUSED: dict[str, tuple[Event, type[TimegateError]]] = {
    "no-dag": ({"dag_id": "b" * 26}, DagNotFound),
    "other-tenant": ({"tenant": "globex"}, DagNotFound),
    "no-id": ({"dag_id": "nightly"}, Malformed),
    "no-tenant": ({"tenant": "#"}, Malformed),
    "no-event": ({"event": None}, Malformed),
    "no-time": ({"event": {"id": "1", "time": "noon"}}, Malformed),
}


@pytest.mark.parametrize(("changes", "error"), REFUSED.values(), ids=REFUSED)
def test_what_starts_nothing_is_kept_by_who_sent_it(
    functions: Functions, changes: Event, error: type[TimegateError]
) -> None:
    """The invocation fails: Lambda tries again, then puts it into the queue."""
    functions.dags.add(CHAIN)

    with pytest.raises(error):
        functions.send("dag_runs", sample(**changes))


def test_a_deleted_dag_is_started_by_no_event(functions: Functions) -> None:
    """The operator removes the rule."""
    functions.dags.add(CHAIN)
    functions.dags.add(replace(CHAIN, version=2, status=DagStatus.DELETED))

    with pytest.raises(DagIsDeleted):
        functions.send("dag_runs", sample(tenant=TenantId("acme")))
