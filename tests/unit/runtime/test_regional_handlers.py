"""Handlers of a stage in two regions: idle outside of their region's time, and renewed in it."""

from types import SimpleNamespace
from typing import Any

import pytest

from timegate.runtime import wiring
from timegate.runtime.wiring.parts import region as parts


def handler(event: dict[str, Any], _: object) -> str:
    """Answer by what it is invoked with."""
    return f"did {event}"


@pytest.mark.parametrize(("acts", "answer"), [(True, "did {}"), (False, "idle")])
def test_a_passive_region_does_nothing(
    monkeypatch: pytest.MonkeyPatch, *, acts: bool, answer: str
) -> None:
    """It is asked at each invocation."""
    region = SimpleNamespace(acts=lambda: acts)
    monkeypatch.setattr(wiring, "region_at_hand", lambda: region)

    assert wiring.while_active(handler, idle="idle")({}, None) == answer  # type: ignore[arg-type]


def test_a_stage_of_one_region_has_its_own_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands between an invocation and its handler."""
    monkeypatch.delenv("REGION_TABLE", raising=False)

    assert wiring.while_active(handler, idle="idle") is handler
    assert wiring.renewing(handler, None, idle="idle") is handler  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "renewed"), [({"shards": [0, 1]}, 1), ({"shards": [2]}, 0), ({}, 0)]
)
def test_the_first_group_of_shards_renews(
    monkeypatch: pytest.MonkeyPatch, event: dict[str, Any], renewed: int
) -> None:
    """Before it is served, and what was read of the record is forgotten."""
    done: list[str] = []
    region = SimpleNamespace(forget=lambda: done.append("forgotten"))
    monkeypatch.setattr(parts, "_pair", lambda _: None)
    monkeypatch.setattr(parts, "renew_region", lambda _, **__: done.append("renewed"))
    served = parts.renewed_before(lambda *_: done.append("served"), region, None)  # type: ignore[arg-type]
    served(event, None)  # type: ignore[arg-type]

    assert done == ["renewed", "forgotten"] * renewed + ["served"]
