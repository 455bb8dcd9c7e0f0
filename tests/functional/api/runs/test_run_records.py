"""A run keeps its attempts, its result and its log."""

import json
from unittest.mock import Mock

import pytest

from tests.functional.api.operations.test_dead_letters import BROKEN, give_up
from tests.support.api import Api
from tests.support.pools.worker_requests import claim, offer, say
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.retry import Failure
from timegate.domain.runs.run_result import MAX_RESULT_BYTES
from timegate.domain.values.errors import Throttled

LONG = "x" * 2000


def run_once(api: Api, *outcomes: Answer | Failure) -> str:
    """The id of a run whose calls come to these outcomes."""
    api.world.target.then(*outcomes)
    job_id = api.create(schedule={"kind": "immediate"})["job_id"]
    api.world.settle()
    return str(api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"][0]["run_id"])


def test_attempts_are_those_of_the_run(api: Api) -> None:
    """The same as the run shows, and nothing beside them."""
    run_id = run_once(api)
    whole = api.send("GET", f"/v1/runs/{run_id}").body

    assert api.send("GET", f"/v1/runs/{run_id}/attempts").body == {
        "items": whole["attempts"],
        "next_cursor": None,
    }


def test_a_short_result_is_shown_as_it_is(api: Api) -> None:
    """The whole result is shown, without a link."""
    run_id = run_once(api, Answer(text='{"sent": 3}'))

    assert api.send("GET", f"/v1/runs/{run_id}/result").body == {
        "run_id": run_id,
        "attempt": 1,
        "state": "succeeded",
        "result": '{"sent": 3}',
        "size_bytes": 11,
        "link": None,
        "link_expires_at": None,
    }


def test_a_long_result_is_behind_a_link(api: Api) -> None:
    """Its beginning is shown; the whole lies under the run's attempt and fence."""
    run_id = run_once(api, Answer(text="x…", whole=LONG))
    shown = api.send("GET", f"/v1/runs/{run_id}/result").body
    (path,) = api.world.blobs.blobs

    assert (path, api.world.blobs.blobs[path]) == (f"results/acme/{run_id}.1.1", LONG)
    assert (shown["result"], shown["size_bytes"]) == ("x…", 2000)
    assert path in shown["link"]
    assert shown["link_expires_at"] == "2026-11-21T07:15:00.000Z"


def test_a_result_that_cannot_be_stored_costs_no_run_its_end(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The beginning is kept, and the target is not called again."""

    monkeypatch.setattr(api.world.blobs, "put", Mock(side_effect=Throttled))
    run_id = run_once(api, Answer(text="x…", whole=LONG))
    shown = api.send("GET", f"/v1/runs/{run_id}/result").body

    assert (shown["state"], shown["result"], shown["link"]) == ("succeeded", "x…", None)
    assert len(api.world.target.calls) == 1
    assert api.world.telemetry.counts["ResultsCut"] == 1


@pytest.mark.parametrize(
    ("result", "kept"),
    [
        ("x" * 500, False),
        ("x" * 501, True),
        ({"rows": "é" * 600}, True),
        ("x" * MAX_RESULT_BYTES, True),
        ("x" * (MAX_RESULT_BYTES + 1), False),
    ],
    ids=["in the record", "just beyond", "JSON", "the largest", "larger"],
)
def test_what_workers_answer_is_kept_as_what_targets_do(
    api: Api, result: object, *, kept: bool
) -> None:
    """In the record up to 500 characters, aside up to 256 KB, as its beginning beyond."""
    offer(api)
    (run,) = claim(api)
    say(api, "complete", run, result=result)
    shown = api.send("GET", f"/v1/runs/{run['run_id']}/result").body
    text = (
        result
        if isinstance(result, str)
        else json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    )
    path = f"results/acme/{run['run_id']}.1.1"

    assert (shown["state"], api.world.blobs.blobs.get(path)) == (
        "succeeded",
        text if kept else None,
    )
    assert shown["result"] == (text if len(text) <= 500 else f"{text[:499]}…")
    assert (shown["link"] is not None) == kept


def test_a_run_without_a_result_says_so(api: Api) -> None:
    """With the state that tells why."""
    run_id = give_up(api)
    shown = api.send("GET", f"/v1/runs/{run_id}/result").body

    assert (shown["state"], shown["result"], shown["size_bytes"]) == ("dead_lettered", None, None)


def test_a_log_says_what_happened_in_order(api: Api) -> None:
    """Every decision, with its reason, and who settled what was given up."""
    run_id = give_up(api)
    api.send("POST", f"/v1/dead-letters/{run_id}/redrive", {"note": "back again"})
    api.world.target.then(BROKEN)
    api.world.settle()
    lines = api.send("GET", f"/v1/runs/{run_id}/logs").body["items"]

    assert [(line["attempt"], line["kind"]) for line in lines] == [
        *[(1, "created"), (1, "started"), (1, "ended"), (1, "settled")],
        *[(2, "created"), (2, "started"), (2, "ended")],
    ]
    assert lines[1]["text"] == "begun by worker-1 under fence 1"
    assert lines[2]["text"] == (
        "dead_lettered (retries_exhausted): http_503 HttpStatus: "
        "The target answered 503: busy; attempt 1 of 1, none left"
    )
    assert lines[3]["text"] == "redriven by acme: back again"
    assert lines[5]["text"] == "begun by worker-1 under fence 2"
