"""A key costs one read in ten seconds per process; a token costs none."""

from collections.abc import Iterator
from contextlib import closing
from types import ModuleType

import pytest
from botocore.config import Config

from tests.support.api import SCOPES, gateway_event
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.api_keys import SECRET, by_key, key_factory, text_of
from tests.support.tenants.asked import Ask, asking

LIST = ("GET", "/v1/jobs")
CLAIM = ("POST", "/v1/pools/etl/claim")


@pytest.fixture
def ask(handler: ModuleType, workers_handler: ModuleType) -> Iterator[Ask]:
    """A world of tables, with a key on record."""
    with closing(client_inside(Config())) as client, pytest.MonkeyPatch.context() as patch:
        for module in (handler, workers_handler):
            patch.setattr(module, "services", module.services)
        world = TabledWorld(client)
        asked = asking(handler, workers_handler, world)
        # One process of the function, which remembers keys.
        patch.setattr(TabledWorld, "working", world.working)
        assert asked.world.api_keys.put(None, key_factory())
        yield asked


def calls(ask: Ask, place: tuple[str, str], key: str | None) -> list[str]:
    """The calls of a request, by key or by token."""
    method, path = place
    body = '{"worker": "w-1", "wait_seconds": 0}' if method == "POST" else None
    event = gateway_event(
        method, path, body=body, claims={"client_id": "acme", "scope": f"{SCOPES}"}
    )
    with ask.world.counted() as made:
        ask.api.deliver(event if key is None else by_key(event, key))
    return made


@pytest.mark.parametrize("place", [LIST, CLAIM], ids=["api", "workers"])
def test_a_key_costs_one_read_in_ten_seconds(ask: Ask, place: tuple[str, str]) -> None:
    """In front of what a token costs."""
    key = text_of(key_factory())
    for _ in range(2):
        calls(ask, place, None)
    by_token = calls(ask, place, None)
    by_keys = [calls(ask, place, key) for _ in range(2)]
    ask.world.clock.advance(10)
    calls(ask, place, None)
    later = calls(ask, place, key)

    assert by_keys == [["BatchGetItem", *by_token], by_token]
    assert later == ["BatchGetItem", *by_token]


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("tgk_acme.00.short", 0),
        (f"tgk_unheard.00.{SECRET}", 1),
        (f"tgk_acme.00.{'B' * 43}", 1),
    ],
)
def test_who_guesses_costs_one_read(ask: Ask, text: str, reads: int) -> None:
    """In ten seconds, for each place that he tries; what is no key costs none."""
    assert calls(ask, LIST, text) == ["BatchGetItem"] * reads
    assert calls(ask, LIST, text) == []
