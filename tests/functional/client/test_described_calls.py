"""Every operation of the API's description is a method of both clients, and nothing else is."""

import inspect
import json
import re
import typing
from pathlib import Path
from typing import Any

import pytest

from timegate.client import (
    AsyncCallbackClient,
    AsyncTimegateClient,
    CallbackClient,
    TimegateClient,
    schemas,
)
from timegate.client.calling import ApiCall, PageCall
from timegate.client.calls.pool_calls import HeldRunCalls
from timegate.client.operation import ApiOperation, AsyncPages, Listing, Pages
from timegate.client.timegate_client import ApiCalls

DOCUMENT = json.loads(
    Path(__file__).resolve().parents[3].joinpath("docs/reference/openapi.json").read_text()
)
CALLBACKS = "/v1/callbacks/{run_id}/"
HOOKS = "/v1/hooks/"
#: A person opens it in a browser.
LINKS = "/v1/approval"
#: Arguments that the description calls otherwise: Python keeps the names for itself.
RENAMED = {"from": "start", "to": "end", "format": "language"}
SAMPLES: dict[str, Any] = {
    "job_id": "f45yzns2tqd44elwkoh3t4kpiq",
    "version": 7,
    "tag": ["a:b"],
    "unended": True,
    "limit": 3,
    "error": {},
    "lines": [],
    "parameters": {},
}


def described() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every operation, but those that targets call."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        if path != LINKS and not path.startswith((CALLBACKS, HOOKS))
    }


def calls(carrier: type) -> dict[str, ApiOperation[..., Any] | Listing[..., Any, Any]]:
    """Every operation that a class carries."""
    found = {name: getattr(carrier, name) for name in dir(carrier) if name[0] != "_"}
    return {n: each for n, each in found.items() if isinstance(each, ApiOperation | Listing)}


def camel(name: str) -> str:
    """Return the description's spelling of a name."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def call_of(name: str, **others: object) -> ApiCall[Any]:
    """Return the call with each argument's own name, or a sample, as its value."""
    describe = calls(ApiCalls)[name].describe
    parameters = list(inspect.signature(describe).parameters)[1:]
    values = {each: SAMPLES.get(each, each) for each in parameters}
    call: ApiCall[Any] = describe(ApiCalls(), **values | others)
    return call


def answers(operation: dict[str, Any]) -> list[object]:
    """The types of what it answers; a picture is text."""
    if "image/svg+xml" in operation["responses"].get("200", {}).get("content", {}):
        return [str]
    contents = [
        json.dumps(each) for status, each in operation["responses"].items() if status < "300"
    ]
    return [getattr(schemas, re.findall(r"schemas/(\w+)", text)[0]) for text in contents]


def parameters(operation: dict[str, Any], where: str) -> set[str]:
    """The names of its parameters in the query, or the headers."""
    return {each["name"] for each in operation.get("parameters", []) if each["in"] == where}


NAMES = sorted(calls(ApiCalls))


def test_every_operation_is_a_method() -> None:
    """By the name that the description gives it; a new route fails here until it has one."""
    assert {camel(name) for name in NAMES} == set(described())
    assert len(NAMES) > 60


@pytest.mark.parametrize("client", [TimegateClient, AsyncTimegateClient])
def test_both_clients_have_it(client: type) -> None:
    """From the one description."""
    assert sorted(calls(client)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_sends_what_the_description_says(name: str) -> None:
    """Method, path, every filter, and every header."""
    method, path, operation = described()[camel(name)]
    call = call_of(name)
    known = path.replace("{version}", "7").replace("{job_id}", SAMPLES["job_id"])
    expected = known.replace("{", "").replace("}", "")
    headers, asked = set(call.headers), parameters(operation, "header")
    if method == "GET":
        # Methods return what they read, and read it whole.
        asked -= {"If-None-Match"}
    elif "If-None-Match" in asked:
        headers |= set(call_of(name, version=0).headers)

    assert (call.method, call.path) == (method, expected)
    assert set(call.query) == parameters(operation, "query")
    assert headers == asked
    assert (call.body is not None) == ("requestBody" in operation)


@pytest.mark.parametrize("name", NAMES)
def test_its_answer_has_the_type_of_the_description(name: str) -> None:
    """The type checker's promise is the answered type."""
    _, _, operation = described()[camel(name)]
    hints = typing.get_type_hints(calls(ApiCalls)[name].describe)["return"]

    assert typing.get_args(hints)[0] in answers(operation)


@pytest.mark.parametrize("name", NAMES)
def test_what_has_pages_can_be_gone_through(name: str) -> None:
    """Row by row, whose type is that of the page's items; counts are added up by their reader."""
    hints = typing.get_type_hints(calls(ApiCalls)[name].describe)["return"]
    page = typing.get_args(hints)[0]
    fields = typing.get_type_hints(page) if typing.is_typeddict(page) else {}

    has_rows = {"next_cursor", "items"} <= fields.keys()

    assert isinstance(calls(ApiCalls)[name], Listing) == has_rows
    if has_rows:
        assert typing.get_args(hints)[1] == typing.get_args(fields["items"])[0]
        assert typing.get_origin(hints) is PageCall


@pytest.mark.parametrize("client", [CallbackClient, AsyncCallbackClient])
def test_a_target_that_calls_back_can_say_what_a_worker_can(client: type) -> None:
    """Its address is the run's, to which each adds a word."""
    told = {
        path.removeprefix(CALLBACKS) for path in DOCUMENT["paths"] if path.startswith(CALLBACKS)
    }

    assert sorted(calls(client)) == sorted(calls(HeldRunCalls))
    assert {call_of(name).path.rsplit("/", 1)[1] for name in calls(client)} == told


def test_a_key_of_idempotency_comes_by_itself() -> None:
    """Each described key is generated, a new one per call."""
    takers = [
        name
        for name in NAMES
        if "Idempotency-Key" in parameters(described()[camel(name)][2], "header")
    ]
    keys = [
        call_of(name, idempotency_key=None).headers["Idempotency-Key"]
        for name in takers
        for _ in "ab"
    ]

    assert len(takers) >= 8
    assert len(set(keys)) == 2 * len(takers)
    assert all(call_of(name, idempotency_key=None).is_repeatable for name in takers)


def test_only_what_may_happen_twice_is_sent_twice() -> None:
    """Reading, asking what would be, and what has a key."""
    repeatable = {name for name in NAMES if call_of(name).is_repeatable}
    asking = {
        *("preview_job", "preview_schedule", "simulate"),
        # Its source and id are its key.
        "send_events",
        # The same link, which is kept nowhere.
        "create_dag_task_link",
        *("try_event_trigger", "validate_dag", "validate_new_dag", "validate_new_job"),
        *("validate_calendar", "validate_event_trigger", "validate_rule"),
    }

    assert repeatable == {
        name
        for name in NAMES
        if call_of(name).method == "GET"
        or name in asking
        or "Idempotency-Key" in call_of(name).headers
    }


def test_a_type_checker_sees_both(socket_enabled: None) -> None:
    """Checked by mypy, as everything here is; nothing is called."""

    def waiting(client: TimegateClient) -> None:
        typing.assert_type(client.get_job("j"), schemas.Job)
        typing.assert_type(client.list_jobs(limit=3), schemas.JobPage)
        for job in client.list_jobs.iterate(status="active"):
            typing.assert_type(job, schemas.Job)

    async def awaiting(client: AsyncTimegateClient) -> None:
        typing.assert_type(await client.get_job("j"), schemas.Job)
        typing.assert_type(await client.list_jobs(limit=3), schemas.JobPage)
        async for job in client.list_jobs.iterate(status="active"):
            typing.assert_type(job, schemas.Job)

    assert inspect.iscoroutinefunction(awaiting)
    assert not inspect.iscoroutinefunction(waiting)
    assert (Pages.__name__, AsyncPages.__name__) == ("Pages", "AsyncPages")
