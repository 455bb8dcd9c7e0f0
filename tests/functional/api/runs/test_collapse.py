"""Triggers that collapse: of those of one key that come close together, one runs."""

import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import NOW
from timegate.adapters.memory.target import OK
from timegate.domain.execution.call import Call
from timegate.domain.values.instants import rfc3339

LAST = {"span_seconds": 10, "max_wait_seconds": 25}
FIRST = {"mode": "first", "span_seconds": 10}
SINGLE = {"mode": "single"}


def create(api: Api, collapse: object = None, **fields: Any) -> str:  # noqa: ANN401
    """A job whose triggers collapse."""
    job = api.create(schedule={"kind": "manual"}, collapse=collapse, **fields)
    return str(job["job_id"])


def at(api: Api, seconds: float) -> None:
    """Step to so many seconds after the beginning."""
    api.world.clock.set(NOW + timedelta(seconds=seconds))


def get(api: Api, answer: Answer) -> Any:  # noqa: ANN401
    """The run of a trigger as it is."""
    return api.send("GET", f"/v1/runs/{answer.body['run_id']}").body


def given(api: Api) -> list[Any]:
    """The payloads that the target was called with, once all has run that is due by then.

    Runs of one batch begin side by side, so the payloads are in the order of their texts.
    """
    api.world.settle()
    payloads = [json.loads(call.payload or "null") for call in api.world.target.calls]
    return sorted(payloads, key=str)


def test_the_last_trigger_of_a_span_runs(api: Api) -> None:
    """It is due a span after it came; the others say which run stands for them."""
    job_id = create(api, LAST)
    answers = []
    for second in (0, 4, 8):
        at(api, second)
        answers.append(api.trigger(job_id, {"payload": second}))
    first, second, last = (get(api, each) for each in answers)

    assert [each.status for each in answers] == [202, 202, 202]
    assert last["due_at"] == rfc3339(NOW + timedelta(seconds=18))
    assert [(run["state"], run["reason"]) for run in (first, second)] == [
        ("skipped", "collapsed")
    ] * 2
    assert first["collapse"] == second["collapse"]
    assert first["collapse"] == {
        "key": None,
        "since": rfc3339(NOW),
        "triggers": 3,
        "into": last["run_id"],
    }
    assert first["explanation"].endswith(f"That run is {last['run_id']}.")
    assert (last["state"], last["reason"]) == ("queued", None)
    assert last["collapse"] == {"key": None, "since": rfc3339(NOW), "triggers": 3, "into": None}
    assert last["explanation"].endswith("It stands for 3 triggers.")
    at(api, 18)
    assert given(api) == [8]


def test_a_trigger_answers_with_its_own_run(api: Api) -> None:
    """One that joins another says so at once."""
    job_id = create(api, FIRST)
    first, second = api.trigger(job_id), api.trigger(job_id, {"payload": 2})

    assert second.body["run_id"] != first.body["run_id"]
    assert (second.body["state"], second.body["reason"]) == ("skipped", "collapsed")
    assert second.body["collapse"]["into"] == first.body["run_id"]
    assert second.headers["location"] == f"/v1/runs/{second.body['run_id']}"


def test_a_steady_stream_still_runs(api: Api) -> None:
    """At the latest when max_wait has passed since its first; the next trigger opens another."""
    job_id = create(api, LAST)
    for second in range(0, 25, 5):
        at(api, second)
        last = api.trigger(job_id, {"payload": second})
    due = get(api, last)["due_at"]
    at(api, 25)
    following = api.trigger(job_id, {"payload": "next"})

    assert due == rfc3339(NOW + timedelta(seconds=25))
    assert get(api, last)["state"] == "queued"
    assert get(api, following)["collapse"]["triggers"] == 1
    at(api, 60)
    assert given(api) == [20, "next"]


@pytest.mark.parametrize(("second", "runs"), [(99.999, [2]), (100, [1, 2])])
def test_without_a_maximum_a_window_is_open_for_ten_spans(
    api: Api, second: float, runs: list[int]
) -> None:
    """A run that waits for longer, frozen say, keeps its place."""
    job_id = create(api, {"span_seconds": 10})
    api.trigger(job_id, {"payload": 1})
    at(api, second)
    api.trigger(job_id, {"payload": 2})

    at(api, 200)
    assert given(api) == runs


def test_a_claimed_run_is_never_replaced(api: Api) -> None:
    """The trigger after its claim opens the next window."""
    job_id = create(api, LAST)
    first = api.trigger(job_id, {"payload": 1})
    at(api, 10)
    assert given(api) == [1]
    second = api.trigger(job_id, {"payload": 2})

    assert get(api, first)["state"] == "succeeded"
    assert get(api, second)["collapse"] == {
        "key": None,
        "since": rfc3339(NOW + timedelta(seconds=10)),
        "triggers": 1,
        "into": None,
    }


def test_the_first_trigger_runs_where_its_job_says_so(api: Api) -> None:
    """It is due a span after it came, whatever follows."""
    job_id = create(api, FIRST)
    answers = [api.trigger(job_id, {"payload": 0})]
    at(api, 9)
    answers.append(api.trigger(job_id, {"payload": 9}))

    assert get(api, answers[0])["due_at"] == rfc3339(NOW + timedelta(seconds=10))
    assert get(api, answers[0])["collapse"]["triggers"] == 2
    at(api, 10)
    assert given(api) == [0]


@pytest.mark.parametrize(("mode", "state"), [("first", "queued"), ("single", "skipped")])
def test_a_trigger_of_a_running_run(api: Api, mode: str, state: str) -> None:
    """It joins the run of a singleton, and else opens the next window."""
    job_id = create(api, {"mode": mode})
    first = api.trigger(job_id)
    second: list[Answer] = []

    def while_it_runs(call: Call) -> object:
        second.append(api.trigger(job_id))
        return OK

    with patch.object(api.world.target, "invoke", while_it_runs):
        api.world.execute(api.world.receive())

    assert get(api, first)["state"] == "succeeded"
    assert second[0].body["state"] == state


def test_a_singleton_that_has_ended_is_followed_by_another(api: Api) -> None:
    """One at a time, and none is lost."""
    job_id = create(api, SINGLE)
    api.trigger(job_id, {"payload": 1})
    assert given(api) == [1]
    api.trigger(job_id, {"payload": 2})

    assert given(api) == [1, 2]


def test_its_terms_are_those_of_the_trigger_that_runs(api: Api) -> None:
    """Priority and tags of the last, and it expires so long after it is due."""
    job_id = create(api, LAST)
    api.trigger(job_id, {"priority": "high", "tags": {"n": "1"}})
    last = api.trigger(job_id, {"tags": {"n": "2"}, "expires_after_seconds": 60})

    run = get(api, last)
    assert (run["priority"], run["tags"]) == ("normal", {"n": "2"})
    assert run["expires_at"] == rfc3339(NOW + timedelta(seconds=70))


def test_a_repeated_request_is_one_trigger(api: Api) -> None:
    """Its key names its own run, also once another stands for it; another body is a conflict."""
    job_id = create(api, LAST)
    first = api.trigger(job_id, {"payload": 1}, Idempotency_Key="one")
    second = api.trigger(job_id, {"payload": 2}, Idempotency_Key="two")
    again = api.trigger(job_id, {"payload": 1}, Idempotency_Key="one")

    assert (again.status, again.body["run_id"]) == (200, first.body["run_id"])
    assert again.body["collapse"]["into"] == second.body["run_id"]
    assert get(api, second)["collapse"]["triggers"] == 2
    assert api.trigger(job_id, {"payload": 3}, Idempotency_Key="one").status == 409
    at(api, 30)
    assert given(api) == [2]


def test_a_run_that_was_cancelled_takes_no_triggers(api: Api) -> None:
    """The next trigger opens a window, by each rule."""
    for collapse in (LAST, FIRST, SINGLE):
        job_id = create(api, collapse)
        first = api.trigger(job_id)
        api.send("POST", f"/v1/runs/{first.body['run_id']}/cancel")
        second = api.trigger(job_id)

        assert second.body["state"] == "queued"
        assert second.body["collapse"]["triggers"] == 1


def test_a_run_that_was_asked_to_stop_takes_no_triggers(api: Api) -> None:
    """It works until its next heartbeat, and will not do what its triggers asked for."""
    job_id = create(api, SINGLE)
    first = api.trigger(job_id, {"payload": 1})
    second: list[Answer] = []

    def while_it_runs(call: Call) -> object:
        api.send("POST", f"/v1/runs/{first.body['run_id']}/cancel")
        second.extend(api.trigger(job_id, {"payload": each}) for each in (2, 3))
        return OK

    with patch.object(api.world.target, "invoke", while_it_runs):
        api.world.execute(api.world.receive())

    assert [each.body["state"] for each in second] == ["queued", "skipped"]
    assert second[1].body["collapse"]["into"] == second[0].body["run_id"]
    assert given(api) == [2]


def test_a_run_that_was_forgotten_takes_no_triggers(api: Api) -> None:
    """Its window is left behind as well."""
    job_id = create(api, LAST)
    api.trigger(job_id)
    api.world.lose(api.world.attempts()[0])

    assert api.trigger(job_id).body["collapse"]["triggers"] == 1


def test_collapsed_triggers_are_no_failures(api: Api) -> None:
    """Their owner's rule asked for their end, and the ledger's listing shows them."""
    job_id = create(api, LAST)
    api.trigger(job_id)
    api.trigger(job_id)

    assert api.send("GET", "/v1/runs").body["items"] == []
    listed = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    assert sorted(str(each["reason"]) for each in listed) == ["None", "collapsed"]
