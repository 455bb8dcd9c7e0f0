"""A request in another form than described is refused, with an id that the logs contain."""

import pytest

from tests.support.api import Api

JOBS = "/v1/jobs"


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
def test_a_method_that_a_path_does_not_take_is_refused(api: Api, method: str) -> None:
    """With those that it takes. Pages of other origins are answered by the gateway."""
    answer = api.send(method, JOBS)

    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "POST"}
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v2/jobs", "/v1/job", "/v1//jobs", "/V1/jobs", "/v1/jobs/"]
)
def test_what_is_at_no_path_is_not_found(api: Api, path: str) -> None:
    """Nothing is guessed."""
    answer = api.send("GET", path)

    assert (answer.status, answer.code) == (404, "route_not_found")


@pytest.mark.parametrize("accept", ["text/html", "application/xml;q=1", "", "*/*", "nonsense"])
def test_whatever_a_caller_would_rather_read_it_is_json(api: Api, accept: str) -> None:
    """Every answer is JSON; ``Accept`` is no reason to refuse."""
    answer = api.send("GET", JOBS, Accept=accept)

    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        pytest.param("colour=red", "colour", "unknown_field", id="unknown"),
        pytest.param("limit=1&limit=2", "limit", "repeated", id="repeated"),
        pytest.param("LIMIT=1", "LIMIT", "unknown_field", id="capitals"),
        pytest.param("limit", "limit", "wrong_type", id="empty"),
    ],
)
def test_a_parameter_that_would_be_ignored_is_refused(
    api: Api, query: str, field: str, code: str
) -> None:
    """Its caller relied on it."""
    assert api.send("GET", f"{JOBS}?{query}").fields == [(field, code)]
