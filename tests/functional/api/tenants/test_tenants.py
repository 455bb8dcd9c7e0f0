"""The checked token alone names the tenant of a request."""

from typing import Any

import pytest

from tests.support.api import ADMIN_SCOPES, SCOPES, Api, gateway_event
from tests.support.factories import OTHER_TENANT


@pytest.fixture
def run_id(api: Api) -> str:
    """A run of the first tenant."""
    job_id = api.create()["job_id"]
    run = api.send("POST", f"/v1/jobs/{job_id}/trigger").body
    return str(run["run_id"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/jobs/{job}"),
        ("PATCH", "/v1/jobs/{job}"),
        ("DELETE", "/v1/jobs/{job}"),
        ("POST", "/v1/jobs/{job}/pause"),
        ("POST", "/v1/jobs/{job}/resume"),
        ("POST", "/v1/jobs/{job}/trigger"),
        ("GET", "/v1/jobs/{job}/runs"),
        ("GET", "/v1/runs/{run}"),
        ("POST", "/v1/runs/{run}/cancel"),
        ("GET", "/v1/dead-letters/{run}"),
        ("GET", "/v1/runs/{run}/attempts"),
        ("GET", "/v1/runs/{run}/result"),
        ("GET", "/v1/runs/{run}/logs"),
        ("POST", "/v1/dead-letters/{run}/redrive"),
        ("POST", "/v1/dead-letters/{run}/discard"),
    ],
)
def test_another_tenant_s_job_is_not_there(api: Api, run_id: str, method: str, path: str) -> None:
    """404 with the very words of an id that never existed, and nothing changes."""
    job_id = run_id.partition(".")[0]
    before = dict(api.world.tables.jobs), dict(api.world.tables.attempts)
    body = {"name": "mine now"} if method == "PATCH" else None
    foreign = api.send(method, path.format(job=job_id, run=run_id), body, tenant=OTHER_TENANT)
    unknown = "a" * 26
    unmade = api.send(
        method,
        path.format(job=unknown, run=run_id.replace(job_id, unknown)),
        body,
        tenant=OTHER_TENANT,
    )

    assert foreign.status == 404
    assert foreign.body["detail"].replace(job_id, unknown) == unmade.body["detail"]
    assert (dict(api.world.tables.jobs), dict(api.world.tables.attempts)) == before


def test_a_listing_shows_the_tenant_s_own_jobs(api: Api) -> None:
    """However many others there are."""
    api.create(name="theirs", tenant=OTHER_TENANT)
    api.create(name="ours")
    listed = api.send("GET", "/v1/jobs").body

    assert [job["name"] for job in listed["items"]] == ["ours"]


def test_a_cursor_is_good_only_for_the_listing_it_came_from(api: Api, run_id: str) -> None:
    """Another tenant's, another job's and another kind's are refused."""
    job_id = run_id.partition(".")[0]
    other = api.create()["job_id"]
    jobs = api.send("GET", "/v1/jobs?limit=1").body["next_cursor"]
    runs = api.send("GET", f"/v1/jobs/{job_id}/runs?limit=1").body["next_cursor"]
    strangers = [
        api.send("GET", f"/v1/jobs?cursor={jobs}", tenant=OTHER_TENANT),
        api.send("GET", f"/v1/jobs/{job_id}/runs?cursor={runs}", tenant=OTHER_TENANT),
        api.send("GET", f"/v1/jobs/{other}/runs?cursor={runs}"),
        api.send("GET", f"/v1/jobs?cursor={runs}"),
    ]

    assert [answer.status for answer in strangers] == [400] * 4
    assert [field for answer in strangers for field in answer.fields] == [
        *[("cursor", "invalid_cursor")] * 3,
        # Lists differ in their filters, which is found first.
        ("cursor", "cursor_of_other_filters"),
    ]


@pytest.mark.parametrize("header", ["X_Tenant", "Tenant", "X_Client_Id"])
def test_a_header_does_not_choose_the_tenant(api: Api, header: str) -> None:
    """It is ignored, as any unknown header."""
    job_id = api.create()["job_id"]
    answer = api.send("GET", f"/v1/jobs/{job_id}", tenant=OTHER_TENANT, **{header: "acme"})

    assert answer.status == 404


def test_a_query_does_not_choose_the_tenant(api: Api) -> None:
    """It is refused, as any unknown parameter."""
    answer = api.send("GET", "/v1/jobs?tenant=globex")

    assert (answer.status, answer.fields) == (400, [("tenant", "unknown_field")])


@pytest.mark.parametrize(
    ("claims", "status", "code"),
    [
        pytest.param(None, 401, "unauthenticated", id="no token"),
        pytest.param({}, 401, "unauthenticated", id="no claims"),
        pytest.param({"sub": "x"}, 403, "invalid_tenant", id="no claim of that name"),
        pytest.param({"client_id": ""}, 403, "invalid_tenant", id="empty"),
        pytest.param({"client_id": "a#b"}, 403, "invalid_tenant", id="with a key separator"),
        pytest.param({"client_id": "a/../b"}, 403, "invalid_tenant", id="with a path separator"),
        pytest.param({"client_id": "x" * 129}, 403, "invalid_tenant", id="too long"),
        pytest.param({"client_id": ["acme"]}, 403, "invalid_tenant", id="a list"),
        pytest.param({"Client_Id": "acme"}, 403, "invalid_tenant", id="another case"),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/jobs"), ("POST", "/v1/jobs")])
def test_a_request_without_a_tenant_is_refused_before_it_is_read(
    api: Api, method: str, path: str, claims: dict[str, Any] | None, status: int, code: str
) -> None:
    """Even one that the gateway let through."""
    answer = api.deliver(gateway_event(method, path, body="not JSON", claims=claims))

    assert (answer.status, answer.code) == (status, code)
    assert answer.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"client_id": "acm\u0435"}, id="a letter that looks alike"),
        pytest.param({"client_id": "\uff41cme"}, id="full width"),
        pytest.param({"client_id": "acme\u200b"}, id="with something unseen"),
        pytest.param({"client_id": "acme\n"}, id="with a line break"),
        pytest.param({"client_id": "[acme]"}, id="a list, as the gateway writes it"),
        pytest.param({"client_id": 7}, id="a number"),
        pytest.param({"client_id": None}, id="nothing"),
    ],
)
def test_who_is_named_almost_as_a_tenant_is_none(api: Api, claims: dict[str, object]) -> None:
    """No two tenants look alike, and none is made of what is not one name."""
    told = {"scope": SCOPES, **claims}
    answer = api.deliver(gateway_event("GET", "/v1/jobs", claims=told))

    assert (answer.status, answer.code) == (403, "invalid_tenant")


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"iss": "https://evil.example.com"}, id="of another issuer"),
        pytest.param({"aud": "another API"}, id="for another audience"),
        pytest.param({"exp": "1763708399"}, id="expired"),
        pytest.param({"exp": ""}, id="without an end"),
        pytest.param({"nbf": "4102444799"}, id="not good yet"),
        pytest.param({"token_use": "id"}, id="that says who a person is"),
    ],
)
@pytest.mark.parametrize(
    ("path", "scope"),
    [
        pytest.param("/v1/jobs", SCOPES, id="a tenant's"),
        pytest.param("/v1/tenants", ADMIN_SCOPES, id="the stage's"),
        pytest.param("/v1/pools/p/claim", SCOPES, id="a worker's"),
    ],
)
def test_a_token_that_the_gateway_should_not_have_let_in_is_none(
    api: Api, path: str, scope: str, claims: dict[str, object]
) -> None:
    """Asked twice, an authorizer that is attached wrongly lets no caller in: nothing is read."""
    method = "POST" if path.startswith("/v1/pools") else "GET"
    told = {"client_id": "acme", "scope": scope, **claims}
    answer = api.deliver(gateway_event(method, path, body="not JSON", claims=told))

    assert (answer.status, answer.code) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "evil" not in str(answer.body)


def test_the_tenant_is_a_field_of_every_log_line_about_a_refusal(api: Api) -> None:
    """Support finds a tenant's trouble; metrics know no tenants."""
    api.send("GET", "/v1/jobs?limit=0")
    (event,) = api.world.telemetry.named("request_refused")

    assert event.fields == {
        "tenant_id": "acme",
        "method": "GET",
        "path": "/v1/jobs",
        "status": 400,
        "code": "invalid_request",
        "fields": ["limit:too_small"],
        "trace": None,
    }
