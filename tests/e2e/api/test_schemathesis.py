"""Requests that schemathesis makes of the description, to the deployed stack, with tokens or none.

Behind the same gateway, functions and rights as any caller's. Many more go to the functions alone
(``tests/functional/api/description/test_schemathesis.py``); these show that the way there
changes nothing.
"""

import base64
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import requests
from schemathesis import Case, GenerationMode

from api.http.route import Route, Scope
from api.http.table import ROUTES
from infra.local.access import api_url
from infra.local.cloud import ANSWER_SECONDS
from tests.support.deployed.stack import Stack
from tests.support.documents.generated_requests import MODES, cases, validate

pytestmark = pytest.mark.wide

#: Cases of each operation and mode.
COUNT = 20 if os.environ.get("TIMEGATE_SCHEMATHESIS") == "all" else 1
#: So many are under way at once.
AT_ONCE = 4


@dataclass(frozen=True)
class Asker:
    """A caller with tokens, or without."""

    base: str
    session: requests.Session
    #: Credential for each kind of route; ``None``: none.
    own: str | None
    administration: str | None

    def ask(self, route: Route, case: Case[Any]) -> int:
        """Send it; whatever is answered is as described. Its status."""
        token = self.administration if route.of_stage else self.own
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        response = case.call(
            base_url=self.base, session=self.session, headers=headers, timeout=ANSWER_SECONDS
        )
        validate(case, response)
        return response.status_code


def token_of(client: httpx.Client) -> str:
    """Return a client's token."""
    return str(client.headers["authorization"]).removeprefix("Bearer ")


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """Connections that are kept."""
    with requests.Session() as opened:
        yield opened


def bare(stack: Stack, session: requests.Session) -> Asker:
    """A caller that knows the address alone."""
    base = api_url(stack.cloud, stack.outputs)
    return Asker(base=base, session=session, own=None, administration=None)


def altered(token: str, **claims: object) -> str:
    """A token that says something else, under the signature of what it said."""
    header, said, signature = token.split(".")
    read = json.loads(base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)))
    changed = base64.urlsafe_b64encode(json.dumps({**read, **claims}).encode())
    return f"{header}.{changed.rstrip(b'=').decode()}.{signature}"


@pytest.fixture
def quiet(stack: Stack) -> Iterator[httpx.Client]:
    """The second tenant, of whom nothing starts meanwhile, and nothing is left in the end."""
    tenant, until = stack.other_api, datetime.now(UTC) + timedelta(days=1)
    frozen = tenant.post(
        "/v1/freezes",
        json={"scope": {"kind": "tenant"}, "ends_at": until.isoformat(), "thaw": "skip"},
    )
    assert frozen.status_code == 201, frozen.text
    yield tenant
    for job in tenant.get("/v1/jobs", params={"status": "active", "limit": 100}).json()["items"]:
        tenant.delete(f"/v1/jobs/{job['job_id']}")
    for freeze in tenant.get("/v1/freezes", params={"unended": "true"}).json()["items"]:
        tenant.delete(f"/v1/freezes/{freeze['freeze_id']}")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_the_stack_answers_as_described(
    stack: Stack, quiet: httpx.Client, session: requests.Session, mode: GenerationMode
) -> None:
    """By tokens that allow everything, by one that allows too little, and by none."""
    everything = replace(
        bare(stack, session), own=token_of(quiet), administration=token_of(stack.admin)
    )
    reading = token_of(stack.client_of("second", ["timegate/read"]))
    askers = {
        "all": everything,
        "read": replace(everything, own=reading, administration=reading),
        "none": bare(stack, session),
    }
    told: dict[str, list[tuple[Route, int]]] = {name: [] for name in askers}
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for route, case in ((r, case) for r in ROUTES for case in cases(r.operation, mode, COUNT)):
            answers = {name: threads.submit(each.ask, route, case) for name, each in askers.items()}
            for name, answer in answers.items():
                told[name].append((route, answer.result()))

    if mode is GenerationMode.POSITIVE:
        assert {route.operation for route, _ in told["all"]} == {r.operation for r in ROUTES}
    assert not [
        route.operation
        for route, status in told["all"]
        if status in {401, 403} and not route.asks_no_token
    ]
    for route, status in told["none"]:
        assert status == 401 or route.asks_no_token, route.operation
    for route, status in told["read"]:
        assert status == 403 or route.asks_no_token or route.scope is Scope.READ, route.operation


def test_tokens_that_are_none_of_the_issuers_open_nothing(
    stack: Stack, session: requests.Session
) -> None:
    """A token of another issuer, or an expired one, fails a request of each kind of scope."""
    good = token_of(stack.other_api)
    kinds = {(route.scope, route.method): route for route in ROUTES if not route.asks_no_token}
    for token in (altered(good, iss="https://issuer.example.com"), altered(good, exp=1)):
        asker = replace(bare(stack, session), own=token, administration=token)
        for route in kinds.values():
            (case,) = cases(route.operation, GenerationMode.POSITIVE, 1)

            assert asker.ask(route, case) == 401
