"""Reads with ``If-None-Match``: an answer that the caller has is not sent again."""

import pytest

from api.http.conditional import is_known, weak_etag
from api.http.route import Route
from api.http.table import ROUTES
from tests.functional.api.runs.test_failed_runs import fail
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT

PATH = "/v1/jobs"


def test_an_answer_that_the_caller_has_is_304_without_a_body(api: Api) -> None:
    """With the same ETag, and found in the logs like every answer."""
    api.create()
    first = api.send("GET", PATH)
    again = api.send("GET", PATH, If_None_Match=first.headers["etag"])

    assert first.status == 200
    assert first.headers["etag"].startswith('W/"')
    assert (again.status, again.body) == (304, None)
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == "no-store"
    assert "content-type" not in again.headers


def test_an_answer_that_changed_is_sent(api: Api) -> None:
    """With an ETag of its own."""
    first = api.send("GET", PATH)
    api.create()
    again = api.send("GET", PATH, If_None_Match=first.headers["etag"])

    assert again.status == 200
    assert len(again.body["items"]) == 1
    assert again.headers["etag"] != first.headers["etag"]


def test_another_tenants_etag_tells_nothing(api: Api) -> None:
    """It matches where the answers are the same, and the caller has that answer anyhow (S1)."""
    api.create()
    owner = api.send("GET", PATH)
    other = api.send("GET", PATH, tenant=OTHER_TENANT, If_None_Match=owner.headers["etag"])

    assert (other.status, other.body["items"]) == (200, [])


def test_a_version_stays_the_etag_of_what_can_be_changed(api: Api) -> None:
    """``If-Match`` of a change takes it; such an answer is always sent whole."""
    job_id = api.create()["job_id"]
    first = api.send("GET", f"{PATH}/{job_id}")
    again = api.send("GET", f"{PATH}/{job_id}", If_None_Match=first.headers["etag"])

    assert first.headers["etag"] == '"1"'
    assert again.status == 200


def test_a_refusal_has_no_etag(api: Api) -> None:
    """A refusal is no representation."""
    answer = api.send("GET", f"{PATH}/{'a' * 26}/runs", If_None_Match="*")

    assert answer.status == 404
    assert "etag" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/overview", "/v1/decisions"])
def test_what_a_console_polls_is_the_same_within_a_minute(api: Api, path: str) -> None:
    """Nothing in it moves with the clock alone."""
    fail(api)
    tag = api.send("GET", path).headers["etag"]
    api.world.clock.advance(58)
    within = api.send("GET", path, If_None_Match=tag)
    api.world.clock.advance(1)

    assert within.status == 304
    assert api.send("GET", path, If_None_Match=tag).status == 200


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param('W/"a"', True, id="itself"),
        pytest.param('"a"', True, id="strong"),
        pytest.param('"b", W/"a"', True, id="one-of-several"),
        pytest.param("*", True, id="any"),
        pytest.param('W/"b"', False, id="another"),
        pytest.param("a", False, id="unquoted"),
        pytest.param("", False, id="empty"),
        pytest.param(None, False, id="none"),
    ],
)
def test_tags_are_compared_weakly(header: str | None, expected: bool) -> None:
    """RFC 9110 defines this comparison for ``If-None-Match``."""
    assert is_known('W/"a"', header) is expected


def test_a_digest_is_of_the_whole_answer() -> None:
    """One character makes another; the same text the same."""
    assert weak_etag("{}") == weak_etag("{}")
    assert weak_etag("{}") != weak_etag("{ }")
    assert len(weak_etag("")) == len('W/""') + 32


def test_reads_without_a_version_are_conditional() -> None:
    """Every one; nothing that changes anything is."""

    def named(route: Route) -> bool:
        is_page = route.page is not None
        return route.method == "GET" and "ETag" not in route.answer_headers and not is_page

    assert [each.operation for each in ROUTES if each.is_conditional != named(each)] == []
    assert len([each for each in ROUTES if each.is_conditional]) > 30


@pytest.mark.parametrize(("length", "status"), [(8_192, 200), (8_193, 400)])
def test_a_condition_has_a_length(api: Api, length: int, status: int) -> None:
    """One more character than the API reads is refused with the header's name."""
    answer = api.send("GET", "/v1/freezes", If_None_Match="x" * length)

    assert answer.status == status
    assert status == 200 or answer.fields == [("If-None-Match", "invalid_if_none_match")]
