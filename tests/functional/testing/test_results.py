"""Results of declared jobs as a caller gets them: whole, and in the type of the function."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.functional.api.conftest import *  # noqa: F403 - the API behind its gateway
from tests.functional.worker.test_callback import event_of, way_to
from tests.support.api import Api
from tests.support.targets.calling_back import FUNCTION, begin, run_of
from timegate.client import ClientError, FixedToken, Profile, Retries, ServiceFailed, TimegateClient
from timegate.worker import Callback, ShapeMismatch, TriggeredRun
from timegate.worker.declared.shapes import Shape

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="secret"))


def files_beside(api: Api, shown: list[str | None]) -> httpx.MockTransport:
    """Return a way to the API, and to the files that its links lead to."""

    def serve(request: httpx.Request) -> httpx.Response:
        if request.url.host == "api.example.com":
            return httpx.Response(200, json=api.send("GET", request.url.path).body)
        shown.append(request.headers.get("authorization"))
        parts = urlsplit(str(request.url))
        return httpx.Response(200, text=api.world.blobs.get(f"{parts.netloc}{parts.path}"))

    return httpx.MockTransport(serve)


def returned(api: Api, result: object, kind: Any, shown: list[str | None]) -> object:  # noqa: ANN401
    """Return what a caller is given of what a function of this type returned."""
    call = begin(api, action=FUNCTION)
    Callback.of_event(event_of(call)).run(lambda _: result, transport=way_to(api))
    run_id = run_of(api, call)["run_id"]
    with TimegateClient(PROFILE, transport=files_beside(api, shown)) as client:
        run: TriggeredRun[Any] = TriggeredRun(run_id=run_id, client=client, returns=Shape(kind))
        return run.result()


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"rows": 7}, dict[str, int]),
        ("7", str),
        ("7", str | None),
        (None, str | None),
        (None, None),
        ("", str),
        ([7, "x" * 600], list[Any]),
        ({"text": "x" * 600}, Any),
        ("x" * 600, str),
        ("7" * 600, str | None),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_result_comes_back_as_it_was_returned(api: Api, result: object, kind: object) -> None:
    """The record of a run has the first 500 characters; a link leads to the others."""
    shown: list[str | None] = []

    assert returned(api, result, kind, shown) == result
    assert set(shown) <= {None}


@pytest.mark.parametrize("kind", [str, Any, list[str]], ids=repr)
def test_the_beginning_of_a_result_is_none(api: Api, kind: object) -> None:
    """The stage keeps no more of a very large one, and to return that would be wrong."""
    with pytest.raises(ClientError) as refused:
        returned(api, "x" * 300_000, kind, [])
    assert refused.value.code == "result_cut"


def test_a_result_of_another_version_is_refused(api: Api) -> None:
    """The refusal names the place."""
    with pytest.raises(ShapeMismatch, match="rows"):
        returned(api, {"rows": "many"}, dict[str, int], [])


def test_a_link_that_fails_is_an_error_of_the_client(api: Api) -> None:
    """It is asked again before, as the API is."""
    link = "https://files.example.com/result?signature=secret"
    answer = {"result": "[", "link": link}
    asked: list[httpx.URL] = []

    def serve(request: httpx.Request) -> httpx.Response:
        asked.append(request.url)
        if request.url.host == "api.example.com":
            return httpx.Response(200, json=answer)
        return httpx.Response(503, text="<Error/>")

    with TimegateClient(
        PROFILE,
        transport=httpx.MockTransport(serve),
        retries=Retries(max_attempts=2),
        sleep=lambda _: None,
    ) as client:
        run: TriggeredRun[Any] = TriggeredRun(run_id="r", client=client, returns=Shape())
        with pytest.raises(ServiceFailed):
            run.result()
    assert [str(url) for url in asked[1:]] == [link, link]
