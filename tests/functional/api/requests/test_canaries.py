"""One canary for each kind of secret, planted by every way in: none is found in what is kept.

The target is a real HTTP server that says everything it hears, and every credential it knows of.
"""

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import moved, start
from tests.support.api import RULES, Api, HeardTelemetry, new_job
from tests.support.pools import worker_requests as working
from tests.support.targets import calling_back
from tests.support.values.credentials import MARKS, PLANTED
from tests.support.values.signing import OLD_KEY, SIGNING_KEY
from tests.support.world import World
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, local_target, reply
from tests.unit.adapters.targets.web_hooks.web_senders import ANY_PORT, knowing, private_rules
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.target import MemoryTarget
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.signatures import signatures_in
from timegate.domain.execution.call import Answer, Call

HOST = "echo.example.com"
#: Nothing gives them away but that they were read from where secrets are kept.
SECRETS = {
    "timegate-target/acme/crm": "all quiet on the western front",
    "timegate-target/acme/keys": f"{SIGNING_KEY}\n{OLD_KEY}",
}
CRM, KEYS = ({"ssm_parameter": f"/{name}"} for name in SECRETS)
TEXTS = [text for texts in PLANTED.values() for text in texts]


class Echo(MemoryTarget):
    """Calls the server, over HTTP, as executors do."""

    def __init__(self) -> None:
        super().__init__()
        self.sender: WebhookTarget | None = None

    def invoke(self, call: Call) -> Answer:
        """Remember, and call."""
        super().invoke(call)
        assert self.sender is not None
        return self.sender.invoke(call, call.action)  # type: ignore[arg-type]


@dataclass
class Aviary:
    """A server that sings, and what it heard."""

    target: LocalTarget
    signatures: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def url(self, status: int) -> str:
        """Return the address that answers with this status."""
        return self.target.url(f"/{status}", host=HOST)

    def sing(self, exchange: BaseHTTPRequestHandler) -> None:
        """Say everything: what was heard first, as it is the answer's beginning that is kept."""
        heard = dict(exchange.headers.items())
        signatures = signatures_in(heard.get("webhook-signature", ""))
        self.signatures += signatures
        self.tokens += [heard[name] for name in heard if name == "Timegate-Callback-Token"]
        proofs = [heard[name] for name in ("X-Crm", "Timegate-Callback-Token") if name in heard]
        song = {"proofs": [*proofs, *signatures], "heard": heard, "known": TEXTS}
        reply(int(exchange.path[1:4]), json.dumps(song).encode())(exchange)

    @property
    def canaries(self) -> list[str]:
        """Return the texts that must be found nowhere."""
        words = [*SECRETS.values(), *(key.removeprefix("whsec_") for key in (SIGNING_KEY, OLD_KEY))]
        return [*words, *self.signatures, *self.tokens, *MARKS]


@pytest.fixture
def world() -> World:
    """Its target is a real one."""
    return World(telemetry=HeardTelemetry(), target=Echo())


@pytest.fixture(autouse=True)
def private_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its operator lets the server be reached, in a network of its own."""
    rules = replace(RULES, private_hosts=(HOST,), allowed_ports=ANY_PORT)
    monkeypatch.setattr("tests.support.api.RULES", rules)


@pytest.fixture
def aviary(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Aviary]:
    """At a name outside, which leads here."""
    real = socket.getaddrinfo

    def resolve(host: str, *args: int, **kwargs: int) -> object:
        return real("127.0.0.1" if host == HOST else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    sender = WebhookTarget(
        MemoryClock(world.now),
        knowing(**SECRETS),
        private_rules(HOST),
        api_url="https://api.example.com",
    )
    assert isinstance(world.target, Echo)
    world.target.sender = sender
    with local_target() as target:
        aviary = Aviary(target)
        target.script = aviary.sing
        yield aviary
        sender.close()


def hook(url: str, **fields: object) -> dict[str, object]:
    """A web hook that is sent with every kind of proof."""
    own = {"secret_headers": {"X-Crm": CRM}, "signing_secret": KEYS}
    return {"type": "webhook", "url": url, **own, **fields}


def once(**fields: object) -> dict[str, Any]:
    """A job that runs now, once, and is not tried again."""
    return new_job(schedule={"kind": "immediate"}, retry={"max_attempts": 1}, **fields)


def found(aviary: Aviary, *texts: str) -> list[str]:
    """The canaries in texts."""
    return [each for each in aviary.canaries if any(each in text for text in texts)]


def everything(api: Api) -> str:
    """All that is kept, sent and told."""
    world = api.world
    kept = (vars(world.tables), vars(world.blobs), world.publisher.sent, vars(world.logs))
    return repr((kept, vars(world.telemetry)))


def run(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    """The run of a new job, once everything that is due has happened."""
    job_id = api.create(**body)["job_id"]
    for _ in range(3):
        api.world.stream()
        api.world.settle()
    (shown,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    read: dict[str, Any] = api.send("GET", f"/v1/runs/{shown['run_id']}").body
    return read


@pytest.mark.parametrize(
    ("status", "state"), [(200, "succeeded"), (400, "failed"), (503, "dead_lettered")]
)
def test_no_answer_of_a_target_is_kept_with_one(
    api: Api, aviary: Aviary, capfd: pytest.CaptureFixture[str], status: int, state: str
) -> None:
    """Results, errors, dead letters and notifications hold no secret of the call."""
    on = ["succeeded", "failed", "dead_lettered"]
    told = {"url": aviary.url(400), "on": on, "signing_secret": KEYS}
    shown = run(api, once(action=hook(aviary.url(status)), notifications=[told]))
    letters = api.send("GET", "/v1/dead-letters").body
    said = "".join(capfd.readouterr())

    assert shown["state"] == state
    assert len(aviary.signatures) == 4
    assert "[redacted]" in json.dumps(shown)
    assert found(aviary, json.dumps([shown, letters]), everything(api), said) == []


def test_no_answer_to_a_question_is_kept_with_one(
    api: Api, aviary: Aviary, capfd: pytest.CaptureFixture[str]
) -> None:
    """The record of a run that begins, or does not, holds no secret."""
    question = {"type": "http", "url": aviary.url(400), "signing_secret": KEYS}
    api.create(**once(action=hook(aviary.url(200)), before=question))
    api.world.settle()
    said = "".join(capfd.readouterr())

    assert len(aviary.signatures) == 2
    assert found(aviary, everything(api), said) == []


def test_nothing_that_is_said_by_callback_is_kept_with_one(
    api: Api, aviary: Aviary, capfd: pytest.CaptureFixture[str]
) -> None:
    """The token of its lease among them: a reader of a result could speak for the run."""
    action = hook(aviary.url(202), wait="callback")
    for word in ("complete", "fail"):
        call = calling_back.begin(api, action=action, retry={"max_attempts": 1})
        token = calling_back.token_of(call)
        sung = {"token": token, "known": TEXTS}
        lines = [{"text": f"got {each}"[:1000]} for each in (token, *TEXTS)]
        calling_back.say(api, "logs", call, sequence=1, lines=lines)
        progress = {"percent": 1, "message": f"with {token}"}
        calling_back.say(api, "heartbeat", call, progress=progress)
        error = {"code": "lost", "type": token[:128], "message": json.dumps(sung)[:900]}
        body = {"result": sung} if word == "complete" else {"error": error, "retryable": False}
        ended = calling_back.say(api, word, call, **body)

        assert ended.status == 200, ended.body
    said = "".join(capfd.readouterr())

    assert len(aviary.tokens) == 2
    assert found(aviary, everything(api), said) == []


def test_nothing_that_a_worker_says_is_kept_with_one(
    api: Api, aviary: Aviary, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor the token of its lease."""
    for word in ("complete", "fail"):
        working.offer(api, retry={"max_attempts": 1})
        (held,) = working.claim(api)
        token = held["lease_token"]
        aviary.tokens.append(token)
        sung = {"token": token, "known": TEXTS}
        lines = [{"text": f"got {each}"[:1000]} for each in (token, *TEXTS)]
        working.say(api, "logs", held, sequence=1, lines=lines)
        error = {"code": "lost", "type": token[:128], "message": json.dumps(sung)[:900]}
        body = {"result": sung} if word == "complete" else {"error": error, "retryable": False}
        ended = working.say(api, word, held, **body)

        assert ended.status == 200, ended.body
    said = "".join(capfd.readouterr())

    assert found(aviary, everything(api), said) == []


def test_no_result_of_a_task_hands_one_on(
    api: Api, aviary: Aviary, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither to what reads the DAG run, nor to the task that is given the result."""
    passed = {"$ref": "tasks.first.result"}
    body = {
        "name": "songs",
        "tasks": [
            {"key": "first", "job": {"action": hook(aviary.url(200))}},
            {"key": "second", "job": {"action": hook(aviary.url(400))}, "input": passed},
        ],
        "edges": [{"source": "first", "target": "second"}],
    }
    dag_id = api.send("POST", "/v1/dags", body).body["dag_id"]
    started = start(api, dag_id)
    dag_world, _ = moved(api, started.body["dag_run_id"])
    while waiting := dag_world.waiting():
        api.world.settle()
        ids = {each.id for each in waiting}
        dag_world.hear(*(each for each in api.world.attempts() if each.id in ids))
    shown = api.send("GET", started.headers["location"]).body
    heard = "".join(request.body for request in aviary.target.requests)
    said = "".join(capfd.readouterr())

    assert [task["state"] for task in shown["tasks"]] == ["succeeded", "failed"]
    assert "[redacted]" in heard
    assert found(aviary, json.dumps(shown), heard, everything(api), said) == []
