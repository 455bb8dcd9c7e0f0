"""Seals of a tick that dies: the next tick signs what is stored."""

import contextlib
import json
from unittest.mock import Mock

import pytest

from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.sealed import MemorySealSigner
from tests.unit.usecases.archive.sealing import (
    AFTER_JANUARY,
    AFTER_NOVEMBER,
    DECEMBER,
    JANUARY,
    NOVEMBER,
    Sealer,
)
from tests.unit.usecases.archive.test_archive_round import Died
from timegate.domain.archive.canonical import digest_of
from timegate.domain.archive.seals import key_path, seal_path, signature_path
from timegate.usecases.archive.seal_months import Sealed


def test_a_key_that_signs_is_kept_whenever_it_begins(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A month is begun by one key, and goes on by another: a copy has both."""
    sealer.tick(AFTER_NOVEMBER)

    with monkeypatch.context() as patched, contextlib.suppress(Died):
        patched.setattr(sealer.signer, "sign", Mock(side_effect=Died))
        sealer.seal(AFTER_NOVEMBER)
    before, sealer.signer = sealer.signer, MemorySealSigner()
    sealer.seal(AFTER_NOVEMBER)
    keys = set(sealer.files.paths("seals/keys/"))

    assert sealer.seals
    assert keys == {key_path(digest_of(each.public_key())) for each in (before, sealer.signer)}


@pytest.mark.parametrize("survived", range(8))
@pytest.mark.parametrize("is_stored", [False, True], ids=["before", "after"])
def test_a_crash_at_any_file_leaves_one_seal(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch, survived: int, *, is_stored: bool
) -> None:
    """The next tick meets the files of the dead one, and signs what is stored."""
    sealer.tick(AFTER_NOVEMBER)
    create, left = sealer.files.create, iter([True] * survived)

    def dying(path: str, content: bytes) -> bool:
        lives = next(left, False)
        if lives or is_stored:
            create(path, content)
        if not lives:
            raise Died
        return True

    with monkeypatch.context() as patched:
        patched.setattr(sealer.files, "create", dying)
        with contextlib.suppress(Died):
            sealer.seal(AFTER_NOVEMBER)
    found = {path: sealer.files.files[path] for path in sealer.seals}
    sealer.seal(AFTER_NOVEMBER)

    assert found.items() <= sealer.files.files.items()
    assert sealer.seals == [
        path
        for tenant in sorted((TENANT, OTHER_TENANT))
        for path in (seal_path(tenant, NOVEMBER), signature_path(tenant, NOVEMBER))
    ]
    assert sealer.seal(AFTER_NOVEMBER) == Sealed()
    assert {json.loads(each)["tenant"] for each in sealer.signer.signed} == {TENANT, OTHER_TENANT}


def test_a_month_that_was_begun_keeps_its_rounds(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds and months that came meanwhile are the next seals'."""
    sealer.tick(AFTER_NOVEMBER)
    with monkeypatch.context() as patched:
        patched.setattr(sealer.signer, "sign", _dying)
        with pytest.raises(Died):
            sealer.seal(AFTER_NOVEMBER)
    sealer.tick(AFTER_JANUARY)
    done = [sealer.seal(AFTER_JANUARY).month for _ in range(4)]

    assert done == [NOVEMBER, DECEMBER, JANUARY, None]
    assert sealer.sealed(NOVEMBER).archived_until == "2026-12-02"


def _dying(_: bytes) -> bytes:
    raise Died
