"""The auditor's script: it needs a copy and a key, and finds whatever was changed."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from examples.ledger_audit import verify_ledger
from tests.support.factories import OTHER_TENANT, TENANT, after, gap_factory
from tests.support.sealed import copied
from tests.unit.usecases.archive.sealing import Sealer
from tests.unit.usecases.archive.test_archive_round import DAY
from timegate.domain.archive.canonical import digest_of
from timegate.domain.archive.columns import RecordKind

SCRIPT = Path(verify_ledger.__file__)
SEALS = f"seals/tenant={TENANT}"
MONTHS = ("2026-11", "2026-12", "2027-01")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of three months of two tenants, and the key beside it."""
    sealer = Sealer()
    for number, name in enumerate("abcdefg"):
        sealer.end_of(TENANT, name, number * 9 * DAY)
    sealer.end_of(OTHER_TENANT, "z", 10)
    sealer.records.put_gap(gap_factory(recorded_at=after(3 * DAY)))
    for days in (12, 43, 74):
        sealer.month(days)
    copied(sealer.files, tmp_path)
    return tmp_path


def verified(place: Path, *words: str, tenant: str = TENANT) -> tuple[int, str]:
    """The script's exit code and words, from a process without Timegate and without a network."""
    command = [sys.executable, "-I", str(SCRIPT), str(place / "copy"), tenant]
    done = subprocess.run(
        [*command, "--key", str(place / "key.pem"), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=place,
        env={},
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def findings(place: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that the script prints of a copy; none: it exits with 0."""
    code = verify_ledger.main(
        [str(place / "copy"), TENANT, "--key", str(place / "key.pem"), *words]
    )
    told = capsys.readouterr().out.splitlines()
    return told if code else []


def test_the_script_knows_each_kind_of_records() -> None:
    """A file of another kind is no file of a month."""
    assert set(verify_ledger.KINDS) == {kind.value for kind in RecordKind}


def test_a_copy_is_as_it_was_sealed(place: Path) -> None:
    """The last digest stands for all before it."""
    code, told = verified(place, "--until", "2027-01")
    last = digest_of((place / "copy" / SEALS / "2027-01.json").read_bytes())

    assert code == 0, told
    assert told == (
        "8 rows in 8 files are as they were sealed, from 2026-11 to 2027-01.\n"
        f"The last seal is {last}.\n"
    )


def test_the_script_imports_nothing_of_timegate() -> None:
    """The library, and what checks signatures."""
    nodes = list(ast.walk(ast.parse(SCRIPT.read_text())))
    names = [each.name for node in nodes if isinstance(node, ast.Import) for each in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    imported = {name.partition(".")[0] for name in names}

    assert "cryptography" in imported
    assert imported <= {*sys.stdlib_module_names, "cryptography"}


@pytest.mark.parametrize(
    "path",
    [
        f"attempts/tenant={TENANT}/day=2026-11-21/2026-11-28-00099",
        f"attempts/tenant={TENANT}/stray.parquet",
    ],
)
def test_a_file_that_is_added_is_found_whatever_its_name(
    place: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readers of the folder would take its rows for the tenant's."""
    (place / "copy" / path).write_bytes(b"more rows")

    assert findings(place, capsys=capsys) == [f"{path}: no seal names it"]


def test_a_folder_that_is_linked_is_found(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its files are listed by readers of the folder, and not by the script."""
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "stray.parquet").write_bytes(b"more rows")
    path = f"attempts/tenant={TENANT}/day=2026-11-09"
    (place / "copy" / path).symlink_to(elsewhere)

    assert findings(place, capsys=capsys) == [f"{path}: no seal names it"]


def test_a_copy_of_a_seal_is_no_seal_of_another_month(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And ends no verification: the rest is looked at."""
    folder = place / "copy" / SEALS
    for suffix in ("json", "sig"):
        (folder / f"2026-12-copy.{suffix}").write_bytes((folder / f"2026-12.{suffix}").read_bytes())

    assert findings(place, capsys=capsys) == [
        "2026-12-copy: the seal is another tenant's, or another month's"
    ]


def sealed_paths(place: Path) -> list[Path]:
    """Every file that verification reads: files, seals and signatures of the tenant."""
    return sorted(
        path
        for path in (place / "copy").rglob("*")
        if path.is_file() and f"tenant={TENANT}" in path.as_posix()
    )


def test_any_byte_that_is_changed_is_found(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One bit is changed in the first, last and middle byte of each file, seal and signature."""
    for path in sealed_paths(place):
        content = path.read_bytes()
        for at in sorted({0, len(content) // 2, len(content) - 1}):
            changed = bytearray(content)
            changed[at] ^= 1
            path.write_bytes(changed)

            assert findings(place, capsys=capsys), f"byte {at} of {path}"
        path.write_bytes(content)

    assert findings(place, capsys=capsys) == []


def test_any_file_that_is_missing_is_found(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without ``--until`` a chain may end earlier: that is what it is for."""
    for path in sealed_paths(place):
        content = path.read_bytes()
        path.unlink()

        assert findings(place, "--until", "2027-01", capsys=capsys), path
        path.write_bytes(content)

    assert findings(place, "--until", "2027-01", capsys=capsys) == []


@pytest.mark.parametrize("month", MONTHS)
def test_a_month_that_is_left_out_is_named(
    place: Path, capsys: pytest.CaptureFixture[str], month: str
) -> None:
    """With its signature and its files."""
    for path in sealed_paths(place):
        if path.stem == month or f"day={month}" in path.as_posix():
            path.unlink()
    told = findings(place, "--since", "2026-11", "--until", "2027-01", capsys=capsys)

    assert f"{month}: the seal is missing" in told


def resign(place: Path, month: str, change: Callable[[dict[str, list[object]]], object]) -> None:
    """Change a seal as its maker could, who has the key of the copy."""
    key = ec.generate_private_key(ec.SECP256R1())
    path = place / "copy" / SEALS / f"{month}.json"
    told = json.loads(path.read_bytes())
    change(told)
    path.write_bytes(json.dumps(told, sort_keys=True, separators=(",", ":")).encode())
    algorithm = ec.ECDSA(hashes.SHA256())
    for each in (place / "copy" / SEALS).glob("*.json"):
        each.with_suffix(".sig").write_bytes(key.sign(each.read_bytes(), algorithm))
    (place / "key.pem").write_bytes(
        key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda seal: seal["files"].reverse(), "the files are in another order"),
        (lambda seal: seal["files"].append(seal["files"][-1]), "the files are in another order"),
        (lambda seal: seal.update(late=seal["files"], files=[]), "it is no file of 2026-11"),
        (lambda seal: seal.update(month="2026-12"), "another month's"),
        (lambda seal: seal.update(tenant="other"), "the seal is another tenant's"),
        (lambda seal: seal.update(previous="0" * 64), "the seal before it is missing"),
        (lambda seal: seal.update(note="more"), "this is no seal"),
    ],
    ids=["order", "twice", "late", "month", "tenant", "begin", "field"],
)
def test_a_seal_that_its_maker_changed_is_found(
    place: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, list[object]]], object],
    finding: str,
) -> None:
    """Each rule of a seal by itself: this one is signed as well."""
    resign(place, "2026-11", change)
    told = findings(place, capsys=capsys)

    assert any(finding in line for line in told), told


def test_a_file_of_a_sealed_month_that_was_added_is_found(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of a later month is not sealed yet, and no finding."""
    folder = place / "copy" / "attempts" / f"tenant={TENANT}"
    for day in ("2026-12-24", "2027-02-01"):
        (folder / f"day={day}").mkdir()
        (folder / f"day={day}" / "2027-02-03-00000.parquet").write_bytes(b"PAR1")
    told = findings(place, capsys=capsys)

    assert told == [
        f"attempts/tenant={TENANT}/day=2026-12-24/2027-02-03-00000.parquet: no seal names it"
    ]


def test_another_key_did_not_sign(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The key that lies in the copy proves nothing; the one of the operator does."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    (place / "key.pem").write_bytes(
        key.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )

    assert findings(place, capsys=capsys) == [
        f"{month}: the key did not sign this seal" for month in MONTHS
    ]


def test_a_part_of_the_chain_names_the_digest_before_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A copy of later months, held to the digest that was noted of the earlier ones."""
    noted = digest_of((place / "copy" / SEALS / "2026-11.json").read_bytes())
    for path in sealed_paths(place):
        if path.stem == "2026-11" or "day=2026-11" in path.as_posix():
            path.unlink()
    since = ("--since", "2026-12")

    assert findings(place, *since, "--previous", noted, capsys=capsys) == []
    assert findings(place, *since, "--previous", "0" * 64, capsys=capsys) == [
        "2026-12: the seal before it is missing, or is another"
    ]


def test_a_tenant_without_a_seal_is_none(place: Path) -> None:
    """A misspelt name is no proof."""
    assert verified(place, tenant="unheard") == (1, "There is no seal of unheard.\n")
