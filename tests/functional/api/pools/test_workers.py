"""Claiming from pools over HTTP, under the executor's own rules."""

import pytest

from tests.support.api import Api
from tests.support.factories import NOW, OTHER_TENANT
from tests.support.pools.worker_requests import ACTION, claim, offer, read, say
from timegate.domain.restrictions.freeze import FreezeKind
from timegate.ports.pools import Offered
from timegate.ports.stores import AttemptRef, Loaded


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
    """A second worker gets nothing, and learns when to ask again."""
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
    claim(api, handlers=["sales"], capacity=4, in_use=2)
    claim(api, worker="silent", handlers=["other"])
    pool = api.send("GET", "/v1/pools/reports").body
    seen = {"seen_at": "2026-11-21T07:00:12.500Z"}

    assert pool == {
        "pool": "reports",
        "depth": 1,
        "depth_is_partial": False,
        "depth_by_priority": {"critical": 0, "high": 0, "normal": 1, "low": 0},
        "oldest_age_seconds": 12.5,
        "workers": [
            {"worker": "host-7", "handlers": ["sales"], "capacity": 4, "in_use": 3, **seen},
            {"worker": "silent", "handlers": ["other"], "capacity": None, "in_use": None, **seen},
        ],
        "capacity": 4,
        "in_use": 3,
        "last_seen_at": "2026-11-21T07:00:12.500Z",
        "pause": None,
    }


def test_the_oldest_run_of_a_pool_may_have_any_priority(api: Api) -> None:
    """Each waits in a line of its own."""
    for priority in ("normal", "critical", "low"):
        offer(api, priority=priority)
        api.world.clock.advance(5)

    assert api.send("GET", "/v1/pools/reports").body["oldest_age_seconds"] == 15


def test_a_claim_is_counted(api: Api) -> None:
    """Claims, those that got nothing, and runs that were handed out."""
    offer(api)
    claim(api)
    claim(api)
    counts = api.world.telemetry.counts
    names = ("PoolClaims", "PoolClaimsEmpty", "PoolRunsClaimed")

    assert [counts[name] for name in names] == [2, 1, 1]


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
        ("POST", "/v1/pools/a/claim", {"worker": "a", "max": -1}, [("max", "too_small")]),
        ("POST", "/v1/pools/a/claim", {"worker": "a", "capacity": 0}, [("capacity", "too_small")]),
        ("POST", "/v1/pools/a/claim", {"worker": "a", "in_use": -1}, [("in_use", "too_small")]),
    ],
    ids=["no pool", "no pool to claim from", "no worker", "too many", "few", "no room", "less"],
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
    """Or no worker could claim it."""
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
