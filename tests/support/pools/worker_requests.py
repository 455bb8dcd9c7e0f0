"""Workers of a pool, over HTTP: what they ask and say."""

from collections.abc import Mapping
from typing import Any

from tests.support.api import Answer, Api
from tests.support.factories import TENANT

ACTION = {"type": "worker", "pool": "reports", "handler": "sales"}


def offer(api: Api, **fields: Any) -> str:  # noqa: ANN401 - as the API takes them
    """A run that is offered now; its job's id."""
    defaults: dict[str, Any] = {"schedule": {"kind": "immediate"}, "action": ACTION}
    return str(api.create(**(defaults | fields))["job_id"])


def claim(api: Api, *, tenant: str = TENANT, **fields: object) -> list[dict[str, Any]]:
    """Runs that were claimed."""
    asked = {"worker": "host-7", **fields}
    answer = api.send("POST", "/v1/pools/reports/claim", asked, tenant=tenant)
    assert answer.status == 200, answer.body
    runs: list[dict[str, Any]] = answer.body["runs"]
    return runs


def say(
    api: Api,
    what: str,
    run: Mapping[str, Any],
    *,
    tenant: str = TENANT,
    **fields: Any,  # noqa: ANN401 - as the API takes them
) -> Answer:
    """Say something of a run that was claimed."""
    body = {"lease_token": run["lease_token"], **fields}
    return api.send("POST", f"/v1/runs/{run['run_id']}/{what}", body, tenant=tenant)


def read(api: Api, run: Mapping[str, Any]) -> dict[str, Any]:
    """The run as it is."""
    body: dict[str, Any] = api.send("GET", f"/v1/runs/{run['run_id']}").body
    return body


BROKE = {"code": "books_open", "type": "BooksOpen", "message": "Still open."}
