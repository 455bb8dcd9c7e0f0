"""Events that a tenant sends fire its triggers: once each, and the answer says so."""

from collections import Counter
from contextlib import closing
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from botocore.config import Config

from api.http.table import ROUTES
from tests.support.api import Answer, Api
from tests.support.event_triggers.triggering import cloud_event
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.asked import asking
from tests.support.tenants.tabled_tenant import settle_in
from tests.support.world import World
from timegate.domain.event_triggers.event_trigger import MAX_EVENT_TRIGGERS
from timegate.domain.events.event import MAX_EVENT_BYTES
from timegate.domain.events.matching import MAX_STEPS

PATH = "/v1/event-triggers"
PAID: dict[str, Any] = {"type": ["order.paid"]}
TASK = {"key": "one", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}


def put(api: Api, name: str, job: str, **given: Any) -> None:  # noqa: ANN401 - any field
    """A trigger of a job."""
    starts = {"type": "job", "job_id": job, **given.pop("starts", {})}
    body = {"pattern": PAID, "starts": starts, **given}
    answer = api.send("PUT", f"{PATH}/{name}", body)

    assert answer.status == 200, answer.body


def send(api: Api, event: Any, **who: str) -> Answer:  # noqa: ANN401 - one or a list
    """Send an event, or a batch."""
    return api.send("POST", "/v1/events", event, **who)


def met(answer: Answer) -> list[dict[str, Any]]:
    """Everything that the first event met."""
    found: list[dict[str, Any]] = answer.body["items"][0]["met"]
    return found


def test_an_event_starts_a_run_by_each_trigger_that_matches(api: Api) -> None:
    """With the event, or what the trigger makes of it; by name."""
    job = api.create()["job_id"]
    put(api, "paid", job)
    put(api, "part", job, starts={"payload": {"order": {"$ref": "event.data.order"}}})
    put(api, "lost", job, pattern={"type": ["order.lost"]})
    told = met(send(api, cloud_event()))
    runs = [api.send("GET", f"/v1/runs/{each['run_id']}").body for each in told]

    assert [(each["kind"], each["name"]) for each in told] == [
        ("event_trigger", "paid"),
        ("event_trigger", "part"),
    ]
    assert [run["payload"] for run in runs] == [cloud_event(), {"order": "o-17"}]
    assert {run["origin"] for run in runs} == {"trigger"}


def test_a_run_says_which_event_started_it_and_is_listed_by_its_trigger(api: Api) -> None:
    """Other runs do not disturb the list: of another caller, another trigger, or a deleted one."""
    job = api.create(schedule={"kind": "manual"})["job_id"]
    put(api, "paid", job)
    put(api, "lost", job, pattern={"type": ["order.lost"]})
    first = met(send(api, cloud_event(id="e1")))[0]["run_id"]
    other = met(send(api, cloud_event(id="e2", type="order.lost")))[0]["run_id"]
    asked = api.send("POST", f"/v1/jobs/{job}/trigger").body["run_id"]
    api.send("DELETE", f"{PATH}/paid")
    listed = api.send("GET", f"/v1/runs?which=all&job_id={job}&event_trigger=paid").body["items"]
    runs = [api.send("GET", f"/v1/runs/{each}").body for each in (first, other, asked)]

    assert [each["run_id"] for each in listed] == [first]
    assert [run["matched_event"] for run in runs] == [
        {"event_trigger": "paid", "source": "shop", "id": "e1"},
        {"event_trigger": "lost", "source": "shop", "id": "e2"},
        None,
    ]
    assert listed[0]["matched_event"] == runs[0]["matched_event"]


def test_a_dag_run_says_which_event_started_it_and_is_listed_by_its_trigger(api: Api) -> None:
    """Beside a run that a caller started."""
    dag = api.send("POST", "/v1/dags", {"name": "orders", "tasks": [TASK]}).body["dag_id"]
    starts = {"type": "dag_run", "dag_id": dag}
    api.send("PUT", f"{PATH}/paid", {"pattern": PAID, "starts": starts})
    (told,) = met(send(api, cloud_event()))
    by_hand = api.send("POST", f"/v1/dags/{dag}/runs").body
    path = f"/v1/dags/{dag}/runs"
    all_runs, listed = (
        api.send("GET", p).body["items"] for p in (path, f"{path}?event_trigger=paid")
    )
    read = api.send("GET", f"/v1/dag-runs/{told['dag_run_id']}").body

    assert read["matched_event"] == {"event_trigger": "paid", "source": "shop", "id": "e1"}
    assert by_hand["matched_event"] is None
    assert len(all_runs) == 2
    assert [each["dag_run_id"] for each in listed] == [told["dag_run_id"]]


@pytest.mark.parametrize("name", ["", "Paid", "a b", "p" * 65])
def test_a_name_that_no_trigger_can_have_is_refused(api: Api, name: str) -> None:
    """In a filter as in a path; one that no trigger has is no error."""
    path = f"/v1/runs?which=all&event_trigger={quote(name)}"
    refused, none = api.send("GET", path), api.send("GET", "/v1/runs?which=all&event_trigger=p")

    assert (refused.status, none.status) == (400, 200)
    assert refused.body["errors"][0]["field"] == "event_trigger"


def test_a_repeated_event_starts_nothing_more(api: Api, world: World) -> None:
    """It meets its run; the same id of another source is another event."""
    job = api.create()["job_id"]
    put(api, "paid", job)
    first = met(send(api, cloud_event()))
    world.clock.advance(3)
    again = met(send(api, cloud_event()))
    other = met(send(api, cloud_event(source="market")))
    runs = api.send("GET", f"/v1/jobs/{job}/runs").body["items"]

    assert again == first
    assert other[0]["run_id"] != first[0]["run_id"]
    assert len([each for each in runs if each["origin"] == "trigger"]) == 2


@pytest.mark.parametrize("moves", [1, 2])
def test_a_repeated_event_meets_its_run_after_its_jobs_key_has_moved(
    api: Api, world: World, moves: int
) -> None:
    """Each job that had the key is looked at; a new event starts a run of the job that has it."""
    jobs = [api.create(key="invoice")["job_id"]]
    put(api, "paid", "key:invoice")
    first = met(send(api, cloud_event()))
    for _ in range(moves):
        world.clock.advance(3)
        api.send("PATCH", f"/v1/jobs/{jobs[-1]}", {"key": None})
        jobs.append(api.create(key="invoice", name=f"job {len(jobs)}")["job_id"])
    again = met(send(api, cloud_event()))
    other = met(send(api, cloud_event(id="e2")))[0]["run_id"]

    assert again == first
    assert other.startswith(jobs[-1])


def test_a_repeated_event_meets_its_run_after_its_jobs_key_was_given_up(
    api: Api, world: World
) -> None:
    """A cancelled job gave it up, and no other has it: new events are refused."""
    job = api.create(key="invoice")["job_id"]
    put(api, "paid", "key:invoice")
    first = met(send(api, cloud_event()))
    world.clock.advance(3)
    api.send("DELETE", f"/v1/jobs/{job}")

    assert met(send(api, cloud_event())) == first
    assert met(send(api, cloud_event(id="e2")))[0]["code"] == "job_not_found"


def test_a_repeated_trigger_meets_its_run_after_its_jobs_key_has_moved(
    api: Api, world: World
) -> None:
    """By its Idempotency-Key; another one is of the job that has the key now."""
    path = "/v1/jobs/key:invoice/trigger"
    job = api.create(key="invoice")["job_id"]
    first = api.send("POST", path, Idempotency_Key="one")
    world.clock.advance(3)
    api.send("PATCH", f"/v1/jobs/{job}", {"key": None})
    holder = api.create(key="invoice", name="other")["job_id"]
    again = api.send("POST", path, Idempotency_Key="one")
    other = api.send("POST", path, Idempotency_Key="two")

    assert (again.status, again.body["run_id"]) == (200, first.body["run_id"])
    assert (other.status, other.body["job_id"]) == (202, holder)


def test_a_refusal_is_told_and_stops_no_other_trigger(api: Api) -> None:
    """The event is kept; the reason stands beside the trigger."""
    ended, job = (api.create(name=name)["job_id"] for name in ("ended", "going"))
    put(api, "a-ended", ended)
    put(api, "b-going", job)
    put(api, "c-missing", job, starts={"payload": {"$ref": "event.data.nothing"}})
    api.send("DELETE", f"/v1/jobs/{ended}")
    answer = send(api, cloud_event())
    told = {each["name"]: each["code"] for each in met(answer)}

    assert answer.status == 202
    assert told == {"a-ended": "job_cancelled", "b-going": None, "c-missing": "reference_missing"}


def test_paused_triggers_and_those_of_web_hooks_are_passed_by(api: Api) -> None:
    """Their events are others, or none."""
    job = api.create()["job_id"]
    put(api, "paused", job)
    api.send("POST", f"{PATH}/paused/pause")
    put(api, "hooked", job, hook={"secret": {"ssm_parameter": "/timegate-target/acme/hook"}})

    assert met(send(api, cloud_event())) == []


def test_a_change_is_known_at_once_where_it_was_made_and_elsewhere_soon(
    api: Api, world: World
) -> None:
    """Within ten seconds: until then another process compares events with what it read."""
    job = api.create()["job_id"]
    put(api, "paid", job)
    first = met(send(api, cloud_event(id="e1")))
    world.event_triggers.delete(TENANT, "paid", expected_version=None, now=world.clock.now())
    world.clock.advance(9.999)
    still = met(send(api, cloud_event(id="e2")))
    world.clock.advance(0.001)
    gone = met(send(api, cloud_event(id="e3")))

    assert [len(each) for each in (first, still, gone)] == [1, 1, 0]


def test_an_event_of_another_tenant_fires_nothing(api: Api) -> None:
    """Each tenant's events meet its own triggers."""
    put(api, "paid", api.create()["job_id"])

    assert met(send(api, cloud_event(), tenant=OTHER_TENANT)) == []


def test_a_batch_is_answered_event_by_event(api: Api) -> None:
    """Each with what it met."""
    put(api, "paid", api.create()["job_id"])
    answer = send(api, [cloud_event(id="e1"), cloud_event(id="e2", type="order.lost")])

    assert [len(each["met"]) for each in answer.body["items"]] == [1, 0]


def test_an_event_that_is_dear_to_compare_is_refused_by_the_triggers_left(api: Api) -> None:
    """All of them share the steps."""
    job = api.create()["job_id"]
    for number in range(40):
        put(api, f"t{number:02}", job, pattern={"data": {"v": ["x"] * 1}})
    told = met(send(api, cloud_event(data={"v": [0] * (MAX_STEPS // 60)})))

    assert {each["code"] for each in told} == {"too_complex"}
    assert 0 < len(told) < 40


def test_triggers_share_the_steps_of_what_they_send_on(api: Api) -> None:
    """Each may take as many as a reference may; a hundred would take half a minute."""
    job, dear = api.create()["job_id"], {"$ref": "length(event.data.v[?@ > `0`])"}
    for number in range(9):
        put(api, f"t{number}", job, pattern={"id": ["e"]}, starts={"payload": dear})
    told = met(send(api, cloud_event(id="e", data={"v": [0] * (MAX_STEPS // 12)})))
    codes = [each["code"] for each in told]

    assert codes == sorted(codes, key=bool)
    assert set(codes) == {None, "reference_too_complex"}


def test_all_of_a_large_event_is_sent_on_by_so_many_triggers_as_there_may_be(api: Api) -> None:
    """The steps that they share are enough."""
    job = api.create()["job_id"]
    for number in range(MAX_EVENT_TRIGGERS):
        put(api, f"t{number}", job, pattern={"id": ["e"]})
        api.world.clock.advance(1)
    told = met(send(api, cloud_event(id="e", data="x" * (MAX_EVENT_BYTES - 300))))

    assert [each["code"] for each in told] == [None] * MAX_EVENT_TRIGGERS


def test_events_cost_a_query_in_ten_seconds_and_those_that_match_a_run(
    handler: ModuleType, workers_handler: ModuleType
) -> None:
    """However many triggers there are: one that does not match costs no call."""
    (route,) = [each for each in ROUTES if each.operation == "sendEvents"]
    with closing(client_inside(Config())) as client, pytest.MonkeyPatch.context() as patch:
        for module in (handler, workers_handler):
            patch.setattr(module, "services", module.services)
        ask = asking(handler, workers_handler, TabledWorld(client))
        settle_in(ask.world, "caller")
        made = []
        for number, kind in enumerate(("other", "other", "order.paid", "order.paid")):
            event = cloud_event(type=kind, id=f"e{min(number, 2)}{kind}")
            with ask.world.counted() as calls:
                assert ask("caller", route, route.path, event).status < 300
            made.append(Counter(calls))

    first, plain, matching, again = (each - made[1] for each in made)
    assert first["Query"] == 1
    assert plain == Counter()
    # The key is looked for, the job is read, and run, key and entry are one transaction.
    assert matching == {"GetItem": 2, "TransactWriteItems": 1, "SendMessageBatch": 1}
    assert again["TransactWriteItems"] == 0
