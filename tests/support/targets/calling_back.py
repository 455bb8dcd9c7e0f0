"""Targets that accept a run, work on by themselves, and call back: a web hook, or a function."""

import json
from typing import Any

from tests.support.api import Answer, Api, gateway_event
from tests.support.pools.worker_requests import BROKE
from timegate.domain.execution.call import Call

WEB_HOOK = {"type": "webhook", "url": "https://hooks.example.com/close", "wait": "callback"}
FUNCTION = {
    "type": "lambda",
    "function_arn": "arn:aws:lambda:us-east-1:111122223333:function:timegate-target-close",
    "invocation": "callback",
}

#: Words about a run, with their required fields.
WORDS: dict[str, dict[str, Any]] = {
    "heartbeat": {},
    "complete": {},
    "fail": {"error": BROKE},
    "release": {},
    "continue": {},
}


def begin(api: Api, **fields: Any) -> Call:  # noqa: ANN401 - as the API takes them
    """The call of a run that its target has accepted."""
    defaults: dict[str, Any] = {"schedule": {"kind": "immediate"}, "action": WEB_HOOK}
    api.create(**(defaults | {"timeout_seconds": 3600} | fields))
    return called(api)


def called(api: Api) -> Call:
    """The call that follows, once everything that is published has run."""
    before = len(api.world.target.calls)
    api.world.settle()
    calls = api.world.target.calls
    assert len(calls) == before + 1
    return calls[-1]


def token_of(call: Call) -> str:
    """Return the token with which the target speaks for its lease."""
    assert call.callback is not None
    return call.callback.token


def say(api: Api, what: str, call: Call, token: str | None = None, **fields: object) -> Answer:
    """Send a target's report on its run, without a token of an issuer."""
    body = {"lease_token": token_of(call) if token is None else token, **fields}
    target = f"/v1/callbacks/{call.attempt.run}/{what}"
    headers = {"Content-Type": "application/json"}
    return api.deliver(gateway_event("POST", target, body=json.dumps(body), headers=headers))


def run_of(api: Api, call: Call) -> dict[str, Any]:
    """The run as it is shown."""
    shown: dict[str, Any] = api.send("GET", f"/v1/runs/{call.attempt.run}").body
    return shown
