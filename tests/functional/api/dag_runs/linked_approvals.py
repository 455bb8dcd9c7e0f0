"""Approvals that wait, and their links: opened by programs and by browsers."""

import json
from typing import Any
from urllib.parse import urlencode

from tests.functional.api.dag_runs.test_dag_runs import WORK, start
from tests.support.api import Answer, Api, Context, gateway_event
from tests.support.event_triggers.triggering import KEY, secret_of
from tests.support.factories import TENANT

SECRET = {"ssm_parameter": f"/timegate-target/{TENANT}/hook"}
GATE = {"kind": "approval", "seconds": "PT1H", "link_secret": SECRET}
OTHER_KEY = "whsec_NfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA="
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
FORM = "application/x-www-form-urlencoded"


def define(api: Api, name: str = "release", task_name: str = "", **wait: object) -> str:
    """A run of a DAG whose first task waits, with one key for its links; its path."""
    api.world.hook_secrets.texts[TENANT, secret_of(TENANT)] = KEY
    gate = {"key": "gate", "name": task_name, "wait": {**GATE, **wait}}
    own = {
        "name": name,
        "tasks": [gate, {"key": "publish", "job": WORK}],
        "edges": [{"source": "gate", "target": "publish"}],
    }
    dag_id = str(api.send("POST", "/v1/dags", own).body["dag_id"])
    return str(start(api, dag_id).headers["location"])


def link_of(api: Api, path: str, receiver: str | None = "ann") -> str:
    """The address of a new link."""
    body = {} if receiver is None else {"receiver": receiver}
    made = api.send("POST", f"{path}/tasks/gate/approval-link", body)
    assert made.status == 200, made.body
    return str(made.body["path"])


def open_link(api: Api, link: str) -> Answer:
    """Open a link without a token, as a program does."""
    return api.deliver(gateway_event("GET", link))


def decide(api: Api, link: str, decision: str = "approve", **body: str) -> Answer:
    """Decide by a link, as a program does."""
    text = json.dumps({"decision": decision, **body})
    return api.deliver(gateway_event("POST", link, body=text))


def page_of(api: Api, link: str, fields: dict[str, str] | None = None) -> dict[str, Any]:
    """The page that a browser is shown, or is shown once the form is sent."""
    method, body = ("GET", None) if fields is None else ("POST", urlencode(fields))
    headers = {"accept": BROWSER, **({} if body is None else {"content-type": FORM})}
    answered: dict[str, Any] = api.handle(
        gateway_event(method, link, body=body, headers=headers), Context()
    )
    return answered


def headers_of(answered: dict[str, Any]) -> dict[str, str]:
    """Headers of an answer, by lower-case names."""
    return {name.lower(): text for name, text in answered["headers"].items()}


def state_of(api: Api, path: str) -> tuple[str, str | None]:
    """State and reason of the task that waits."""
    task = api.send("GET", path).body["tasks"][0]
    return task["state"], task["reason"]
