"""The API behind the fake one's address, its stores in memory."""

from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest

from api.app import answer, register
from api.http.route import routes_of
from api.http.table import ROUTES
from api.pools import pool_routes
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import API_URL, FakeApi
from tests.support.api import SCOPES, Context, api_services, gateway_event, is_workers
from tests.support.pools.worker_services import worker_services
from tests.support.world import World


@pytest.fixture
def served(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> World:
    """The API behind the fake one's address."""
    world = World()
    services = api_services(world)
    workers = worker_services(world, lease_length=timedelta(seconds=60))
    register(ROUTES)
    register(routes_of(pool_routes))
    passed_on = api._serve

    def serve(request: httpx.Request) -> httpx.Response:
        if not str(request.url).startswith(API_URL):
            return passed_on(request)
        event = gateway_event(
            request.method,
            request.url.raw_path.decode().removeprefix("/stage"),
            body=request.content.decode() or None,
            headers=request.headers,
            claims={"client_id": "acme", "scope": SCOPES},
        )
        asked = workers if is_workers(event) else services
        reply = answer(event, Context(), asked)  # type: ignore[arg-type]
        return httpx.Response(reply["statusCode"], text=reply["body"])

    monkeypatch.setattr(api, "_serve", serve)
    return world


@pytest.fixture
def timegate(
    served: World, api: FakeApi, environ: dict[str, str], request: pytest.FixtureRequest
) -> Callable[..., Outcome]:
    """The command, set up after the API has been put behind the transport."""
    run: Callable[..., Outcome] = request.getfixturevalue("terminal").run
    return run
