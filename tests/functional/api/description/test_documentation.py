"""The pages that show requests: their examples are true."""

from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from api.http.statuses import phrase_of
from tests.support.api import Answer, Api
from tests.support.documents.http_examples import Message, agrees, read_examples

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "reference" / "api.md").read_text()
EXAMPLES = read_examples(PAGE)
#: Pages whose examples are replayed, each in a world of its own.
PAGES = {
    "api": PAGE,
    "adding tenants": (ROOT / "docs" / "adding-tenants.md").read_text(),
    "audit": (ROOT / "docs" / "operations" / "audit.md").read_text(),
    "callbacks": (ROOT / "docs" / "guides" / "callbacks.md").read_text(),
    "calendars": (ROOT / "docs" / "guides" / "calendars.md").read_text(),
    "dags": (ROOT / "docs" / "guides" / "dags.md").read_text(),
    "deadlines": (ROOT / "docs" / "concepts" / "deadlines.md").read_text(),
    "events": (ROOT / "docs" / "guides" / "events.md").read_text(),
    "failing jobs": (ROOT / "docs" / "concepts" / "failing-jobs.md").read_text(),
    "notifications": (ROOT / "docs" / "guides" / "notifications.md").read_text(),
    "notification rules": (ROOT / "docs" / "concepts" / "notification-rules.md").read_text(),
    "costs": (ROOT / "docs" / "operations" / "costs.md").read_text(),
    "health": (ROOT / "docs" / "operations" / "health.md").read_text(),
    "overlap": (ROOT / "docs" / "concepts" / "overlap.md").read_text(),
    "overview": (ROOT / "docs" / "operations" / "overview.md").read_text(),
    "tenants": (ROOT / "docs" / "operations" / "tenants.md").read_text(),
    "targets": (ROOT / "docs" / "guides" / "targets.md").read_text(),
    "workers": (ROOT / "docs" / "guides" / "workers.md").read_text(),
}


@pytest.fixture
def clocked(api: Api) -> Api:
    """A world in which every call takes 182 ms."""
    api.world.call_runner.takes = timedelta(milliseconds=182)
    return api


def filled(body: Any, seen: dict[str, str]) -> Any:  # noqa: ANN401 - JSON
    """A body with the token of the last claim, or call, where an example asks for it."""
    if isinstance(body, dict) and body.get("lease_token") == "{lease_token}":
        return {**body, "lease_token": seen["lease_token"]}
    if isinstance(body, dict) and body.get("action", {}).get("dag_id") == "{dag_id}":
        return {**body, "action": {**body["action"], "dag_id": seen["dag_id"]}}
    if isinstance(body, dict) and body.get("lease_token") == "{callback_token}":
        return {**body, "lease_token": seen["callback_token"]}
    return body


def serve(api: Api, request: Message, seen: dict[str, str]) -> Answer:
    """Send an example, its ids filled in, and let whatever it began take its course."""
    method, target = request.first.split(" ", 1)
    headers = {name.replace("-", "_"): text for name, text in request.headers.items()}
    answer = api.send(method, target.format(**seen), filled(request.body, seen), **headers)
    for run in answer.body.get("runs", []):
        seen.update(run_id=run["run_id"], lease_token=run["lease_token"])
    seen.update(
        {
            name: answer.body[name]
            for name in ("job_id", "run_id", "freeze_id", "dag_id")
            if name in answer.body
        }
    )
    api.world.execute(api.world.receive())
    for call in api.world.target.calls[-1:]:
        if call.callback is not None:
            seen.update(run_id=str(call.attempt.run), callback_token=call.callback.token)
    api.world.clock.advance(1)
    return answer


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_every_example_is_answered_as_the_page_says(clocked: Api, page: str) -> None:
    """Status, the headers shown, and the body but for what is left out."""
    seen: dict[str, str] = {}
    for request, shown in read_examples(page):
        answer = serve(clocked, request, seen)
        answered = HTTPStatus(answer.status)
        headers = {name: answer.headers.get(name.lower()) for name in shown.headers}

        assert shown.first == f"{answer.status} {phrase_of(answered)}", request
        assert headers == shown.headers, request
        assert agrees(shown.body, answer.body), (request, answer.body)


def test_the_page_shows_every_kind_of_request() -> None:
    """More than a few, and refusals among them."""
    statuses = {shown.first.split(" ")[0] for _, shown in EXAMPLES}

    assert len(EXAMPLES) >= 12
    assert {"200", "201", "202", "400", "409", "412"} <= statuses


@pytest.mark.parametrize(
    ("shown", "real", "agreed"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": "…"}, {"a": [1]}, True),
        ({"a": [1, 2]}, {"a": [1]}, False),
        ({"a": 1, "…": "…"}, {"b": 2}, False),
    ],
)
def test_an_example_leaves_out_only_what_it_says(
    shown: object, real: object, *, agreed: bool
) -> None:
    """A page that agreed with everything would say nothing."""
    assert agrees(shown, real) == agreed
