"""Verify a copy of a tenant's ledger: every file is as it was sealed, and no month is missing.

It needs Python and the package ``cryptography``, and no network:

    python verify_ledger.py COPY acme --key key.pem --until 2026-11

The key is the public half of the stage's, which the auditor has from its operator, by another way
than the copy. ``--until`` names the last month that must be there: a chain that was cut off at its
end is whole otherwise. A copy that begins later names its first month (``--since``), and the digest
of the seal before it (``--previous``).
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

KINDS = ("attempts", "gaps", "audit", "dag_runs", "dag_tasks")
FIELDS = {"format", "tenant", "month", "archived_until", "previous", "files", "late"}


class Verification:
    """Findings about a copy, in the order in which they were made."""

    def __init__(self, copy: Path, tenant: str, keys: Sequence[bytes]) -> None:
        self.copy = copy
        self.tenant = tenant
        self.keys = [serialization.load_pem_public_key(each) for each in keys]
        self.wrong: list[str] = []
        self.named: set[str] = set()
        self.rows = 0
        self.months: list[str] = []
        #: SHA-256 of the last seal.
        self.last: str | None = None

    def verify(self, since: str | None, previous: str | None, until: str | None) -> None:
        """Verify every seal from a month on, and every file that they name."""
        folder = self.copy / "seals" / f"tenant={self.tenant}"
        self.last = previous
        for path in sorted(folder.glob("*.json")):
            if since is None or path.stem >= since:
                self._verify_seal(path)
        if not self.months:
            self.wrong.append(f"There is no seal of {self.tenant}.")
            return
        if since is not None and self.months[0] != since:
            self.wrong.append(f"{since}: the seal is missing")
        if until is not None and self.months[-1] < until:
            self.wrong.append(f"{until}: the seal is missing")
        if not self.wrong:
            self._verify_strangers("" if since is None else since)

    def _verify_seal(self, path: Path) -> None:
        content = path.read_bytes()
        try:
            seal = json.loads(content)
            told = json.dumps(seal, sort_keys=True, separators=(",", ":")).encode()
        except ValueError:
            seal, told = {}, b""
        if told != content or not isinstance(seal, dict) or set(seal) != FIELDS:
            self.wrong.append(f"{path.stem}: this is no seal")
            return
        if not self._is_signed(path, content):
            # Nothing is taken from a seal that the key's owner did not write.
            self.wrong.append(f"{path.stem}: the key did not sign this seal")
            seal = {**seal, "files": [], "late": []}
        if (seal["format"], seal["tenant"], seal["month"]) != (1, self.tenant, path.stem):
            self.wrong.append(f"{path.stem}: the seal is another tenant's, or another month's")
            return
        if self.months and path.stem != _month_after(self.months[-1]):
            self.wrong.append(f"{_month_after(self.months[-1])}: the seal is missing")
        if seal["previous"] != self.last:
            self.wrong.append(f"{path.stem}: the seal before it is missing, or is another")
        self.months.append(path.stem)
        self.last = hashlib.sha256(content).hexdigest()
        for name in ("files", "late"):
            self._verify_files(path.stem, seal[name], is_late=name == "late")

    def _is_signed(self, path: Path, content: bytes) -> bool:
        signature = path.with_suffix(".sig")
        if not signature.is_file():
            return False
        for key in self.keys:
            try:
                key.verify(signature.read_bytes(), content, ec.ECDSA(hashes.SHA256()))  # type: ignore[union-attr, call-arg, arg-type]
            except InvalidSignature:
                continue
            return True
        return False

    def _verify_files(self, month: str, files: Sequence[dict[str, Any]], *, is_late: bool) -> None:
        paths = [str(file["path"]) for file in files]
        if paths != sorted(set(paths)):
            self.wrong.append(f"{month}: the files are in another order")
        for file in files:
            path = str(file["path"])
            kind, owner, day, _ = [*path.split("/"), *[""] * 4][:4]
            of_month = day.removeprefix("day=")[:7]
            is_ours = kind in KINDS and owner == f"tenant={self.tenant}"
            if not is_ours or ".." in path or (of_month < month) != is_late or of_month > month:
                self.wrong.append(f"{path}: it is no file of {month}")
            elif path in self.named:
                self.wrong.append(f"{path}: two seals name it")
            else:
                self._verify_file(file)
            self.named.add(path)
            self.rows += int(file["rows"])

    def _verify_file(self, file: dict[str, Any]) -> None:
        kept = self.copy / str(file["path"])
        if not kept.is_file():
            self.wrong.append(f"{file['path']}: it is missing")
            return
        content = kept.read_bytes()
        if len(content) != file["bytes"] or hashlib.sha256(content).hexdigest() != file["sha256"]:
            self.wrong.append(f"{file['path']}: it was changed")

    def _verify_strangers(self, since: str) -> None:
        """Find files of the sealed months that no seal names; later days are not sealed yet.

        A link to a folder is found as a file: what is behind it is not listed here.
        """
        for kind in KINDS:
            for kept in sorted((self.copy / kind / f"tenant={self.tenant}").rglob("*")):
                path = kept.relative_to(self.copy).as_posix()
                month = path.partition("/day=")[2][:7]
                is_of_one = not month or since <= month <= self.months[-1]
                is_one = kept.is_file() or kept.is_symlink()
                if is_one and is_of_one and path not in self.named:
                    self.wrong.append(f"{path}: no seal names it")


def _month_after(month: str) -> str:
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04d}-{number % 12 + 1:02d}"


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Verify a copy of a tenant's ledger.")
    parser.add_argument("copy", type=Path)
    parser.add_argument("tenant")
    parser.add_argument("--key", type=Path, action="append", required=True, dest="keys")
    parser.add_argument("--since", help="the first month of the copy, if it is not the first")
    parser.add_argument("--previous", help="the digest of the seal before it")
    parser.add_argument("--until", help="the last month that must be there")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Print what is wrong, or what holds."""
    given = _arguments(words)
    found = Verification(given.copy, given.tenant, [each.read_bytes() for each in given.keys])
    found.verify(given.since, given.previous, given.until)
    for line in found.wrong:
        sys.stdout.write(f"{line}\n")
    if not found.wrong:
        sys.stdout.write(
            f"{found.rows} rows in {len(found.named)} files are as they were sealed, from"
            f" {found.months[0]} to {found.months[-1]}.\nThe last seal is {found.last}.\n"
        )
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
