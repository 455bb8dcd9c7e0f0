"""One tick of sealing: the seals of the month that is archived, or of the one that was begun.

Each plan, seal and signature is created once, under a computed name. A seal that is made again, by
two archivers or after a crash, meets the stored one, and what is signed is what is stored.
"""

import json
import textwrap
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from timegate.domain.archive.canonical import canonical_json, digest_of
from timegate.domain.archive.months import first_day, month_after, month_before
from timegate.domain.archive.rounds import SETTLING, complete_path, midnight, rounds_folder
from timegate.domain.archive.seals import (
    FILES_AT_HAND,
    MonthPlan,
    SealedFile,
    key_path,
    month_complete_path,
    month_part_path,
    month_plan_path,
    months_folder,
    plan_of,
    seal_of,
    seal_path,
    seals_folder,
    signature_path,
    tenant_in,
)
from timegate.domain.values.errors import Malformed
from timegate.ports.archive import ArchiveFiles
from timegate.ports.telemetry import service_events
from timegate.usecases.archive.archive_round import listed_files, read_round
from timegate.usecases.archive.archive_services import Sealing
from timegate.value_classes import dataclass

#: Tenants whose seals are made at once, and between two looks at the time that is left.
SIDE_BY_SIDE = 16
_CHUNK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Sealed:
    """Counts of one tick."""

    #: Tenants whose seals this tick signed.
    seals: int = 0
    #: The month that this tick completed.
    month: str | None = None


def seal_months(sealing: Sealing, has_time: Callable[[], bool], *, now: datetime) -> Sealed:
    """Seal the month that was begun, or the next one if the archive has all of it.

    ``has_time``: asked before each chunk of tenants but the first.
    """
    files = sealing.files
    begun = files.folders(months_folder())
    latest = begun[-1] if begun else None
    if latest is not None and files.read(month_complete_path(latest)) is None:
        plan = _read_plan(files, latest)
    else:
        planned = _plan(sealing, month_after(latest) if latest is not None else None, now)
        if planned is None:
            return Sealed()
        plan = planned
    return _seal(sealing, plan, has_time, now)


def _plan(sealing: Sealing, month: str | None, now: datetime) -> MonthPlan | None:
    """Store the plan of the next month; ``None``: it is not due."""
    files = sealing.files
    if month is not None and now < midnight(first_day(month_after(month))) + SETTLING:
        return None
    rounds = files.folders(rounds_folder())
    if rounds and files.read(complete_path(rounds[-1])) is None:
        rounds.pop()
    plan = plan_of(month, rounds)
    if plan is None:
        return None
    count = sum(_files_in(files, name) for name in plan.rounds)
    plan = replace(plan, parts=1 + count // FILES_AT_HAND)
    # Another archiver may have planned the same month: the stored plan holds.
    files.create(month_plan_path(plan.month), canonical_json(plan.as_json()))
    return _read_plan(files, plan.month)


def _seal(sealing: Sealing, plan: MonthPlan, has_time: Callable[[], bool], now: datetime) -> Sealed:
    # The key may be another one than that of the tick before.
    _keep_key(sealing)
    done, counts = 0, Counter[str]()
    chained = [tenant_in(each) for each in sealing.files.folders(seals_folder())]
    for part in range(plan.parts):
        path = month_part_path(plan.month, part)
        # A tick that reads the lists of signed parts again has no time left for the next one.
        signed = sealing.files.read(path)
        if signed is None:
            found = _files_of(sealing.files, plan, part)
            of_part = {each for each in chained if each is not None and plan.part_of(each) == part}
            names = sorted(of_part | found.keys())
            for start in range(0, len(names), _CHUNK):
                if done and not has_time():
                    return Sealed(seals=done)
                done += _seal_all(sealing, plan, names[start : start + _CHUNK], found)
            own = {"tenants": len(names), "files": sum(map(len, found.values()))}
            signed = canonical_json(own)
            sealing.files.create(path, signed)
        counts.update(json.loads(signed))
    told = {"completed_at": now.isoformat(), **counts}
    sealing.files.create(month_complete_path(plan.month), canonical_json(told))
    sealing.telemetry.event(service_events.MONTH_SEALED, month=plan.month, **told)
    return Sealed(seals=done, month=plan.month)


def _seal_all(
    sealing: Sealing,
    plan: MonthPlan,
    tenants: Sequence[str],
    found: Mapping[str, Sequence[SealedFile]],
) -> int:
    """Seal tenants side by side; returns how many had no signature."""
    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        return sum(
            pool.map(lambda each: _seal_one(sealing, plan, each, found.get(each, ())), tenants)
        )


def _seal_one(sealing: Sealing, plan: MonthPlan, tenant: str, found: Sequence[SealedFile]) -> bool:
    """Create a tenant's seal and its signature, each once; tells if there was no signature."""
    files = sealing.files
    path, signature = seal_path(tenant, plan.month), signature_path(tenant, plan.month)
    if files.read(signature) is not None:
        return False
    before = files.read(seal_path(tenant, month_before(plan.month)))
    content = seal_of(plan, tenant, found, before).as_bytes()
    if not files.create(path, content):
        content = files.read(path) or content
    return files.create(signature, sealing.signer.sign(content))


def _files_of(
    files: ArchiveFiles, plan: MonthPlan, part: int
) -> defaultdict[str, list[SealedFile]]:
    """Return what the seals of a part name, by tenant."""
    found: defaultdict[str, list[SealedFile]] = defaultdict(list)
    for name in plan.rounds:
        for file in _listed(files, name):
            if plan.has(name, file) and plan.part_of(file.tenant) == part:
                found[file.tenant].append(file)
    return found


def _listed(files: ArchiveFiles, name: str) -> Iterator[SealedFile]:
    for one in listed_files(files, read_round(files, name)):
        yield from map(SealedFile.from_json, one)


def _files_in(files: ArchiveFiles, name: str) -> int:
    content = files.read(complete_path(name))
    return int(json.loads(content)["files"]) if content is not None else 0


def _keep_key(sealing: Sealing) -> None:
    """Keep the public key beside the seals, under its fingerprint."""
    der = sealing.signer.public_key()
    lines = textwrap.wrap(b64encode(der).decode(), 64)
    pem = "\n".join(("-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""))
    sealing.files.create(key_path(digest_of(der)), pem.encode())


def _read_plan(files: ArchiveFiles, month: str) -> MonthPlan:
    content = files.read(month_plan_path(month))
    if content is None:
        raise Malformed(f"Month {month} of the archive has no plan.")
    return MonthPlan.from_json(json.loads(content))
