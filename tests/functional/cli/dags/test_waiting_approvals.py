"""``timegate dags approvals | approve-all | reject-all``: approvals of all DAG runs."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]
DAG = "b" * 26
RUNS = ("a" * 26, "c" * 26)


def waiting(dag_run_id: str, **fields: object) -> dict[str, Any]:
    """An approval that waits, as the API lists it."""
    own = {"dag_run_id": dag_run_id, "dag_id": DAG, "task_key": "gate", "round": 2}
    return answered("listApprovals", "items", 0, **(own | fields))


def bodies(api: FakeApi) -> list[Any]:
    """Bodies of the decisions that were sent."""
    return [json.loads(call.content) for call in api.calls if call.method == "POST"]


def test_approvals_are_listed_with_their_dag_runs(api: FakeApi, timegate: Timegate) -> None:
    """The options name one DAG and one task."""
    api.will(page([waiting(RUNS[0], dag_name="release")]))
    output = timegate("dags", "approvals", "--dag", DAG, "--task", "gate").out

    assert dict(api.calls[0].url.params) == {"dag_id": DAG, "task_key": "gate"}
    assert "release" in output
    assert "gate" in output


def test_nothing_that_waits_is_a_sentence(api: FakeApi, timegate: Timegate) -> None:
    """No table without lines."""
    api.will(page([]))

    assert timegate("dags", "approvals").out.strip() == "Nothing waits for an approval."


@pytest.mark.parametrize(
    ("command", "decision", "said"),
    [("approve-all", "approve", "approved"), ("reject-all", "reject", "rejected")],
)
def test_all_of_a_dag_are_decided_in_the_rounds_in_which_they_were_listed(
    api: FakeApi, timegate: Timegate, command: str, decision: str, said: str
) -> None:
    """Every page is decided, each approval with the note."""
    done = ok(answered("decideDagTask"), 202)
    api.will(page([waiting(RUNS[0])], cursor="next"), page([waiting(RUNS[1], round=1)]), done, done)
    outcome = timegate("dags", command, DAG, "--task", "gate", "--note", "checked", "--yes")

    assert [call.url.path for call in api.calls[:2]] == ["/stage/v1/approvals"] * 2
    assert api.asked[2:] == [f"POST /v1/dag-runs/{run}/tasks/gate/decide" for run in RUNS]
    assert bodies(api) == [
        {"decision": decision, "round": 2, "note": "checked"},
        {"decision": decision, "round": 1, "note": "checked"},
    ]
    assert (outcome.code, outcome.out.strip()) == (0, f"2 {said}, 0 refused.")


def test_one_that_is_refused_is_named_and_the_others_are_decided(
    api: FakeApi, timegate: Timegate
) -> None:
    """The shell is told by a 1."""
    rows = [waiting(run) for run in RUNS]
    api.will(
        page(rows), refusal(409, "task_ended", "It has ended."), ok(answered("decideDagTask"), 202)
    )
    outcome = timegate("dags", "approve-all", DAG, "--yes", "--json")

    assert outcome.code == 1
    assert (outcome.json["decision"], outcome.json["decided"]) == ("approve", 1)
    assert [(each["dag_run_id"], each["code"]) for each in outcome.json["refused"]] == [
        (RUNS[0], "task_ended")
    ]


def test_a_dry_run_shows_what_is_meant_and_decides_nothing(
    api: FakeApi, timegate: Timegate, agreed: Callable[[], None]
) -> None:
    """And without a terminal to ask at nothing is decided unasked."""
    agreed()
    api.will(page([waiting(RUNS[0])]), page([waiting(RUNS[0])]))
    looked = timegate("dags", "approve-all", DAG, "--dry-run")
    refused = timegate("dags", "approve-all", DAG)

    assert "Nothing was changed." in looked.out
    assert "[confirmation_required]" in refused.err
    assert bodies(api) == []
