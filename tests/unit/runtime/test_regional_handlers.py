"""Handlers of a stage in two regions: idle outside of their region's time, and renewed in it."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.factories import NOW
from timegate.domain.regions.region_record import OwedLook
from timegate.runtime import clients, wiring
from timegate.runtime.wiring.parts import region as parts
from timegate.usecases.planning.mend_jobs import Share


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
    assert wiring.renewing(handler, None, None, idle="idle") is handler  # type: ignore[arg-type]


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


@pytest.mark.parametrize("is_after_promotion", [True, False])
def test_jobs_are_mended_behind_a_tick_until_the_walk_of_a_look_is_done(
    monkeypatch: pytest.MonkeyPatch, *, is_after_promotion: bool
) -> None:
    """A region that replaced none asks for no walk, and one that is done reads nothing more."""
    done: list[object] = []
    ends = iter([False, True, True])

    def mend(share: Share, number: int, *_: object, **__: object) -> bool:
        done.append((share.shard, share.of, number))
        return next(ends)

    looks = [OwedLook(number=number, since=NOW) for number in (2_000, 2_000, 2_000, 2_001)]
    region = SimpleNamespace(
        owed_look=lambda: looks.pop(0), lost_until=lambda: NOW if is_after_promotion else None
    )
    for name in ("REGION_TABLE", "JOBS_TABLE"):
        monkeypatch.setenv(name, "table")
    monkeypatch.setattr(parts, "mend_jobs", mend)
    monkeypatch.setattr(clients, "dynamodb", lambda: None)
    served = parts.mended_after(lambda *_: done.append("served"), region, None)  # type: ignore[arg-type]
    for _ in range(4):
        # A group may have shards beyond those that the schedule counts.
        served({"shards": [1, 2], "of": 2}, None)  # type: ignore[arg-type]
    walked = [[(1, 2, 2_000)], [(1, 2, 2_000)], [], [(1, 2, 2_001)]]

    assert done == [
        each for walk in walked for each in ("served", *(walk if is_after_promotion else []))
    ]
