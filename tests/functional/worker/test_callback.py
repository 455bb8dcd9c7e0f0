"""A target that has accepted a run: held and ended by the SDK, over the API's own handler."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.functional.api.conftest import *  # noqa: F403 - the API behind its gateway
from tests.support.api import Api, Context, gateway_event
from tests.support.targets.calling_back import FUNCTION, WEB_HOOK, begin, run_of
from timegate.adapters.targets import callbacks, run_context
from timegate.adapters.targets.kinds import webhook
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Call
from timegate.worker import Callback, Continue, PermanentError
from timegate.worker import Context as WorkContext

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "guides" / "callbacks.md").read_text()
API_URL = "https://api.example.com"


def way_to(api: Api) -> httpx.MockTransport:
    """Return a transport that hands a target's requests to the API."""

    def serve(request: httpx.Request) -> httpx.Response:
        event = gateway_event(
            request.method,
            request.url.path,
            body=request.content.decode(),
            headers=dict(request.headers),
        )
        answer = api.handle(event, Context())
        return httpx.Response(answer["statusCode"], content=answer["body"])

    return httpx.MockTransport(serve)


def event_of(call: Call) -> dict[str, Any]:
    """The event of a function."""
    event: dict[str, Any] = json.loads(run_context.envelope(call, api_url=API_URL))
    return event


def request_of(call: Call) -> dict[str, str]:
    """The headers of a request."""
    assert isinstance(call.action, WebhookAction)
    assert call.callback is not None
    told = callbacks.headers(call.callback, callbacks.callback_url(API_URL, call))
    return webhook._headers(call, call.action) | told


@pytest.fixture
def page() -> dict[str, Any]:
    """The names that the page's program defines."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def test_the_pages_function_does_its_work(api: Api, page: dict[str, Any]) -> None:
    """From the last checkpoint on, and its return is the run's result."""
    call = begin(api, action=FUNCTION, payload={"books": "eu"})
    Callback.of_event(event_of(call)).run(page["close"], transport=way_to(api))
    run = run_of(api, call)

    assert run["state"] == "succeeded"
    assert run["attempts"][0]["result"] == '{"regions":10}'
    assert run["checkpoint"]["sequence"] == 10


def test_a_web_hook_works_as_a_function_does(api: Api) -> None:
    """It is told the same in headers."""
    seen: list[WorkContext] = []
    call = begin(api, action=WEB_HOOK, payload={"books": "eu"})
    callback = Callback.of_request(request_of(call), call.payload or "")
    callback.run(seen.append, transport=way_to(api))
    (context,) = seen

    assert run_of(api, call)["state"] == "succeeded"
    assert (context.payload, context.fence, context.attempt) == ({"books": "eu"}, 1, 1)
    assert (context.run_id, context.job_id) == (str(call.attempt.run), call.attempt.run.job_id)
    assert context.deadline_at.isoformat() == "2026-11-21T08:00:00+00:00"


def test_headers_of_a_job_are_not_taken_for_ours(api: Api) -> None:
    """A server gives headers in any order."""
    call = begin(api, action=WEB_HOOK, payload=1)
    own = {"Fence": "high", "Checkpoint": "charlie", "Callback-Url": "https://example.com"}
    task = Callback.of_request(request_of(call) | own, "1").task

    assert (task.fence, task.last_checkpoint) == (1, None)


@pytest.mark.parametrize("action", [WEB_HOOK, FUNCTION], ids=["web hook", "function"])
def test_what_goes_on_begins_at_its_checkpoint(
    api: Api, action: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large one is fetched by its link."""
    long_run = {"max_duration_seconds": 7200}
    checkpoint = {"text": "x" * 2000}
    monkeypatch.setattr(
        httpx,
        "get",
        lambda url, **_: httpx.Response(
            200,
            text=next(text for path, text in api.world.blobs.blobs.items() if path in url),
            request=httpx.Request("GET", url),
        ),
    )
    first = begin(api, action=action, long_run=long_run)
    seen: list[object] = []
    for handler in (lambda _: Continue(checkpoint=checkpoint), seen.append):
        call = api.world.target.calls[-1]
        callback = (
            Callback.of_event(event_of(call))
            if action is FUNCTION
            else Callback.of_request(request_of(call), "{}")
        )
        callback.run(handler, transport=way_to(api))
        api.world.settle()
    (context,) = seen

    assert isinstance(context, WorkContext)
    assert context.last_checkpoint == checkpoint
    assert run_of(api, first)["state"] == "succeeded"


def test_an_error_is_the_runs(api: Api) -> None:
    """With its code, and whether trying again can help."""

    def work(_: WorkContext) -> None:
        raise PermanentError("The books are closed.", code="books_closed")

    call = begin(api, action=FUNCTION)
    Callback.of_event(event_of(call)).run(work, transport=way_to(api))
    run = run_of(api, call)

    assert (run["reason"], run["error"]["code"]) == ("permanent", "books_closed")


def test_an_event_that_comes_too_late_begins_nothing(api: Api) -> None:
    """Its run is another call's by now, or has ended."""
    call = begin(api, action=FUNCTION)
    api.world.clock.advance(90)
    api.world.sweep()
    api.world.settle()
    begun: list[WorkContext] = []
    Callback.of_event(event_of(call)).run(begun.append, transport=way_to(api))

    assert begun == []
    assert run_of(api, call)["state"] == "running"
