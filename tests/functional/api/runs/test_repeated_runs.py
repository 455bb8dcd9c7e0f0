"""A trigger with ``like_run_id``: any run of a job again, as a run of its own."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.support.api import Answer, Api, new_job
from tests.support.factories import OTHER_TENANT

OWN = {"page": 1, "of": "job"}
SAID = {"payload": {"page": 7}, "tags": {"customer": "acme"}, "priority": "high"}


@pytest.fixture
def job_id(api: Api) -> str:
    """A job that runs when asked, with a payload."""
    return str(api.create(schedule={"kind": "manual"}, payload=OWN)["job_id"])


def payloads(api: Api) -> list[Any]:
    """Run everything; return the payloads of the target's calls, in order."""
    api.world.settle()
    return [None if c.payload is None else json.loads(c.payload) for c in api.world.target.calls]


def test_a_run_that_succeeded_is_run_again_with_all_that_it_had(api: Api, job_id: str) -> None:
    """The new run has an id of its own, and the old one stays as it is."""
    first = api.trigger(job_id, SAID).body["run_id"]
    api.world.settle()
    again = api.trigger(job_id, {"like_run_id": first})
    shown = api.send("GET", f"/v1/runs/{again.body['run_id']}").body

    assert again.status == 202
    assert again.body["run_id"] != first
    assert (shown["payload"], shown["tags"], shown["priority"]) == tuple(SAID.values())
    assert payloads(api) == [{"page": 7}, {"page": 7}]
    assert len(api.send("GET", f"/v1/runs/{first}").body["attempts"]) == 1


@pytest.mark.parametrize(
    ("body", "payload", "tags", "priority"),
    [
        ({"payload": [1]}, [1], {"customer": "acme"}, "high"),
        ({"payload": None}, None, {"customer": "acme"}, "high"),
        ({"payload_patch": {"to": "ann"}}, {"page": 7, "to": "ann"}, {"customer": "acme"}, "high"),
        ({"tags": {"by": "hand"}, "priority": "low"}, {"page": 7}, {"by": "hand"}, "low"),
    ],
    ids=["payload", "no payload", "patch", "tags and priority"],
)
def test_what_the_request_says_comes_first(
    api: Api, job_id: str, body: dict[str, object], payload: object, tags: object, priority: str
) -> None:
    """A patch is merged into the payload of the run, not of its job."""
    first = api.trigger(job_id, SAID).body["run_id"]
    api.world.settle()
    again = api.trigger(job_id, {**body, "like_run_id": first}).body

    assert (again["tags"], again["priority"]) == (tags, priority)
    assert payloads(api)[-1] == payload


def test_a_run_without_a_payload_of_its_own_has_that_of_its_job_as_it_is_now(
    api: Api, job_id: str
) -> None:
    """A run of a schedule as well."""
    first = api.trigger(job_id, {"priority": "low"}).body["run_id"]
    api.world.settle()
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload": {"page": 2}})
    api.trigger(job_id, {"like_run_id": first})
    api.world.settle()
    api.trigger(job_id, {"like_run_id": first, "payload_patch": {"of": "patch"}})

    assert payloads(api)[1:] == [{"page": 2}, {"page": 2, "of": "patch"}]


def test_a_run_that_was_given_no_payload_has_none_again(api: Api, job_id: str) -> None:
    """Its trigger said null, which is not its job's payload; a patch is merged into nothing."""
    first = api.trigger(job_id, {"payload": None}).body["run_id"]
    api.world.settle()
    api.trigger(job_id, {"like_run_id": first})
    api.world.settle()
    api.trigger(job_id, {"like_run_id": first, "payload_patch": {"to": "ann"}})

    assert payloads(api) == [None, None, {"to": "ann"}]


def test_a_run_that_never_began_is_run(api: Api, job_id: str) -> None:
    """No redrive tries it again, since it was never tried."""
    late = api.trigger(job_id, {**SAID, "delay_seconds": 60, "expires_after_seconds": 1})
    run_id = late.body["run_id"]
    api.world.stream()
    api.world.clock.advance(3600)
    api.world.sweep()
    skipped = api.send("GET", f"/v1/runs/{run_id}").body
    refused = api.send("POST", f"/v1/runs/{run_id}/redrive")
    again = api.trigger(job_id, {"like_run_id": run_id}).body

    assert (skipped["state"], skipped["reason"]) == ("skipped", "expired")
    assert (refused.status, refused.code) == (409, "not_redrivable")
    # The bound of the old run is not one of the new: it was about another instant.
    assert again["expires_at"] is None
    assert payloads(api)[-1:] == [{"page": 7}]


def test_a_large_payload_is_taken_over(api: Api, job_id: str) -> None:
    """It lies beside the old run, and beside the new one."""
    large = {"text": "x" * 2000}
    first = api.trigger(job_id, {"payload": large}).body["run_id"]
    again = api.trigger(job_id, {"like_run_id": first}).body["run_id"]

    assert api.send("GET", f"/v1/runs/{again}").body["payload"] == large


def test_a_repeated_request_is_one_run(api: Api, job_id: str) -> None:
    """Under its key; another run under the same key is another request."""
    first, other = (api.trigger(job_id, {"payload": page}).body["run_id"] for page in (1, 2))
    asked = {"like_run_id": first}
    runs = [api.trigger(job_id, asked, Idempotency_Key="k") for _ in "12"]
    refused = api.trigger(job_id, {"like_run_id": other}, Idempotency_Key="k")

    assert [each.status for each in runs] == [202, 200]
    assert runs[0].body["run_id"] == runs[1].body["run_id"]
    assert (refused.status, refused.code) == (409, "idempotency_conflict")


def test_a_trigger_that_collapses_has_the_payload_as_well(api: Api, job_id: str) -> None:
    """The rule of the job or of the request is applied to the new run."""
    first = api.trigger(job_id, SAID).body["run_id"]
    api.world.settle()
    collapse = {"span_seconds": 10}
    again = [api.trigger(job_id, {"like_run_id": first, "collapse": collapse}) for _ in "12"]
    last = api.send("GET", f"/v1/runs/{again[1].body['run_id']}").body

    assert [each.status for each in again] == [202, 202]
    assert (last["payload"], last["collapse"]["triggers"]) == (SAID["payload"], 2)


@pytest.mark.parametrize(
    ("like", "status", "code"),
    [
        ("nonsense", 400, "invalid_format"),
        ("another", 400, "contradictory"),
        ("notice", 400, "contradictory"),
        ("gone", 404, "run_not_found"),
    ],
)
def test_a_run_that_is_none_of_the_jobs_is_refused(
    api: Api, job_id: str, like: str, status: int, code: str
) -> None:
    """Nothing is run."""
    other = api.send("POST", "/v1/jobs", new_job(schedule={"kind": "manual"})).body["job_id"]
    words = {
        "another": api.trigger(other).body["run_id"],
        "notice": f"{job_id}.n20261121T065900000Z-kmhjxhoygc2mwxus",
        "gone": f"{job_id}.t20261121T065900000Z-kmhjxhoygc2mwxus",
    }
    refused = api.trigger(job_id, {"like_run_id": words.get(like, like)})

    assert refused.status == status
    assert code in {refused.code, *(each for _, each in refused.fields)}
    assert api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"] == []


def test_another_tenants_run_is_as_if_it_were_not(api: Api, job_id: str) -> None:
    """Its job is another one, also under the same name."""
    first = api.trigger(job_id, SAID).body["run_id"]
    path = f"/v1/jobs/{job_id}/trigger"
    stranger = api.send("POST", path, {"like_run_id": first}, tenant=OTHER_TENANT)

    assert (stranger.status, stranger.code) == (404, "job_not_found")


def batch(api: Api, job_id: str, *triggers: dict[str, object], **headers: str) -> Answer:
    """Ask for runs in one request."""
    path = f"/v1/jobs/{job_id}/trigger/batch"
    return api.send("POST", path, {"triggers": list(triggers)}, **headers)


def test_a_batch_repeats_runs(api: Api, job_id: str) -> None:
    """Each in its place, with what its own run had; a refusal stops no other."""
    runs = [api.trigger(job_id, {"payload": page}).body["run_id"] for page in (1, 2)]
    wanted = [{"like_run_id": each} for each in (*runs, "nonsense")]
    answer = batch(api, job_id, *wanted, {"like_run_id": runs[0], "payload": 3})
    refused = answer.body["items"][2]["error"]["errors"]

    assert [each["status"] for each in answer.body["items"]] == [202, 202, 400, 202]
    assert [(each["field"], each["code"]) for each in refused] == [
        ("triggers.2.like_run_id", "invalid_format")
    ]
    assert sorted(payloads(api)) == [1, 1, 2, 2, 3]


def test_a_batch_that_is_repeated_repeats_no_run_again(api: Api, job_id: str) -> None:
    """Nor reads what it was to be like: that may be off the record by then."""
    first = api.trigger(job_id, SAID).body["run_id"]
    wanted = {"like_run_id": first}
    once = batch(api, job_id, wanted, Idempotency_Key="k")
    api.world.clock.advance(1)
    reads = counted(api, lambda: batch(api, job_id, wanted, Idempotency_Key="k"))
    again = batch(api, job_id, wanted, Idempotency_Key="k")

    assert reads == 0
    assert (again.body["replayed"], again.body["items"][0]["run_id"]) == (
        1,
        once.body["items"][0]["run_id"],
    )
    assert payloads(api) == [{"page": 7}, {"page": 7}]


def test_a_batch_that_collapses_reads_the_key_in_the_payload_of_the_run(api: Api) -> None:
    """Two runs like two others are one where their payloads say so."""
    rule = {"span_seconds": 10, "key_from": "/customer"}
    job_id = str(api.create(schedule={"kind": "manual"})["job_id"])
    runs = [
        api.trigger(job_id, {"payload": {"customer": who, "page": page}}).body["run_id"]
        for page, who in enumerate(("ann", "ann", "bob"))
    ]
    api.world.settle()
    answer = batch(api, job_id, *({"like_run_id": each, "collapse": rule} for each in runs))
    ids = [each["run_id"] for each in answer.body["items"]]
    into = [each["collapsed_into"] for each in answer.body["items"]]

    assert answer.body["triggered"] == 3
    assert into == [ids[1], None, None]


def counted(api: Api, act: Callable[[], object]) -> int:
    """Return how many runs were read meanwhile."""
    read = api.world.runs.attempts
    asked: list[object] = []

    def note(*arguments: object) -> object:
        asked.append(arguments)
        return read(*arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api.world.runs, "attempts", note)
        act()
    return len(asked)


def test_only_a_run_that_is_repeated_is_read(api: Api, job_id: str) -> None:
    """Other triggers cost the calls that they did."""
    first = api.trigger(job_id, SAID).body["run_id"]
    like: dict[str, object] = {"like_run_id": first}

    assert counted(api, lambda: api.trigger(job_id, SAID)) == 0
    assert counted(api, lambda: api.trigger(job_id, like)) == 1
    assert counted(api, lambda: batch(api, job_id, SAID, {})) == 0
    assert counted(api, lambda: batch(api, job_id, SAID, like, like)) == 2


def test_a_failed_run_can_be_repeated_too(api: Api, job_id: str) -> None:
    """Beside its redrive, which tries the same run again."""
    api.world.target.then(BROKEN)
    api.send("PATCH", f"/v1/jobs/{job_id}", {"retry": {"max_attempts": 1}})
    first = api.trigger(job_id, SAID).body["run_id"]
    api.world.settle()
    again = api.trigger(job_id, {"like_run_id": first}).body["run_id"]
    api.world.settle()
    states = [api.send("GET", f"/v1/runs/{each}").body["state"] for each in (first, again)]

    assert states == ["dead_lettered", "succeeded"]
