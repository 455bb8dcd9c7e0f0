"""``timegate admin keys``: the administration's way in, without a client of an issuer."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from infra.admin import administration, stage_access
from infra.admin.stage_access import StageAccess
from tests.functional.cli.conftest import Outcome
from tests.support.moving.stages import opened, reached
from tests.support.world import World
from timegate.domain.tenants.audit_trail import AuditFilter
from timegate.domain.values.tenant import ADMINISTRATION

Timegate = Callable[..., Outcome]
API_URL = "https://api.example.com"
STAGE = ("--stage", "prod")
PRINCIPAL = "arn:aws:sts::111122223333:assumed-role/operators/ada"


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> World:
    """A deployed stage without a key."""
    world = opened()

    @contextmanager
    def connected(stage: str, *, rights: str) -> Iterator[StageAccess]:
        assert "PutItem" in rights
        yield replace(reached(world, stage), principal=lambda: PRINCIPAL)

    monkeypatch.setattr(stage_access, "connected", connected)
    monkeypatch.setattr(administration, "api_url", lambda _: API_URL)
    return world


def test_a_key_is_shown_once(timegate: Timegate, stage: World) -> None:
    """A list has what it is for, and no text of it."""
    made = timegate("admin", "keys", "create", *STAGE, "--key-name", "Ada", "--json").json
    (listed,) = timegate("admin", "keys", "list", *STAGE, "--json").json["items"]

    assert made["api_key"].startswith("tgk__stage.00.")
    assert (made["name"], made["scopes"], made["created_by"]) == ("Ada", ["admin"], "operator")
    assert listed == {name: told for name, told in made.items() if name != "api_key"}


def test_a_key_is_kept_as_a_profile(
    timegate: Timegate, stage: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the address of the stage's API, and not shown."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    outcome = timegate("admin", "keys", "create", *STAGE, "--save-as", "prod-admin")
    (profile,) = tmp_path.rglob("prod-admin.json")
    kept = json.loads(profile.read_text())

    assert outcome.code == 0
    assert kept["api_url"] == API_URL
    assert kept["api_key"].startswith("tgk__stage.00.")
    assert kept["api_key"] not in outcome.out + outcome.err


def test_a_revoked_key_is_listed_as_such(timegate: Timegate, stage: World) -> None:
    """A second command changes nothing; a key that is unknown is named."""
    key = timegate("admin", "keys", "create", *STAGE, "--json").json["key_id"]
    revoked = [
        timegate("admin", "keys", "revoke", key, *STAGE, "-y", "--json").json for _ in range(2)
    ]
    (listed,) = timegate("admin", "keys", "list", *STAGE, "--json").json["items"]
    unknown = timegate("admin", "keys", "revoke", "00aaaaaaaaaa", *STAGE, "--yes")

    assert revoked == [listed, listed]
    assert listed["status"] == "revoked"
    assert (unknown.code, "api_key_not_found" in unknown.err) == (1, True)


def test_a_key_leaves_entries_in_the_stages_trail(timegate: Timegate, stage: World) -> None:
    """One when it is made and one when it is revoked, with whose credentials; a list leaves none.

    A repetition changes nothing and leaves none either.
    """
    key = timegate("admin", "keys", "create", *STAGE, "--key-name", "Ada", "--json").json["key_id"]
    for _ in range(2):
        timegate("admin", "keys", "revoke", key, *STAGE, "-y")
    timegate("admin", "keys", "list", *STAGE)
    read = stage.audits.list_entries(ADMINISTRATION, AuditFilter(), limit=9, cursor=None)
    told = {each.stamp.operation: each for each in read.rows}
    made = told["admin.keys.create"]

    assert sorted(told) == ["admin.keys.create", "admin.keys.revoke"]
    assert len(read.rows) == len(told)
    assert {str(each.resource) for each in read.rows} == {f"api_key/{key}"}
    assert {(each.stamp.subject, each.stamp.of_stage) for each in read.rows} == {(PRINCIPAL, True)}
    assert {each.field: each.after for each in made.changes}["name"] == "Ada"
    assert [each.field for each in told["admin.keys.revoke"].changes] == ["revoked_at"]


def test_a_key_is_shown_and_not_revoked_in_a_dry_run(
    timegate: Timegate, stage: World, agreed: Callable[[], None]
) -> None:
    """Nor is it without a yes."""
    agreed()
    key = timegate("admin", "keys", "create", *STAGE, "--json").json["key_id"]
    looked = timegate("admin", "keys", "revoke", key, *STAGE, "--dry-run", "--json").json
    asked = timegate("admin", "keys", "revoke", key, *STAGE)
    (listed,) = timegate("admin", "keys", "list", *STAGE, "--json").json["items"]

    assert looked == listed
    assert (asked.code, "confirmation_required" in asked.err) == (2, True)
    assert listed["status"] == "active"


def test_no_key_is_made_that_could_not_be_kept(
    timegate: Timegate, stage: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its profile needs the address of the API, which is asked for first."""

    def gone(stage: str) -> str:
        raise stage_access.NoStage(f"Timegate-{stage}-Data")

    monkeypatch.setattr(administration, "api_url", gone)
    outcome = timegate("admin", "keys", "create", *STAGE, "--save-as", "prod-admin")

    assert outcome.code != 0
    assert timegate("admin", "keys", "list", *STAGE, "--json").json["items"] == []
