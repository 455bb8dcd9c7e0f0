"""Workers over HTTP: claims, heartbeats and ends, under the executor's own rules."""

import base64
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import NOW, OTHER_TENANT, TENANT
from timegate.domain.freeze import FreezeKind
from timegate.ports.pools import Offered
from timegate.ports.stores import AttemptRef, Loaded

ACTION = {"type": "worker", "pool": "reports", "handler": "sales"}


def offer(api: Api, **fields: Any) -> str:  # noqa: ANN401 - as the API takes them
    """A run that is offered now; its job's id."""
    defaults: dict[str, Any] = {"schedule": {"kind": "immediate"}, "action": ACTION}
    return str(api.create(**(defaults | fields))["job_id"])


def claim(api: Api, *, tenant: str = TENANT, **fields: object) -> list[dict[str, Any]]:
    """Runs that were claimed."""
    asked = {"worker": "host-7", **fields}
    answer = api.send("POST", "/v1/pools/reports/claim", asked, tenant=tenant)
    assert answer.status == 200, answer.body
    runs: list[dict[str, Any]] = answer.body["runs"]
    return runs


def say(
    api: Api,
    what: str,
    run: Mapping[str, Any],
    *,
    tenant: str = TENANT,
    **fields: Any,  # noqa: ANN401 - as the API takes them
) -> Answer:
    """Say something of a run that was claimed."""
    body = {"lease_token": run["lease_token"], **fields}
    return api.send("POST", f"/v1/runs/{run['run_id']}/{what}", body, tenant=tenant)


def read(api: Api, run: Mapping[str, Any]) -> dict[str, Any]:
    """The run as it is."""
    body: dict[str, Any] = api.send("GET", f"/v1/runs/{run['run_id']}").body
    return body


BROKE = {"code": "books_open", "type": "BooksOpen", "message": "Still open."}


def test_a_run_is_offered_claimed_and_done(api: Api) -> None:
    """Nothing is sent to a queue; the worker is told all that any target is."""
    job_id = offer(api, payload={"region": "eu"})
    (run,) = claim(api)
    api.world.clock.advance(2)
    done = say(api, "complete", run, result={"rows": 12})
    ended = read(api, run)

    assert api.world.publisher.sent == []
    assert run["payload"] == {"region": "eu"}
    assert (run["job_id"], run["handler"], run["attempt"], run["fence"]) == (job_id, "sales", 1, 1)
    assert run["idempotency_key"] == run["run_id"]
    assert run["lease_expires_at"] == "2026-11-21T07:01:00.000Z"
    assert (done.status, done.body) == (200, {"run_id": run["run_id"]})
    assert (ended["state"], ended["duration_ms"]) == ("succeeded", 2000)
    assert ended["attempts"][0]["result"] == '{"rows":12}'
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "active"
    api.world.stream()
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "completed"


def test_a_run_is_claimed_once(api: Api) -> None:
    """Whoever comes second gets nothing, and learns when to ask again."""
    offer(api)
    answers = [
        api.send("POST", "/v1/pools/reports/claim", {"worker": name}).body for name in ("a", "b")
    ]

    assert [len(each["runs"]) for each in answers] == [1, 0]
    assert [each["ask_again_after_seconds"] for each in answers] == [0, 5]


def test_runs_are_claimed_by_priority_then_by_due_time(api: Api) -> None:
    """In batches as large as was asked for."""
    for priority in ("low", "normal", "critical", "normal", "high"):
        offer(api, priority=priority, name=priority)
        api.world.clock.advance(1)
    names = [run["job_name"] for run in (*claim(api, max=3), *claim(api, max=3))]

    assert names == ["critical", "high", "normal", "normal", "low"]


def test_a_worker_may_take_what_it_can_do(api: Api) -> None:
    """Others' work stays where it is."""
    offer(api)
    offer(api, action={**ACTION, "handler": "other"})

    assert [run["handler"] for run in claim(api, max=5, handlers=["other"])] == ["other"]
    assert [run["handler"] for run in claim(api, max=5)] == ["sales"]


def test_a_wait_ends_with_the_next_run(api: Api) -> None:
    """At its instant, not at the end of the wait."""
    offer(api, schedule={"kind": "delay", "delay_seconds": 3})
    started = api.world.clock.now()
    (run,) = claim(api, wait_seconds=20)
    waited = (api.world.clock.now() - started).total_seconds()

    assert run["due_at"] == "2026-11-21T07:00:03.000Z"
    assert waited == 3


def test_a_wait_for_nothing_lasts_as_long_as_was_asked_for(api: Api) -> None:
    """And no longer than twenty seconds."""
    started = api.world.clock.now()
    runs = claim(api, wait_seconds=7)
    too_long = api.send("POST", "/v1/pools/reports/claim", {"worker": "a", "wait_seconds": 21})

    assert runs == []
    assert (api.world.clock.now() - started).total_seconds() == 7
    assert (too_long.status, too_long.fields) == (400, [("wait_seconds", "too_large")])


def test_a_heartbeat_holds_on_to_a_run(api: Api) -> None:
    """A lease from now on; nobody else gets it meanwhile."""
    offer(api, timeout_seconds=600)
    (run,) = claim(api)
    for _ in range(3):
        api.world.clock.advance(50)
        answer = say(api, "heartbeat", run)

        assert claim(api, worker="another") == []

    assert answer.body == {
        "lease_expires_at": "2026-11-21T07:03:30.000Z",
        "cancel_requested": False,
    }


@pytest.mark.parametrize("what", ["heartbeat", "complete", "fail", "release"])
def test_a_silent_workers_run_is_taken_over(api: Api, what: str) -> None:
    """From the expiry of its lease on, under a higher fence; what it says then is refused."""
    offer(api, timeout_seconds=600)
    (first,) = claim(api)
    api.world.clock.advance(59.999)
    early = claim(api, worker="another")
    api.world.clock.advance(0.001)
    (second,) = claim(api, worker="another")
    fields: dict[str, Any] = {"error": BROKE} if what == "fail" else {}
    answer = say(api, what, first, **fields)

    assert early == []
    assert (second["run_id"], second["fence"]) == (first["run_id"], 2)
    assert (answer.status, answer.code) == (409, "lease_lost")
    assert read(api, first)["attempts"][0]["worker"].startswith("another/")
    assert say(api, "complete", second).status == 200


def test_the_sweeper_rescues_a_run_whose_pool_nobody_asks(api: Api) -> None:
    """As any other dead worker's; it is offered again."""
    offer(api)
    claim(api)
    api.world.clock.advance(180)
    api.world.sweep()
    pool = api.send("GET", "/v1/pools/reports").body

    assert api.world.telemetry.counts["LeasesRescued"] == 1
    assert pool["depth"] == 1
    assert claim(api)[0]["fence"] == 2


def test_a_failure_is_tried_again_as_the_job_says(api: Api) -> None:
    """The next attempt is offered after its back-off, in the same pool."""
    offer(api, retry={"max_attempts": 2, "initial_delay_seconds": 10, "jitter": False})
    (first,) = claim(api)
    say(api, "fail", first, error=BROKE)
    early = claim(api)
    api.world.clock.advance(10)
    (second,) = claim(api)
    say(api, "fail", second, error=BROKE)
    ended = read(api, first)

    assert early == []
    assert (second["attempt"], second["fence"]) == (2, 2)
    assert (ended["state"], ended["reason"]) == ("dead_lettered", "retries_exhausted")
    assert ended["error"] == BROKE


@pytest.mark.parametrize("size", [10, 2000], ids=["inline", "in the blob store"])
@pytest.mark.parametrize("how", ["dies", "releases", "fails"])
def test_whoever_goes_on_begins_at_the_last_checkpoint(api: Api, how: str, size: int) -> None:
    """Whether the worker before died, had to stop, or failed."""
    offer(api, timeout_seconds=600, retry={"initial_delay_seconds": 1, "jitter": False})
    (first,) = claim(api)
    for number in (1, 2):
        checkpoint = {"done": number, "text": "x" * size}
        said = say(api, "heartbeat", first, checkpoint=checkpoint, progress={"percent": number})
        assert said.status == 200
    if how == "releases":
        say(api, "release", first)
    if how == "fails":
        say(api, "fail", first, error=BROKE)
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")

    assert first["last_checkpoint"] is None
    assert second["last_checkpoint"]["done"] == 2
    assert second["fence"] == 2


def test_progress_that_says_nothing_is_refused(api: Api) -> None:
    """Or that lies beyond the end."""
    offer(api)
    (run,) = claim(api)
    answers = [
        say(api, "heartbeat", run, progress=progress)
        for progress in ({"percent": 101}, {"message": ""})
    ]

    assert [answer.fields for answer in answers] == [
        [("progress.percent", "out_of_range")],
        [("progress", "missing")],
    ]


def test_two_claims_of_one_worker_are_two_owners(api: Api) -> None:
    """The second must not take what the first has claimed for an answer that was lost."""
    offer(api)
    world, stale = api.world, api.world.runs.load_all
    seen = stale([AttemptRef(tenant=each.tenant, id=each.id) for each in world.attempts()])
    assert len(claim(api)) == 1

    def as_before(refs: list[AttemptRef]) -> list[Loaded]:
        return seen if len(refs) == 1 else stale(refs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.runs, "load_all", as_before)
        offered = [
            Offered(ref=AttemptRef(tenant=run_.tenant, id=run_.id), at=NOW)
            for run_ in world.attempts()
        ]
        patch.setattr(
            world.pools, "offered", lambda shelf, **_: offered if shelf.priority == "normal" else []
        )
        again = claim(api)

    assert again == []


def test_a_worker_says_when_to_try_again_and_whether(api: Api) -> None:
    """Heeded if it is longer than the back-off; a permanent failure ends the run."""
    offer(api)
    (first,) = claim(api)
    say(api, "fail", first, error=BROKE, retry_after_seconds=120)
    api.world.clock.advance(119)
    early = claim(api)
    api.world.clock.advance(1)
    (second,) = claim(api)
    say(api, "fail", second, error=BROKE, retryable=False)

    assert early == []
    assert (read(api, first)["state"], read(api, first)["reason"]) == ("failed", "permanent")


def test_a_released_run_is_offered_at_once(api: Api) -> None:
    """That is no failed attempt."""
    offer(api)
    (first,) = claim(api)
    assert say(api, "release", first).status == 200
    (second,) = claim(api)
    (attempt,) = read(api, first)["attempts"]

    assert (second["attempt"], second["fence"]) == (1, 2)
    assert attempt["releases"] == 1


@pytest.mark.parametrize(
    ("what", "fields"), [("complete", {}), ("fail", {"error": BROKE}), ("release", {})]
)
def test_what_is_said_twice_is_recorded_once(api: Api, what: str, fields: dict[str, Any]) -> None:
    """The answer to the first may have been lost."""
    offer(api, retry={"max_attempts": 1})
    (run,) = claim(api)
    first = say(api, what, run, **fields)
    recorded = read(api, run)
    api.world.clock.advance(1)
    second = say(api, what, run, **fields)

    assert (first.status, second.status) == (200, 200)
    assert read(api, run) == recorded


def test_a_cancel_is_heard_at_a_heartbeat(api: Api) -> None:
    """And a release then ends the run."""
    offer(api)
    (run,) = claim(api)
    api.send("POST", f"/v1/runs/{run['run_id']}/cancel")
    heard = say(api, "heartbeat", run)
    released = say(api, "release", run)

    assert heard.body["cancel_requested"] is True
    assert (released.status, read(api, run)["state"]) == (200, "cancelled")
    assert say(api, "release", run).status == 200


def test_a_run_that_has_used_its_time_is_stopped(api: Api) -> None:
    """However faithfully its worker sends heartbeats."""
    offer(api, timeout_seconds=70, retry={"max_attempts": 1})
    (run,) = claim(api)
    api.world.clock.advance(50)
    held = say(api, "heartbeat", run)
    api.world.clock.advance(20)
    stopped = say(api, "heartbeat", run)

    assert (held.status, stopped.status, stopped.code) == (200, 409, "lease_lost")
    assert read(api, run)["error"]["code"] == "timeout"


def test_at_most_once_is_claimed_once(api: Api) -> None:
    """Whether its worker died, or had to stop."""
    offer(api, delivery="at_most_once")
    offer(api, delivery="at_most_once")
    died, stopped = claim(api, max=2)
    say(api, "release", stopped)
    api.world.clock.advance(60)

    assert claim(api, max=2) == []
    assert read(api, died)["reason"] == "worker_died"
    assert (read(api, stopped)["reason"], read(api, stopped)["error"]["code"]) == (
        "at_most_once",
        "worker_stopped",
    )


def test_exactly_once_keeps_an_answer_that_came_too_late(api: Api) -> None:
    """Who holds the run by then may go on; nobody is given it again."""
    offer(api, delivery="exactly_once", timeout_seconds=600)
    (slow,) = claim(api)
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")
    late = say(api, "complete", slow, result="billed")
    say(api, "release", second)

    assert late.code == "lease_lost"
    assert claim(api) == []
    assert (read(api, slow)["state"], read(api, slow)["attempts"][0]["result"]) == (
        "succeeded",
        "billed",
    )


def test_overlap_holds_for_workers_as_for_executors(api: Api) -> None:
    """A second run waits for the first one's slot, and has it when that has ended."""
    overlap = {"policy": "queue", "max_concurrent": 1, "concurrency_key": "books"}
    offer(api, overlap=overlap)
    offer(api, overlap=overlap)
    (first,) = claim(api, max=5)
    meanwhile = claim(api, max=5)
    say(api, "complete", first)
    (second,) = claim(api, max=5)

    assert meanwhile == []
    assert second["run_id"] != first["run_id"]


def test_a_freeze_holds_back_what_is_claimed(api: Api) -> None:
    """It is offered when the freeze has ended."""
    offer(api)
    freeze = {"scope": {"kind": FreezeKind.TENANT}, "ends_at": "2026-11-21T07:05:00Z"}
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    frozen = claim(api)
    api.world.clock.advance(301)

    assert frozen == []
    assert len(claim(api)) == 1


def test_a_paused_jobs_run_is_not_handed_out(api: Api) -> None:
    """It is skipped, as an executor would."""
    job_id = offer(api, schedule={"kind": "rate", "every_seconds": 60})
    api.world.clock.advance(60)
    api.send("POST", f"/v1/jobs/{job_id}/pause")

    assert claim(api, max=10) == []
    assert api.world.telemetry.counts["RunsSkipped"] >= 1


def test_a_job_may_change_its_way_while_a_run_waits(api: Api) -> None:
    """From a pool to a web hook and back: the run takes the way that its job names now."""
    job_id = offer(api, schedule={"kind": "delay", "delay_seconds": 5})
    hook = {"type": "webhook", "url": "https://hooks.example.com/report"}
    assert api.send("PATCH", f"/v1/jobs/{job_id}", {"action": hook}).status == 200
    api.world.clock.advance(5)
    assert claim(api) == []
    api.world.stream()
    deliveries = api.world.receive()
    assert len(deliveries) == 1
    assert api.send("PATCH", f"/v1/jobs/{job_id}", {"action": ACTION}).status == 200
    api.world.execute(deliveries)
    (run,) = claim(api)

    assert api.world.target.calls == []
    assert run["fence"] == 1


@pytest.mark.parametrize("what", ["heartbeat", "complete", "release"])
@pytest.mark.parametrize("forged", ["other tenant", "other fence", "other run", "nonsense"])
def test_a_token_speaks_for_its_own_lease_alone(api: Api, what: str, forged: str) -> None:
    """Of its tenant, its attempt, its fence; whatever else is shown changes nothing."""
    offer(api)
    offer(api)
    run, other = claim(api, max=2)
    text = base64.urlsafe_b64decode(run["lease_token"] + "=" * (-len(run["lease_token"]) % 4))
    number, _, rest = text.decode().split(".", 2)
    tokens = {
        "other tenant": run["lease_token"],
        "other fence": base64.urlsafe_b64encode(f"{number}.2.{rest}".encode()).decode(),
        "other run": other["lease_token"],
        "nonsense": "nonsense",
    }
    tenant = OTHER_TENANT if forged == "other tenant" else TENANT
    answer = say(api, what, {**run, "lease_token": tokens[forged]}, tenant=tenant)

    assert (answer.status, answer.code) == (409, "lease_lost")
    assert read(api, run)["state"] == "running"
    assert say(api, "complete", run).status == 200


def test_pools_are_tenants_own(api: Api) -> None:
    """The same name is another pool."""
    offer(api)

    assert claim(api, tenant=OTHER_TENANT) == []
    assert api.send("GET", "/v1/pools/reports", tenant=OTHER_TENANT).body["depth"] == 0


def test_a_pool_shows_what_waits_and_who_comes(api: Api) -> None:
    """By priority, and since when."""
    offer(api, priority="high")
    offer(api)
    offer(api, schedule={"kind": "delay", "delay_seconds": 100})
    api.world.clock.advance(12.5)
    claim(api, handlers=["sales"])
    pool = api.send("GET", "/v1/pools/reports").body

    assert pool == {
        "pool": "reports",
        "depth": 1,
        "depth_is_partial": False,
        "depth_by_priority": {"critical": 0, "high": 0, "normal": 1, "low": 0},
        "oldest_age_seconds": 12.5,
        "workers": [
            {"worker": "host-7", "seen_at": "2026-11-21T07:00:12.500Z", "handlers": ["sales"]}
        ],
    }


def test_a_large_payload_comes_with_its_run(api: Api) -> None:
    """From where it lies."""
    payload = {"text": "ü" * 5000}
    offer(api, payload=payload)

    assert claim(api)[0]["payload"] == payload


@pytest.mark.parametrize(
    ("method", "path", "body", "fields"),
    [
        ("GET", "/v1/pools/No_Pool", None, [("pool", "invalid_format")]),
        ("POST", "/v1/pools/No_Pool/claim", {"worker": "a"}, [("pool", "invalid_format")]),
        ("POST", "/v1/pools/a/claim", {}, [("worker", "missing")]),
        ("POST", "/v1/pools/a/claim", {"worker": "a", "max": 11}, [("max", "too_large")]),
    ],
    ids=["no pool", "no pool to claim from", "no worker", "too many"],
)
def test_what_cannot_be_meant_is_refused(
    api: Api, method: str, path: str, body: object, fields: list[tuple[str, str]]
) -> None:
    """Field by field."""
    answer = api.send(method, path, body)

    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({**ACTION, "pool": "Reports"}, "action.pool"),
        ({**ACTION, "handler": "a b"}, "action.handler"),
    ],
)
def test_an_offer_has_names_that_can_be_asked_for(
    api: Api, action: dict[str, str], field: str
) -> None:
    """Or nobody could claim it."""
    answer = api.send(
        "POST",
        "/v1/jobs",
        {"name": "x", "schedule": {"kind": "immediate"}, "action": action},
    )

    assert (answer.status, answer.fields) == (400, [(field, "invalid_format")])


@pytest.mark.parametrize(
    ("action", "seconds", "status"),
    [
        (ACTION, 86_400, 201),
        (ACTION, 86_401, 400),
        ({"type": "webhook", "url": "https://hooks.example.com/r"}, 61, 400),
    ],
)
def test_a_worker_may_take_a_day(
    api: Api, action: dict[str, str], seconds: int, status: int
) -> None:
    """An executor's runs may not."""
    job = {
        "name": "x",
        "schedule": {"kind": "immediate"},
        "action": action,
        "timeout_seconds": seconds,
    }

    assert api.send("POST", "/v1/jobs", job).status == status
