"""The client that is awaited does what the other does; its answers come while others wait."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, cast

import httpx
import pytest

from tests.functional.cli.fake_api import API_URL, PROFILE, FakeApi, page, placeholder, refusal
from tests.functional.cli.samples import JOB_ID, job
from timegate.client import (
    AsyncCallbackClient,
    AsyncTimegateClient,
    ClientCredentials,
    FixedToken,
    NotFound,
    NotReachable,
    NotSendable,
    Profile,
    Retries,
    RunNotEnded,
    VersionMismatch,
)
from timegate.client.schemas import NewJob

NEW: NewJob = {
    "name": "report",
    "schedule": {"kind": "immediate"},
    "action": {"type": "webhook", "url": "https://example.com/hook"},
}
Body = Callable[[AsyncTimegateClient], Coroutine[Any, Any, Any]]


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def within(api: FakeApi, waits: list[float]) -> Callable[[Body], Any]:
    """Run a coroutine with a client of the fake API."""
    credentials = ClientCredentials(
        token_url=str(PROFILE["token_url"]), client_id="first", client_secret="s3cret"
    )
    profile = Profile(api_url=API_URL, credentials=credentials)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def run(body: Body) -> Any:  # noqa: ANN401 - whatever the test returns
        async def opened() -> Any:  # noqa: ANN401 - whatever the test returns
            retries = Retries(jitter=lambda: 1.0)
            async with AsyncTimegateClient(
                profile, retries=retries, transport=api.transport, sleep=sleep
            ) as client:
                return await body(client)

        return asyncio.run(opened())

    return run


def test_it_repeats_as_the_other_does(
    api: FakeApi, within: Callable[[Body], Any], waits: list[float]
) -> None:
    """After the same pauses, with the same key."""
    api.will(refusal(503, "throttled"), httpx.ReadTimeout("slow"), placeholder(job(), 201))
    created = within(lambda client: client.create_job(NEW))

    assert created == job()
    assert waits == [0.2, 0.6]
    assert len({call.headers["Idempotency-Key"] for call in api.calls}) == 1


def test_what_may_have_happened_is_not_repeated(
    api: FakeApi, within: Callable[[Body], Any], waits: list[float]
) -> None:
    """A pause whose answer is lost."""
    api.will(httpx.ReadTimeout("slow"))

    with pytest.raises(NotReachable) as lost:
        within(lambda client: client.pause_job(JOB_ID))
    assert (lost.value.may_have_arrived, len(api.calls), waits) == (True, 1, [])


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"payload": object()}, None),
        ({"payload": float("nan")}, None),
        ({"name": "report-\udcff"}, None),
        ({}, "März"),
    ],
    ids=["object", "nan", "half a pair", "key"],
)
def test_what_no_request_can_carry_is_not_sent(
    api: FakeApi, within: Callable[[Body], Any], fields: dict[str, Any], key: str | None
) -> None:
    """It is an error of the client like any other, and nothing of a library's."""
    new = cast("NewJob", {**NEW, **fields})

    with pytest.raises(NotSendable) as refused:
        within(lambda client: client.create_job(new, idempotency_key=key))
    assert refused.value.code == "not_sendable"
    assert api.calls == []


@pytest.mark.parametrize(
    ("status", "error"),
    [pytest.param(404, NotFound, id="404"), pytest.param(412, VersionMismatch, id="412")],
)
def test_a_refusal_has_a_type(
    api: FakeApi, within: Callable[[Body], Any], status: int, error: type[Exception]
) -> None:
    """By its status; its code says more."""
    api.will(refusal(status, "some_code"))

    with pytest.raises(error, match="some_code"):
        within(lambda client: client.update_job(JOB_ID, {"name": "x"}, version=3))
    assert api.calls[0].headers["If-Match"] == '"3"'


FIRST, SECOND = job(name="first"), job(name="second")


def test_every_row_comes_page_by_page(api: FakeApi, within: Callable[[Body], Any]) -> None:
    """The filters go with every page; nothing is asked for before it is needed."""
    api.will(page([FIRST, SECOND], "c-1"), page([]), page([]))

    async def first_two(client: AsyncTimegateClient) -> list[object]:
        rows: list[object] = []
        async for row in client.list_jobs.iterate(status="active", tag=["a:b"]):
            rows.append(row)
            if len(rows) == 2:
                break
        return rows

    async def every(client: AsyncTimegateClient) -> list[object]:
        return [row async for row in client.list_jobs.iterate(status="active", tag=["a:b"])]

    assert within(first_two) == [FIRST, SECOND]
    assert len(api.calls) == 1
    api.will(page([FIRST], "c-1"), page([], "c-2"), page([SECOND]))
    assert within(every) == [FIRST, SECOND]
    assert [dict(call.url.params) for call in api.calls[1:]] == [
        {"status": "active", "tag": "a:b"},
        {"status": "active", "tag": "a:b", "cursor": "c-1"},
        {"status": "active", "tag": "a:b", "cursor": "c-2"},
    ]


def test_of_many_calls_at_once_one_asks_for_the_token(
    api: FakeApi, within: Callable[[Body], Any]
) -> None:
    """Token endpoints are slow, and paid for."""

    async def many(client: AsyncTimegateClient) -> int:
        return len(await asyncio.gather(*(client.get_job(JOB_ID) for _ in range(20))))

    assert within(many) == 20
    assert (len(api.token_calls), set(api.tokens)) == (1, {"token-1"})


def test_a_token_that_expired_is_renewed_once_for_all(
    api: FakeApi, within: Callable[[Body], Any]
) -> None:
    """A request that was refused with the old one takes what another has asked for meanwhile."""

    async def many(client: AsyncTimegateClient) -> None:
        await client.get_job(JOB_ID)
        api.expired.add("token-1")
        await asyncio.gather(*(client.get_job(JOB_ID) for _ in range(5)))

    within(many)
    assert len(api.token_calls) == 2


def test_a_run_is_waited_for(api: FakeApi) -> None:
    """Awaited, until it has ended; the pauses grow."""
    pauses: list[float] = []
    states = ("queued", "running", "failed")
    api.will(*(placeholder({"run_id": "r", "state": state}) for state in states))

    async def sleep(pause: float) -> None:
        pauses.append(pause)

    async def wait() -> str:
        profile = Profile(api_url=API_URL, credentials=FixedToken(token="mine"))
        async with AsyncTimegateClient(profile, transport=api.transport, sleep=sleep) as client:
            return (await client.wait_for_run("r"))["state"]

    assert asyncio.run(wait()) == "failed"
    assert pauses == [0.5, 0.65]


def test_a_fixed_token_is_shown_as_it_is(api: FakeApi) -> None:
    """The other client shows it alike."""

    async def ask() -> None:
        profile = Profile(api_url=API_URL, credentials=FixedToken(token="mine"))
        async with AsyncTimegateClient(profile, transport=api.transport) as client:
            await client.get_run("r")

    asyncio.run(ask())

    assert (api.tokens, api.token_calls) == (["mine"], [])


def test_a_target_can_call_back_without_blocking() -> None:
    """To the address that it was told, with nothing but its lease token."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return placeholder({"recorded": True})

    async def tell() -> None:
        transport = httpx.MockTransport(answer)
        async with AsyncCallbackClient("https://a.b/v1/callbacks/r", transport=transport) as client:
            await client.complete_run("r", lease_token="t", result=1)

    asyncio.run(tell())

    assert [str(request.url) for request in asked] == ["https://a.b/v1/callbacks/r/complete"]
    assert "Authorization" not in asked[0].headers


def test_a_wait_counts_looks_that_take_long(
    api: FakeApi, within: Callable[[Body], Any], waits: list[float]
) -> None:
    """The time is up by the clock, however few the looks were."""
    seconds = iter(range(0, 1000, 25))

    async def wait(client: AsyncTimegateClient) -> None:
        client.sender = replace(client.sender, clock=lambda: float(next(seconds)))
        await client.wait_for_run("r", timeout_seconds=60)

    api.will(placeholder({"state": "running"}))
    with pytest.raises(RunNotEnded):
        within(wait)
    assert len(waits) < 3


def test_a_client_goes_on_in_another_loop(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """``asyncio.run`` makes a loop each time, as for each call of a function; the token stays."""
    opened: list[object] = []

    class Connections(httpx.AsyncBaseTransport):
        """Connections of one loop, as the library's are."""

        def __init__(self, **_: object) -> None:
            self.loop: object = None
            opened.append(self)

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            running = asyncio.get_running_loop()
            self.loop = self.loop or running
            if self.loop is not running:
                raise RuntimeError("Event loop is closed")
            await asyncio.sleep(0)
            answer: httpx.Response = await api.transport.handle_async_request(request)
            return answer

    monkeypatch.setattr("httpx._client.AsyncHTTPTransport", Connections)
    credentials = ClientCredentials(
        token_url=str(PROFILE["token_url"]), client_id="first", client_secret="s3cret"
    )
    client = AsyncTimegateClient(Profile(api_url=API_URL, credentials=credentials))

    async def reads(*answers: httpx.Response) -> None:
        api.will(*answers)
        await asyncio.gather(*(client.get_job(JOB_ID) for _ in range(3)))

    fine, refused = placeholder(job()), refusal(401, "unauthorized")
    for answers in ([fine] * 3, [fine] * 3, [refused] * 3 + [fine] * 3):
        asyncio.run(reads(*answers))

    assert api.tokens == ["token-1"] * 9 + ["token-2"] * 3
    assert len(opened) == 3
