"""``timegate ledger months|export``: a copy of sealed months, each file as it was sealed."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FILES_HOST, PLACEHOLDER, FakeApi, ok

Timegate = Callable[..., Outcome]

SEAL, FILE = b'{"month":"2026-10"}', b"PAR1"
DIGEST = sha256(SEAL).hexdigest()
SEAL_PATH = "seals/tenant=acme/2026-10.json"
FILE_PATH = "attempts/tenant=acme/day=2026-10-12/2026-10-20-00000.parquet"


def exported(path: str, content: bytes) -> dict[str, Any]:
    """A file as the API names it."""
    return {
        "path": path,
        "bytes": len(content),
        "sha256": sha256(content).hexdigest(),
        "url": f"https://{FILES_HOST}/{path}?signed=1",
    }


def month(*files: dict[str, Any], cursor: str | None = None) -> httpx.Response:
    """A page of a sealed month."""
    return ok(
        {
            "month": "2026-10",
            "archived_until": "2026-11-03",
            "sha256": DIGEST,
            "previous": None,
            "rows": 3,
            "urls_expire_at": "2026-11-21T07:15:00.000Z",
            "items": list(files),
            "next_cursor": cursor,
        }
    )


def held(content: bytes, status: int = 200) -> httpx.Response:
    """A file as its address gives it."""
    return httpx.Response(status, content=content, extensions=PLACEHOLDER)


def test_months_are_listed(api: FakeApi, timegate: Timegate) -> None:
    """The latest first, as the API has them."""
    api.will(ok({"items": [{"month": "2026-11"}, {"month": "2026-10"}], "next_cursor": None}))
    outcome = timegate("ledger", "months")

    assert api.asked == ["GET /v1/archive/seals"]
    assert outcome.out.index("2026-11") < outcome.out.index("2026-10")


def test_a_month_is_copied_page_by_page(api: FakeApi, timegate: Timegate, tmp_path: Path) -> None:
    """Each file below the folder under its path; the digest of the seal is shown whole."""
    api.will(
        month(exported(SEAL_PATH, SEAL), cursor="abcdef01.x"),
        held(SEAL),
        month(exported(FILE_PATH, FILE)),
        held(FILE),
    )
    outcome = timegate("ledger", "export", "--month", "2026-10", "--to", str(tmp_path))
    downloads = [call for call in api.calls if call.url.host == FILES_HOST]

    assert outcome.code == 0, outcome.err
    assert (tmp_path / SEAL_PATH).read_bytes() == SEAL
    assert (tmp_path / FILE_PATH).read_bytes() == FILE
    assert DIGEST in outcome.out
    assert len(downloads) == 2
    # An address is enough: it is sent no token.
    assert all("authorization" not in call.headers for call in downloads)
    assert "cursor=abcdef01.x" in str(api.calls[2].url)


def test_a_file_that_is_there_is_not_read_again(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """An export that was interrupted goes on; a file with another content is replaced."""
    (tmp_path / SEAL_PATH).parent.mkdir(parents=True)
    (tmp_path / SEAL_PATH).write_bytes(SEAL)
    (tmp_path / FILE_PATH).parent.mkdir(parents=True)
    (tmp_path / FILE_PATH).write_bytes(b"PAR")
    api.will(month(exported(SEAL_PATH, SEAL), exported(FILE_PATH, FILE)), held(FILE))
    outcome = timegate("ledger", "export", "--month", "2026-10", "--to", str(tmp_path), "--json")

    assert outcome.json["items"] == [
        {"month": "2026-10", "rows": 3, "sha256": DIGEST, "previous": None, "files": 2}
    ]
    assert [call.url.host for call in api.calls[1:]] == [FILES_HOST]
    assert (tmp_path / FILE_PATH).read_bytes() == FILE


@pytest.mark.parametrize(
    "answer", [held(b"other"), held(FILE, status=403)], ids=["content", "status"]
)
def test_a_file_that_is_not_as_sealed_is_refused(
    api: FakeApi, timegate: Timegate, tmp_path: Path, answer: httpx.Response
) -> None:
    """Nothing is left under its name."""
    api.will(month(exported(FILE_PATH, FILE)), answer)
    outcome = timegate("ledger", "export", "--month", "2026-10", "--to", str(tmp_path))

    assert outcome.code != 0
    assert "was not read as it was sealed" in " ".join(outcome.err.split())
    assert list(tmp_path.rglob("*.parquet*")) == []


def test_a_file_that_does_not_come_is_said_to_be_missing(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """Its host is away: the next export goes on."""
    api.will(month(exported(FILE_PATH, FILE)), httpx.ReadTimeout("too slow"))
    outcome = timegate("ledger", "export", "--month", "2026-10", "--to", str(tmp_path))

    assert outcome.code != 0
    assert f"{FILE_PATH} was not read: too slow" in " ".join(outcome.err.split())
    assert list(tmp_path.rglob("*.part*")) == []


@pytest.mark.parametrize("path", ["../outside", "/etc/outside", "seals/../../outside"])
def test_no_path_leads_out_of_the_folder(
    api: FakeApi, timegate: Timegate, tmp_path: Path, path: str
) -> None:
    """No answer of a stage changes that."""
    api.will(month(exported(path, FILE)), held(FILE))
    outcome = timegate("ledger", "export", "--month", "2026-10", "--to", str(tmp_path / "copy"))

    assert outcome.code != 0
    assert "outside the copy" in " ".join(outcome.err.split())
    assert len(api.calls) == 1


def test_every_month_is_asked_for_by_a_word(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """``--all`` asks which there are; neither, and both, are refused before anything is asked."""
    api.will(
        ok({"items": [{"month": "2026-10"}], "next_cursor": None}),
        month(exported(SEAL_PATH, SEAL)),
        held(SEAL),
    )
    to = ("--to", str(tmp_path))
    codes = [
        timegate("ledger", "export", *to).code,
        timegate("ledger", "export", "--all", "--month", "2026-10", *to).code,
    ]
    asked = len(api.calls)
    outcome = timegate("ledger", "export", "--all", *to)

    assert 0 not in codes
    assert asked == 0
    assert outcome.code == 0, outcome.err
    assert api.asked[:2] == [
        "GET /v1/archive/seals?limit=100",
        "GET /v1/archive/seals/2026-10?limit=100",
    ]
