"""The client: tokens, repeats, and errors that carry what the API said."""

import json

import httpx
import pytest

from tests.functional.cli.fake_api import API_URL, FakeApi, placeholder, refusal
from tests.functional.cli.samples import JOB_ID, job
from timegate.client import (
    FixedToken,
    NotReachable,
    NotUnderstood,
    ProblemError,
    Profile,
    TimegateClient,
)
from timegate.client.schemas import NewJob

REPEATS = [0.2, 0.6, 1.8]
NEW: NewJob = {
    "name": "report",
    "schedule": {"kind": "immediate"},
    "action": {"type": "webhook", "url": "https://example.com/hook"},
}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(refusal(429, "too_many_requests"), id="429"),
        pytest.param(refusal(500, "internal_error"), id="500"),
        pytest.param(httpx.Response(503, text="busy"), id="503"),
        pytest.param(httpx.ConnectError("refused"), id="unreachable"),
    ],
)
def test_reading_is_repeated_while_the_api_is_busy_or_away(
    api: FakeApi, client: TimegateClient, waits: list[float], answer: httpx.Response | Exception
) -> None:
    """Each time after a longer pause."""
    api.will(answer, answer, answer, placeholder(job()))

    assert client.get_job(JOB_ID) == job()
    assert waits == REPEATS


def test_reading_is_not_repeated_for_ever(
    api: FakeApi, client: TimegateClient, waits: list[float]
) -> None:
    """The fourth answer counts."""
    api.will(refusal(503, "throttled"))

    with pytest.raises(ProblemError) as refused:
        client.get_job(JOB_ID)
    assert (refused.value.code, waits, len(api.calls)) == ("throttled", REPEATS, 4)


@pytest.mark.parametrize(
    ("retry_after", "expected"),
    [
        pytest.param("0", [0.2], id="less-than-the-pause"),
        pytest.param("7", [7.0], id="longer"),
        pytest.param("30", [30.0], id="most"),
        pytest.param("Sat, 21 Nov 2026 07:00:09 GMT", [9.0], id="date"),
        pytest.param("Sat, 21 Nov 2026 06:59:59 GMT", [0.2], id="date-gone-by"),
        pytest.param("soon", [0.2], id="no-date"),
    ],
)
def test_retry_after_is_respected(
    api: FakeApi,
    client: TimegateClient,
    waits: list[float],
    retry_after: str,
    expected: list[float],
) -> None:
    """A pause is at least what the API asks for; a date counts by the clock of its sender."""
    headers = {"Retry-After": retry_after, "Date": "Sat, 21 Nov 2026 07:00:00 GMT"}
    api.will(refusal(503, "throttled", **headers), placeholder({}))
    client.get_job(JOB_ID)

    assert waits == expected


def test_who_asks_for_more_than_half_a_minute_is_not_waited_for(
    api: FakeApi, client: TimegateClient, waits: list[float]
) -> None:
    """The caller learns at once, and how long it would have been."""
    api.will(refusal(429, "too_many_requests", **{"Retry-After": "31"}))

    with pytest.raises(ProblemError) as refused:
        client.get_job(JOB_ID)
    assert (refused.value.retry_after_seconds, waits) == (31.0, [])


@pytest.mark.parametrize("status", [400, 404, 409])
def test_a_refusal_is_final(
    api: FakeApi, client: TimegateClient, waits: list[float], status: int
) -> None:
    """Asking again would be refused again."""
    api.will(refusal(status, "no"))

    with pytest.raises(ProblemError):
        client.get_job(JOB_ID)
    assert waits == []


def test_what_changes_something_is_not_repeated(
    api: FakeApi, client: TimegateClient, waits: list[float]
) -> None:
    """A pause whose answer is lost may have happened."""
    api.will(httpx.ReadTimeout("slow"))

    with pytest.raises(NotReachable):
        client.pause_job(JOB_ID)
    assert (len(api.calls), waits) == (1, [])


@pytest.mark.parametrize("key", [pytest.param("k", id="named"), pytest.param(None, id="own")])
def test_creation_is_repeated_with_the_same_key(
    api: FakeApi, client: TimegateClient, key: str | None
) -> None:
    """So that the second creation is the first one; every call has a key of its own."""
    api.will(httpx.ReadTimeout("slow"), refusal(500, "internal_error"), placeholder(job(), 201))
    client.create_job(NEW, idempotency_key=key)
    client.create_job(NEW, idempotency_key=key)
    keys = [call.headers["Idempotency-Key"] for call in api.calls]

    assert (len(set(keys[:3])), len(set(keys))) == (1, 2 if key is None else 1)
    assert key in {None, keys[0]}


def test_a_trigger_whose_answer_is_lost_is_repeated_with_its_key(
    api: FakeApi, client: TimegateClient
) -> None:
    """The API takes both requests for one, so that one run comes of them."""
    api.will(httpx.ReadTimeout("slow"), placeholder({"run_id": "r"}))
    client.trigger_job(JOB_ID, {"payload_patch": {"page": 2}})
    sent = [(call.headers["Idempotency-Key"], call.content) for call in api.calls]

    assert sent == [sent[0]] * 2
    assert json.loads(sent[0][1]) == {"payload_patch": {"page": 2}}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(httpx.ConnectError("refused"), id="refused"),
        pytest.param(httpx.ConnectTimeout("slow"), id="no-connection"),
        pytest.param(refusal(429, "too_many_requests"), id="429"),
    ],
)
def test_what_was_not_carried_out_is_sent_again_whatever_it_does(
    api: FakeApi, client: TimegateClient, answer: httpx.Response | Exception
) -> None:
    """It never left this machine, or was turned away at the door."""
    api.will(answer, placeholder({"job_id": JOB_ID}))
    client.pause_job(JOB_ID)

    assert len(api.calls) == 2


def test_a_problem_carries_what_the_api_said(api: FakeApi, client: TimegateClient) -> None:
    """Code, title, detail, field errors, status and request id."""
    errors = [{"field": "name", "code": "missing", "detail": "It is required."}, "odd"]
    body = {"code": "invalid_request", "title": "Bad Request", "detail": "name: It is required."}
    api.will(httpx.Response(400, json={**body, "errors": errors, "request_id": "r-7"}))

    with pytest.raises(ProblemError) as refused:
        client.create_job(NEW)
    problem = refused.value
    assert (problem.status, problem.code, problem.title) == (400, "invalid_request", "Bad Request")
    assert (problem.detail, problem.request_id) == ("name: It is required.", "r-7")
    assert [(e.field, e.code, e.detail) for e in problem.errors] == [
        ("name", "missing", "It is required.")
    ]


def test_a_gateways_answer_is_a_problem_too(api: FakeApi, client: TimegateClient) -> None:
    """It says little; its request id is in a header."""
    headers = {"apigw-requestid": "g-1"}
    api.will(httpx.Response(403, json={"message": "Forbidden"}, headers=headers))

    with pytest.raises(ProblemError) as refused:
        client.get_job(JOB_ID)
    problem = refused.value
    assert (problem.code, problem.request_id) == ("forbidden", "g-1")
    assert problem.detail == "Forbidden: this takes a token with the scope timegate/read."


def test_a_preview_can_be_asked_of_the_api(api: FakeApi, client: TimegateClient) -> None:
    """The one operation the command line does itself."""
    client.preview_schedule({"schedule": {"kind": "immediate"}})

    assert api.asked == ["POST /v1/schedules/preview"]


def test_a_page_that_follows_itself_is_not_a_stages() -> None:
    """A cache that leaves the query alone answers so: pages never ended."""

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"items": [job()], "next_cursor": "second"})

    profile = Profile(api_url=API_URL, credentials=FixedToken(token="t"))
    with TimegateClient(profile, transport=httpx.MockTransport(answer)) as client:
        rows = client.list_jobs.iterate()
        first = next(rows)
        with pytest.raises(NotUnderstood, match="follows itself"):
            next(rows)

    assert first == job()
