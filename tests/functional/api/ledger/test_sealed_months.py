"""Sealed months over HTTP: what there is, and every file that verifying one takes."""

import httpx

from tests.functional.api.runs.test_archived_runs import archive
from tests.functional.api.runs.test_runs import execute, trigger
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.sealed import MemorySealSigner
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.archive.canonical import digest_of
from timegate.domain.archive.seals import key_path, seal_path, signature_path
from timegate.usecases.archive.archive_services import Sealing
from timegate.usecases.archive.seal_months import seal_months

PATH = "/v1/archive/seals"
MONTH = "2026-11"


def seal(api: Api) -> None:
    """Let a run of November be archived and sealed."""
    trigger(api)
    execute(api)
    archive(api, days=12)
    world = api.world
    sealing = Sealing(
        files=world.archive_files, signer=MemorySealSigner(), telemetry=world.telemetry
    )
    seal_months(sealing, lambda: True, now=world.clock.now())


def test_sealed_months_are_listed(api: Api) -> None:
    """None before there is one; one without a signature is not sealed yet."""
    before = api.send("GET", PATH).body
    seal(api)
    after = api.send("GET", PATH).body
    files = api.world.archive_files.files
    del files[signature_path(TENANT, MONTH)]

    assert before == {"items": [], "next_cursor": None}
    assert after == {"items": [{"month": MONTH}], "next_cursor": None}
    assert api.send("GET", PATH).body == before
    assert api.send("GET", f"{PATH}/{MONTH}").body["code"] == "seal_not_found"


def test_sealed_months_come_in_pages(api: Api) -> None:
    """The latest first; a month that is sealed meanwhile comes on no later page."""
    months = [f"2026-{number:02}" for number in range(4, 9)]
    files = api.world.archive_files.files
    files |= {signature_path(TENANT, month): b"" for month in months}
    first = api.send("GET", f"{PATH}?limit=3").body
    files[signature_path(TENANT, "2026-09")] = b""
    last = api.send("GET", f"{PATH}?limit=3&cursor={first['next_cursor']}").body
    other = api.send("GET", f"{PATH}?cursor={first['next_cursor']}", tenant=OTHER_TENANT)
    found = [each["month"] for page in (first, last) for each in page["items"]]

    assert found == list(reversed(months))
    assert last["next_cursor"] is None
    assert (other.status, other.body["errors"][0]["code"]) == (400, "invalid_cursor")


def test_an_export_names_all_that_verifying_takes(api: Api) -> None:
    """Seal, signature and key first, then what the seal names, each with an address."""
    seal(api)
    answer = api.send("GET", f"{PATH}/{MONTH}")
    files = api.world.archive_files.files
    paths = [each["path"] for each in answer.body["items"]]
    content = files[seal_path(TENANT, MONTH)]

    assert answer.status == 200
    assert paths[:2] == [seal_path(TENANT, MONTH), signature_path(TENANT, MONTH)]
    assert paths[2].startswith("seals/keys/")
    assert paths[3:] == sorted(path for path in files if f"/tenant={TENANT}/day=" in path)
    assert all(digest_of(files[each["path"]]) == each["sha256"] for each in answer.body["items"])
    assert all(len(files[each["path"]]) == each["bytes"] for each in answer.body["items"])
    assert (answer.body["sha256"], answer.body["previous"]) == (digest_of(content), None)
    assert answer.body["rows"] >= 1
    assert httpx.URL(answer.body["items"][0]["url"]).params["seconds"] == "900"


def test_pages_add_up_to_the_export(api: Api) -> None:
    """A file a page, each once."""
    seal(api)
    whole = api.send("GET", f"{PATH}/{MONTH}").body
    found, cursor = [], ""
    while cursor is not None:
        query = f"&cursor={cursor}" if cursor else ""
        page = api.send("GET", f"{PATH}/{MONTH}?limit=1{query}").body
        found += page["items"]
        cursor = page["next_cursor"]

    assert found == whole["items"]
    assert whole["next_cursor"] is None


def test_a_key_that_is_stored_between_two_pages_moves_no_file(api: Api) -> None:
    """A later month is signed by another key, whose file comes before those of the seal."""
    seal(api)
    files = api.world.archive_files.files
    whole = api.send("GET", f"{PATH}/{MONTH}").body["items"]
    first = api.send("GET", f"{PATH}/{MONTH}?limit=3").body
    files[key_path("0" * 64)] = b"a key"
    rest = api.send("GET", f"{PATH}/{MONTH}?limit=100&cursor={first['next_cursor']}").body

    assert first["items"] + rest["items"] == whole


def test_a_cursor_of_no_file_is_refused(api: Api) -> None:
    """Also one of another month, and one that names a number of rows."""
    seal(api)
    written = [
        write_cursor(f"seals#{TENANT}#{MONTH}", "1"),
        write_cursor(f"seals#{TENANT}#2026-10", seal_path(TENANT, MONTH)),
    ]
    for cursor in written:
        answer = api.send("GET", f"{PATH}/{MONTH}?cursor={cursor}")
        assert (answer.status, answer.body["errors"][0]["code"]) == (400, "invalid_cursor")


def test_a_month_that_is_not_sealed_is_not_found(api: Api) -> None:
    """Nor is text that is none, nor another tenant's month."""
    seal(api)
    other = api.send("GET", f"{PATH}/{MONTH}", tenant=OTHER_TENANT)
    told = [api.send("GET", f"{PATH}/{each}") for each in ("2026-12", "2026-13", "x")]

    assert {(each.status, each.body["code"]) for each in (*told, other)} == {
        (404, "seal_not_found")
    }
    assert api.send("GET", PATH, tenant=OTHER_TENANT).body["items"] == []
