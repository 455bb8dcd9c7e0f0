"""Addresses that no job may have: refused wherever one is given, counted, and nothing is stored."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.functional.api.refused_addresses import INSIDE, OUTSIDE
from tests.functional.api.requests.test_hostile_input import stored
from tests.support.api import Answer, Api, new_job

HOOK = "https://hooks.example.com/report"


@dataclass(frozen=True)
class Inhabited:
    """A tenant with a job and a DAG."""

    api: Api
    job: str
    dag: str


Fields = Callable[[str], dict[str, object]]
Send = Callable[[Inhabited, str], Answer]


def action(url: str) -> dict[str, object]:
    """It is called."""
    return {"action": {"type": "webhook", "url": url}}


def calling_back(url: str) -> dict[str, object]:
    """It is called, and says later how it went."""
    return {"action": {"type": "webhook", "url": url, "wait": "callback"}}


def notified(url: str) -> dict[str, object]:
    """It hears of failures; another one does as well."""
    hooks = [{"url": each, "on": ["failed"]} for each in (HOOK, url)]
    return {"notifications": hooks}


def asked(url: str) -> dict[str, object]:
    """It is asked before."""
    return {"before": {"type": "http", "url": url}}


def dag(url: str) -> dict[str, object]:
    """One task calls it."""
    return {"name": "d", "tasks": [{"key": "t", "job": action(url)}], "edges": []}


def creating(fields: Fields, path: str = "/v1/jobs") -> Send:
    """A new job, or one that is only asked about."""
    return lambda it, url: it.api.send("POST", path, new_job(**fields(url)))


def changing(fields: Fields) -> Send:
    """A job that is there."""
    return lambda it, url: it.api.send("PATCH", f"/v1/jobs/{it.job}", fields(url))


def _many(it: Inhabited, url: str) -> Answer:
    jobs = [new_job(**action(url))]
    return it.api.send("POST", "/v1/jobs/bulk", {"jobs": jobs})


def _changed_task(it: Inhabited, url: str) -> Answer:
    return it.api.send("PATCH", f"/v1/dags/{it.dag}", {"tasks": dag(url)["tasks"]})


def _checked_task(it: Inhabited, url: str) -> Answer:
    return it.api.send("POST", f"/v1/dags/{it.dag}/validate", {"tasks": dag(url)["tasks"]})


#: Every way to give an address, and the field in which it is given.
WAYS: dict[str, tuple[str, Send]] = {
    "a job": ("action.url", creating(action)),
    "a job that is called back": ("action.url", creating(calling_back)),
    "a notification": ("notifications.1.url", creating(notified)),
    "a condition": ("before.url", creating(asked)),
    "a changed job": ("action.url", changing(action)),
    "a changed notification": ("notifications.1.url", changing(notified)),
    "a changed condition": ("before.url", changing(asked)),
    "one of many jobs": ("jobs.0.action.url", _many),
    "a job, validated": ("action.url", creating(action, "/v1/jobs/validate")),
    "a condition, validated": ("before.url", creating(asked, "/v1/jobs/validate")),
    "a task": ("tasks.0.job.action.url", lambda it, url: it.api.send("POST", "/v1/dags", dag(url))),
    "a changed task": ("tasks.0.job.action.url", _changed_task),
    "a changed task, validated": ("tasks.0.job.action.url", _checked_task),
}


@pytest.fixture
def inhabited(api: Api) -> Inhabited:
    """Return a tenant with a job and a DAG that call an address outside."""
    made = api.send("POST", "/v1/dags", dag(HOOK))
    return Inhabited(api, api.create()["job_id"], made.body["dag_id"])


def refusals(answer: Answer) -> list[tuple[str, str]]:
    """Each field with its code, wherever the answer says so."""
    body = answer.body
    if "items" in body:
        body = body["items"][0]["error"] or {}
    return [(each["field"], each["code"]) for each in body.get("errors", [])]


@pytest.mark.parametrize("way", WAYS)
def test_an_address_inside_is_refused_wherever_it_is_given(inhabited: Inhabited, way: str) -> None:
    """With its code, one count and one event; nothing is stored."""
    field, send = WAYS[way]
    world = inhabited.api.world
    before = stored(world)
    for name, (url, code) in INSIDE.items():
        counted = world.telemetry.counts["TargetsRefused"]
        answer = send(inhabited, url)

        assert (name, refusals(answer)) == (name, [(field, code)])
        assert world.telemetry.counts["TargetsRefused"] == counted + 1
        told = world.telemetry.named("target_refused")[-1].fields
        assert told == {"tenant_id": "acme", "field": field, "code": code}
    assert stored(world) == before


@pytest.mark.parametrize("way", WAYS)
def test_its_neighbour_outside_is_taken(inhabited: Inhabited, way: str) -> None:
    """Nothing is refused for looking alike."""
    for name, url in OUTSIDE.items():
        answer = WAYS[way][1](inhabited, url)

        assert (name, answer.status < 300, refusals(answer)) == (name, True, [])
    assert inhabited.api.world.telemetry.counts["TargetsRefused"] == 0


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param(
            {"type": "sqs", "queue_url": "https://sqs.eu-west-1.amazonaws.com/111122223333/theirs"},
            "target_not_allowed",
            id="a queue",
        ),
        pytest.param(
            {
                "type": "webhook",
                "url": HOOK,
                "signing_secret": {"ssm_parameter": "/timegate-target/globex/keys"},
            },
            "secret_not_allowed",
            id="another tenant's secret",
        ),
    ],
)
def test_targets_and_secrets_that_are_not_listed_count_as_well(
    api: Api, fields: dict[str, object], code: str
) -> None:
    """A caller that tries names is seen, whatever they are names of."""
    api.send("POST", "/v1/jobs", new_job(action=fields))
    (told,) = api.world.telemetry.named("target_refused")

    assert told.fields["code"] == code
    assert api.world.telemetry.counts["TargetsRefused"] == 1


def test_a_slip_elsewhere_is_no_target_refused(api: Api) -> None:
    """A graph of attempts has none of people's typing in it."""
    api.send("POST", "/v1/jobs", new_job(schedule={"kind": "rate", "every_seconds": 0}))

    assert api.world.telemetry.counts["RequestsRefused"] == 1
    assert api.world.telemetry.counts["TargetsRefused"] == 0
