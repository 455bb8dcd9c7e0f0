"""``timegate stage-freezes``: every tenant is held back, and the administration sees by what."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from timegate.contracts.restrictions import NewStageFreeze

Timegate = Callable[..., Outcome]

FREEZE_ID = "20261121T070000000Z-e4d687ff7bf9"
FREEZE = {
    "freeze_id": FREEZE_ID,
    "state": "active",
    "scope": {"kind": "stage", "spared_tag": {"key": "critical", "value": None}},
    "starts_at": "2026-11-21T07:00:00.000Z",
    "ends_at": "2026-11-21T09:00:00.000Z",
    "thaw": "latest",
    "reason": "Incident",
    "created_at": "2026-11-21T07:00:00.000Z",
    "lifted_at": None,
    "by_stage": False,
    "spared_tenants": ["initech", "umbrella"],
}
CREATE = ("stage-freezes", "create")


@pytest.mark.parametrize(
    ("options", "spared"),
    [
        ((), {}),
        (("--spare-tag", "critical"), {"spared_tag": {"key": "critical", "value": None}}),
        (("--spare-tag", "tier=1"), {"spared_tag": {"key": "tier", "value": "1"}}),
        (
            ("--spare-tenant", "a", "--spare-tenant", "b"),
            {"spared_tenants": ["a", "b"]},
        ),
    ],
    ids=str,
)
def test_an_option_says_what_goes_on(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], spared: dict[str, object]
) -> None:
    """Nothing of any tenant starts, but for that."""
    api.will(ok(FREEZE, 201))
    outcome = timegate(*CREATE, *options, "--until", "2026-11-21T10:00:00+01:00")
    NewStageFreeze.model_validate_json(api.calls[-1].content)

    assert (outcome.code, outcome.unexpected) == (0, None)
    assert api.body == {"ends_at": "2026-11-21T09:00:00.000Z", **spared}


def test_a_dry_run_freezes_nothing(api: FakeApi, timegate: Timegate) -> None:
    """It says until when every tenant would be held back."""
    outcome = timegate(*CREATE, "--until", "2026-11-21T09:00:00Z", "--dry-run")

    assert outcome.code == 0
    assert "hold every tenant back until 2026-11-21T09:00:00.000Z" in outcome.out
    assert api.calls == []


def test_the_administration_sees_what_is_spared(api: FakeApi, timegate: Timegate) -> None:
    """The tag in the scope, and the names of the tenants."""
    api.will(ok(FREEZE))
    shown = timegate("stage-freezes", "get", FREEZE_ID)

    assert "every tenant but tag critical" in shown.out
    assert "initech, umbrella" in shown.out


def test_a_listing_and_a_tenants_own_show_the_scope(api: FakeApi, timegate: Timegate) -> None:
    """A freeze of the stage has an end, other than a suspension."""
    seen = {**FREEZE, "by_stage": True, "scope": {"kind": "stage", "spared_tag": None}}
    del seen["spared_tenants"]
    api.will(page([FREEZE]), ok(seen))
    listed = timegate("stage-freezes", "list")
    own = timegate("freezes", "get", FREEZE_ID)

    assert "every tenant but tag critical" in listed.out
    assert "every tenant" in own.out
    assert "2026-11-21 09:00:00" in own.out


def test_a_freeze_is_lifted(api: FakeApi, timegate: Timegate) -> None:
    """By its path of the stage."""
    api.will(ok({**FREEZE, "state": "lifted", "lifted_at": "2026-11-21T08:00:00.000Z"}))
    outcome = timegate("stage-freezes", "lift", FREEZE_ID, "--yes")

    assert outcome.code == 0
    assert (api.calls[-1].method, api.calls[-1].url.path) == (
        "DELETE",
        f"/stage/v1/stage/freezes/{FREEZE_ID}",
    )
