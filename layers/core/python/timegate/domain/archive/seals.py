"""Seals name a tenant's files of a month, and the seal before, by their digests.

A seal is canonical JSON, and is signed as it is stored: the same months, files and seals before
give the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Self

from timegate.domain.archive.canonical import canonical_json, digest_of
from timegate.domain.archive.months import first_day, month_after, month_before, month_of
from timegate.domain.values.errors import Malformed
from timegate.value_classes import dataclass

#: Files that are at hand at once while a month is sealed.
FILES_AT_HAND = 100_000
_SEALS = "seals/"
_MONTHS = f"{_SEALS}months/"
_TENANT = "tenant="
_DAY = "/day="


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class SealedFile:
    """A file of the archive, as the list of its segment names it."""

    path: str
    rows: int
    bytes: int
    sha256: str

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> Self:
        """Read it back from a list or a seal; raises ``Malformed``."""
        try:
            return cls(
                path=str(told["path"]),
                rows=int(str(told["rows"])),
                bytes=int(str(told["bytes"])),
                sha256=str(told["sha256"]),
            )
        except (LookupError, TypeError, ValueError) as error:
            raise Malformed(f"{told!r} names no file of the archive.") from error

    @property
    def tenant(self) -> str:
        """Return whose it is."""
        return self.path.partition(f"/{_TENANT}")[2].partition("/")[0]

    @property
    def month(self) -> str:
        """Return the month of its day."""
        return month_of(self.path.partition(_DAY)[2])

    def as_json(self) -> dict[str, object]:
        """Return it as lists and seals name it."""
        return {
            "path": self.path,
            "rows": self.rows,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class MonthPlan:
    """A month that is to be sealed, and the rounds whose files it has.

    Both are stored before anything is sealed: a crash and later rounds change nothing.
    """

    month: str
    #: The last one is the first that ended after the month.
    rounds: Sequence[str]
    #: The round that the seals of the month before end with: it has files of this month as well.
    shared: str | None
    #: Parts in which tenants are sealed, one after the other.
    parts: int = 1

    def as_json(self) -> dict[str, object]:
        """Return the plan as it is stored."""
        return {
            "month": self.month,
            "rounds": list(self.rounds),
            "shared": self.shared,
            "parts": self.parts,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> Self:
        """Read a plan back; raises ``Malformed``."""
        rounds, shared = told.get("rounds"), told.get("shared")
        if not isinstance(rounds, list) or not rounds:
            raise Malformed(f"{told!r} is no plan of a month.")
        return cls(
            month=str(told["month"]),
            rounds=tuple(map(str, rounds)),
            shared=str(shared) if shared is not None else None,
            parts=int(str(told["parts"])),
        )

    def has(self, name: str, file: SealedFile) -> bool:
        """Tell if a file of a round is named by this month's seal.

        Files of days before the month, in a round that no earlier seal has, are late.
        """
        if name == self.shared:
            return file.month == self.month
        return file.month <= self.month

    def part_of(self, tenant: str) -> int:
        """Return the part in which a tenant is sealed."""
        return int(digest_of(tenant.encode())[:8], 16) % self.parts


@dataclass(frozen=True, kw_only=True, slots=True)
class Seal:
    """Seal of a tenant's month: its files in the archive, by their digests."""

    tenant: str
    month: str
    #: All that ended before this day is archived.
    archived_until: str
    #: SHA-256 of the seal of the month before; ``None``: the chain begins here.
    previous: str | None
    files: Sequence[SealedFile] = field(default_factory=tuple)
    #: Files of days before the month that no earlier seal names.
    late: Sequence[SealedFile] = field(default_factory=tuple)

    def as_bytes(self) -> bytes:
        """Return the seal as it is stored and signed."""
        told = {
            "format": 1,
            "tenant": self.tenant,
            "month": self.month,
            "archived_until": self.archived_until,
            "previous": self.previous,
            "files": [each.as_json() for each in sorted(self.files)],
            "late": [each.as_json() for each in sorted(self.late)],
        }
        return canonical_json(told)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read a seal back."""
        told = json.loads(content)
        return cls(
            tenant=told["tenant"],
            month=told["month"],
            archived_until=told["archived_until"],
            previous=told["previous"],
            files=tuple(map(SealedFile.from_json, told["files"])),
            late=tuple(map(SealedFile.from_json, told["late"])),
        )


def seal_of(
    plan: MonthPlan, tenant: str, files: Sequence[SealedFile], before: bytes | None
) -> Seal:
    """Return a tenant's seal of a month; ``before``: its seal of the month before."""
    return Seal(
        tenant=tenant,
        month=plan.month,
        archived_until=plan.rounds[-1],
        previous=digest_of(before) if before is not None else None,
        files=tuple(each for each in files if each.month == plan.month),
        late=tuple(each for each in files if each.month < plan.month),
    )


def plan_of(month: str | None, rounds: Sequence[str]) -> MonthPlan | None:
    """Return the plan of a month; ``None``: the archive does not have all of it yet.

    ``rounds``: ends of complete rounds, in order. ``month``: none was sealed before it if it is
    ``None``; the first to be sealed is the last one that is archived.
    """
    is_first = month is None
    if month is None:
        if not rounds:
            return None
        month = month_before(month_of(rounds[-1]))
    end, begin = first_day(month_after(month)).isoformat(), first_day(month).isoformat()
    behind = [each for each in rounds if each >= end]
    if not behind:
        return None
    within = [each for each in rounds if each <= behind[0] and (is_first or each >= begin)]
    return MonthPlan(month=month, rounds=within, shared=None if is_first else within[0])


def seals_folder() -> str:
    """Return the folder of all seals."""
    return _SEALS


def tenant_seals(tenant: str) -> str:
    """Return the folder of a tenant's seals."""
    return f"{_SEALS}{_TENANT}{tenant}/"


def tenant_in(folder: str) -> str | None:
    """Return whose a folder of seals is; ``None``: it is no tenant's."""
    return folder.removeprefix(_TENANT) if folder.startswith(_TENANT) else None


def seal_path(tenant: str, month: str) -> str:
    """Return where a tenant's seal of a month lies."""
    return f"{tenant_seals(tenant)}{month}.json"


def signature_path(tenant: str, month: str) -> str:
    """Return where the signature of that seal lies."""
    return f"{tenant_seals(tenant)}{month}.sig"


def months_folder() -> str:
    """Return the folder of the months that were begun."""
    return _MONTHS


def month_plan_path(month: str) -> str:
    """Return where the plan of a month lies."""
    return f"{_MONTHS}{month}/plan.json"


def month_complete_path(month: str) -> str:
    """Return where the word lies that every tenant's seal of a month is signed."""
    return f"{_MONTHS}{month}/complete.json"


def month_part_path(month: str, part: int) -> str:
    """Return where the word lies that the seals of a part of a month are signed."""
    return f"{_MONTHS}{month}/part-{part:05d}.json"


def keys_folder() -> str:
    """Return the folder of public keys."""
    return f"{_SEALS}keys/"


def key_path(fingerprint: str) -> str:
    """Return where a public key lies, by the SHA-256 of its DER form."""
    return f"{keys_folder()}{fingerprint}.pem"
