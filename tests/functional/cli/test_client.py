"""The client: tokens, repeats, and errors that carry what the API said."""

import httpx
import pytest

from tests.functional.cli.fake_api import FakeApi, ok, refusal
from tests.functional.cli.samples import JOB_ID, job
from timegate.client import (
    NotReachable,
    ProblemError,
    TimegateClient,
)

REPEATS = [0.2, 0.6, 1.8]


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
    api.will(answer, answer, answer, ok({"done": True}))

    assert client.get_job(JOB_ID) == {"done": True}
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
        pytest.param("Sat, 21 Nov 2026 07:00:00 GMT", [0.2], id="date"),
    ],
)
def test_retry_after_is_respected(
    api: FakeApi,
    client: TimegateClient,
    waits: list[float],
    retry_after: str,
    expected: list[float],
) -> None:
    """A pause is at least what the API asks for."""
    api.will(refusal(503, "throttled", **{"Retry-After": retry_after}), ok({}))
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
    """A trigger whose answer is lost may have happened."""
    api.will(httpx.ReadTimeout("slow"))

    with pytest.raises(NotReachable):
        client.trigger_job(JOB_ID)
    assert (len(api.calls), waits) == (1, [])


@pytest.mark.parametrize(
    ("key", "calls"), [pytest.param("k", 2, id="key"), pytest.param(None, 1, id="no-key")]
)
def test_creation_is_repeated_with_an_idempotency_key_only(
    api: FakeApi, client: TimegateClient, key: str | None, calls: int
) -> None:
    """With a key, the second creation is the first one."""
    api.will(refusal(500, "internal_error"), ok(job(), 201))

    if key is None:
        with pytest.raises(ProblemError):
            client.create_job({}, idempotency_key=key)
    else:
        client.create_job({}, idempotency_key=key)
    assert len(api.calls) == calls


def test_a_problem_carries_what_the_api_said(api: FakeApi, client: TimegateClient) -> None:
    """Code, title, detail, field errors, status and request id."""
    errors = [{"field": "name", "code": "missing", "detail": "It is required."}, "odd"]
    body = {"code": "invalid_request", "title": "Bad Request", "detail": "name: It is required."}
    api.will(httpx.Response(400, json={**body, "errors": errors, "request_id": "r-7"}))

    with pytest.raises(ProblemError) as refused:
        client.create_job({})
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
    assert (problem.code, problem.detail, problem.request_id) == ("forbidden", "Forbidden", "g-1")


def test_a_preview_can_be_asked_of_the_api(api: FakeApi, client: TimegateClient) -> None:
    """The one operation the command line does itself."""
    client.preview_schedule({"schedule": {"kind": "immediate"}})

    assert api.asked == ["POST /v1/schedules/preview"]
