"""Requests of tenants, and everything that can be learnt from their answers."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import pytest
from botocore.config import Config

from api.http.conditional import weak_etag
from api.http.route import Route
from tests.support.api import SCOPES, Answer, Api, Event, api_services, gateway_event, is_workers
from tests.support.documents.sample_requests import sample_of
from tests.support.event_triggers.triggering import key_of, signed
from tests.support.factories import after
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.memory_rates import memory_rates
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.sample_tenant import Inhabitant
from tests.support.world import World
from timegate.domain.approvals.link import ApprovalLink
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.usecases.services.request_rates import RequestRates


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """All that a caller learns from an answer; its time follows from the calls."""

    status: int
    headers: Mapping[str, str]
    body: Any
    calls: Counter[str]


@dataclass(frozen=True)
class Ask:
    """A way to ask as any tenant."""

    api: Api = field(repr=False)

    @property
    def world(self) -> TabledWorld:
        """Return the world in which calls are counted."""
        assert isinstance(self.api.world, TabledWorld)
        return self.api.world

    def __call__(
        self,
        tenant: str,
        route: Route,
        path: str,
        body: object = None,
        *,
        query: str = "",
        **headers: str,
    ) -> Answer:
        """Send a request, by the token of a tenant, or by that of a lease."""
        return self.api.deliver(event_for(tenant, route, path, body, query=query, **headers))

    def learn(
        self,
        tenant: str,
        route: Route,
        path: str,
        body: object = None,
        *,
        words: Mapping[str, str],
        query: str = "",
    ) -> Learnt:
        """The same; whatever the caller said himself is left out of what he is answered."""
        with self.world.counted() as calls:
            answer = self(tenant, route, path, body, query=query)
        heard = json.dumps([without_digest(answer), answer.body])
        for word, name in words.items():
            heard = heard.replace(word, f"<{name}>")
        headers, told = json.loads(heard)
        return Learnt(status=answer.status, headers=headers, body=told, calls=Counter(calls))


def without_digest(answer: Answer) -> dict[str, str]:
    """Return the headers of an answer, but for an ETag that its body alone decides."""
    text = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":"))
    return {
        name: value
        for name, value in answer.headers.items()
        if (name, value) != ("etag", weak_etag(text))
    }


@contextmanager
def asking_inside(handler: ModuleType, workers_handler: ModuleType) -> Iterator["Ask"]:
    """Ask the functions on the real adapters, in a world of tables."""
    with closing(client_inside(Config())) as client, pytest.MonkeyPatch.context() as patch:
        for module in (handler, workers_handler):
            patch.setattr(module, "services", module.services)
        yield asking(handler, workers_handler, TabledWorld(client))


def asking(handler: ModuleType, workers_handler: ModuleType, world: World) -> Ask:
    """The functions as they are deployed, at work on this world."""
    # A process takes requests of a tenant's rate some at a time: whether one costs a call says how
    # many that tenant has made, and nothing of any other tenant.
    services = replace(api_services(world), request_rates=RequestRates(memory_rates()))

    def handle(event: Event, context: object) -> dict[str, Any]:
        serving: Any = workers_handler if is_workers(event) else handler
        serving.services = world.working if is_workers(event) else services
        answered: dict[str, Any] = serving.handle(event, context)
        return answered

    return Ask(Api(handle, world))


def event_for(
    tenant: str,
    route: Route,
    path: str,
    body: object = None,
    *,
    query: str = "",
    **headers: str,
) -> Event:
    """A request of a tenant, or of a holder of a lease, as the gateway hands it on."""
    sent = dict(sample_of(route).headers) if body is not None else {}
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    claims = {"client_id": tenant, "scope": SCOPES}
    return gateway_event(
        route.method,
        f"{path}?{query}",
        body=text,
        headers=sent | {name.replace("_", "-"): text for name, text in headers.items()},
        claims=None if route.asks_no_token else claims,
    )


def headers_for(route: Route, owner: Inhabitant) -> Mapping[str, str]:
    """The headers that prove a body of the owner's, where nothing else does."""
    if not route.by_signature:
        return {}
    text = json.dumps(body_for(route, owner))
    return signed(text, key=key_of(owner.tenant))


def query_for(route: Route, owner: Inhabitant) -> str:
    """The sample's parameters; of a link the owner's own, where nothing else proves a request."""
    if not route.by_link:
        return sample_of(route).query
    link = ApprovalLink(
        tenant=owner.tenant,
        # The one that waits for an approval.
        dag_run_id=DagRunId(owner.ids["dag_run_id"][2]),
        task=TaskKey("first"),
        round=1,
        until=after(3600),
        receiver="ann",
    )
    return f"link={link.signed(key_of(owner.tenant))}"


def body_for(route: Route, owner: Inhabitant) -> Any:  # noqa: ANN401 - JSON, or text
    """The sample's body, with a token of the owner's where it asks for one."""
    body = sample_of(route).body
    if isinstance(body, dict) and "starts" in body:
        return {**body, "starts": {**body["starts"], "job_id": owner.ids["job_id"][0]}}
    if isinstance(body, dict) and "lease_token" in body:
        return {
            **body,
            "lease_token": owner.callback_token if route.by_lease else owner.lease_token,
        }
    return body
