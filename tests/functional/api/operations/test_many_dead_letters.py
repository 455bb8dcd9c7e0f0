"""Many dead letters over HTTP: by name, by what they have in common, or all of them."""

from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import PATH, give_up, listed
from tests.support.api import Answer, Api


@pytest.fixture
def run_id(api: Api) -> str:
    """A run that was given up."""
    return give_up(api, payload={"to": "bob"})


@pytest.mark.parametrize("verb", ["redrive", "discard"])
@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "filter", "missing"),
        ({"filter": {}}, "filter", "empty_filter"),
        ({"filter": {"all": True, "reason": "kills_workers"}}, "filter.all", "contradicts_filter"),
        ({"filter": {"run_ids": []}}, "filter", "empty_filter"),
        ({"filter": {"run_ids": ["x"]}}, "filter.run_ids", "invalid_format"),
        ({"filter": {"run_ids": ["x"] * 101}}, "filter.run_ids", "too_long"),
        ({"filter": {"job_id": "x"}}, "filter.job_id", "invalid_format"),
        ({"filter": {"state": "failed"}}, "filter.state", "unknown_field"),
    ],
    ids=str,
)
def test_many_are_asked_for_by_name(
    api: Api, verb: str, body: dict[str, Any], field: str, code: str
) -> None:
    """An empty filter is a mistake more often than a wish."""
    answer = api.send("POST", f"{PATH}/{verb}", body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_a_run_beside_other_criteria_is_refused(api: Api, run_id: str) -> None:
    """No rule tells whether both are meant, or either."""
    body = {"filter": {"run_ids": [run_id], "reason": "retries_exhausted"}}
    answer = api.send("POST", f"{PATH}/redrive", body)

    assert answer.fields == [("filter.run_ids", "contradicts_filter")]


def test_a_correction_of_many_names_their_job(api: Api, run_id: str) -> None:
    """A payload that fits one job's target fits no other's."""
    refused = api.send("POST", f"{PATH}/redrive", {"filter": {"all": True}, "payload": 1})
    job_id = run_id.partition(".")[0]
    accepted = api.send("POST", f"{PATH}/redrive", {"filter": {"job_id": job_id}, "payload": 1})
    unknown = api.send("POST", f"{PATH}/redrive", {"filter": {"job_id": "a" * 26}, "payload": 1})
    api.world.settle()

    assert refused.fields == [("payload", "job_id_required")]
    assert (accepted.status, accepted.body["parameters"]["payload_corrected"]) == (202, True)
    assert (unknown.status, unknown.code) == (404, "job_not_found")
    assert api.world.target.calls[-1].payload == "1"


@pytest.mark.parametrize("verb", ["redrive", "discard"])
def test_an_operation_settles_what_is_named(api: Api, run_id: str, verb: str) -> None:
    """Each once, however often it is named; a replay starts no other."""
    other = give_up(api)
    body = {"filter": {"run_ids": [run_id, run_id]}}
    started: list[Answer] = []
    for _ in range(2):
        started.append(api.send("POST", f"{PATH}/{verb}", body, Idempotency_Key="k"))
        api.world.clock.advance(1)
    api.world.settle()
    done = api.send("GET", started[0].headers["location"]).body

    assert [each.status for each in started] == [202, 200]
    assert (done["status"], done["counts"]["done"], done["kind"]) == ("succeeded", 1, verb)
    assert listed(api) == [other]
    everything = {"filter": {"all": True}}
    reused = api.send("POST", f"{PATH}/{verb}", everything, Idempotency_Key="k")
    assert (reused.status, reused.code) == (409, "idempotency_conflict")
