"""Placement: a tenant that computes its own ids cannot aim at a shard."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import count, islice
from zlib import crc32

import pytest

from tests.support.execution.placing import KEY, first_shards, placed
from tests.support.factories import NOW
from timegate.domain.dispatch.shards import ONE_SHARD, Placement
from timegate.domain.values.identity import JobId, job_id_for_key
from timegate.domain.values.tenant import TenantId

SHARDS = 8
#: A wrong verdict on an even spread comes once in 100,000 for each: chi-square, 7 degrees.
LIMIT_OF_8 = 36.5
#: The same for 3 degrees, the parts of a pool.
LIMIT_OF_4 = 26.1
ATTACK = 1_053


def chi_square(placed_in: Iterable[int], parts: int) -> float:
    """Return the distance of counts from an even spread."""
    counts = Counter(placed_in)
    expected = counts.total() / parts
    return sum((counts[part] - expected) ** 2 / expected for part in range(parts))


def aimed_by_checksum() -> list[JobId]:
    """Ids that a tenant computes so that a checksum without a key puts them all into shard 0."""
    tenant = TenantId("acme")
    ids = (job_id_for_key(tenant, str(number)) for number in count())
    return list(islice((each for each in ids if crc32(each.encode()) % SHARDS == 0), ATTACK))


def aimed_under(key: bytes) -> list[JobId]:
    """Ids that all fall into shard 0 under some other stage's key."""
    wrong, tenant = Placement(shards=SHARDS, key=key), TenantId("acme")
    ids = (job_id_for_key(tenant, str(number)) for number in count())
    return list(islice((each for each in ids if wrong.shard_of(each) == 0), ATTACK))


@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(aimed_by_checksum(), id="by a checksum"),
        pytest.param(aimed_under(b""), id="by the hash without its key"),
        pytest.param(aimed_under(bytes(32)), id="by another key"),
    ],
)
def test_ids_computed_for_one_shard_spread_evenly(ids: list[JobId]) -> None:
    """1,053 ids aimed at one of eight shards: each shard gets its share."""
    shards = [placed(SHARDS).shard_of(each) for each in ids]
    parts = [placed(SHARDS).part_of(f"{each}.s20260101T000000000Z.1", 4) for each in ids]

    assert chi_square(shards, SHARDS) < LIMIT_OF_8
    assert chi_square(parts, 4) < LIMIT_OF_4


def test_the_bound_tells_an_attack_that_works() -> None:
    """All ids in one shard are far beyond it."""
    ids = aimed_under(KEY)

    assert chi_square((placed(SHARDS).shard_of(each) for each in ids), SHARDS) > 7_000


def test_every_process_places_a_job_alike() -> None:
    """A job's shard does not depend on the hash seed of a process."""
    job = job_id_for_key(TenantId("acme"), "nightly")
    program = (
        "from timegate.domain.dispatch.shards import Placement; "
        f"print(Placement(shards=1024, key={KEY!r}).shard_of({job!r}))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={"PYTHONPATH": "layers/core/python", "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]

    assert told == [f"{placed(1024).shard_of(job)}\n"] * 2


def test_no_text_of_a_placement_shows_the_key() -> None:
    """A log line or an error that holds one tells nothing."""
    shown = f"{placed(4)!r} {first_shards(4, at=NOW)!r} {placed(4)} {first_shards(4, at=NOW)}"

    assert repr(KEY) not in shown
    assert KEY.hex() not in shown
    assert "key" not in shown


def test_one_shard_needs_no_key() -> None:
    """Everything is in it."""
    assert {ONE_SHARD.shard_of(JobId(str(number))) for number in range(9)} == {0}
