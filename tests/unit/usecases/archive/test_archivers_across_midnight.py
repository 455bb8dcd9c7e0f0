"""Two archivers that begin a round on both sides of midnight begin the same one."""

import json
from typing import Any

import pytest

from tests.unit.usecases.archive.test_archive_round import DAY, Archiver
from timegate.domain.values.errors import Malformed

#: The tick of one archiver begins before midnight, that of the other behind it.
FIRST, LATER = (2.7, 2.71), (9.7, 9.71)


def met_by_another(archiver: Archiver, days: float, patch: pytest.MonkeyPatch) -> None:
    """Let another archiver make its tick once the next one has looked for rounds."""
    folders = archiver.files.folders

    def overtaken(*given: Any, **named: Any) -> list[str]:  # noqa: ANN401 - as the files take them
        found = folders(*given, **named)
        patch.undo()
        archiver.tick(days)
        return found

    patch.setattr(archiver.files, "folders", overtaken)


@pytest.mark.parametrize(("before", "behind"), [FIRST, LATER, FIRST[::-1], LATER[::-1]])
def test_each_run_is_in_one_round(
    before: float, behind: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds that ended a day apart had the days before in files of both."""
    archiver = Archiver()
    archiver.end("a", 10)
    if (before, behind) in {LATER, LATER[::-1]}:
        archiver.tick(2)
    archiver.end("b", 1.2 * DAY)
    met_by_another(archiver, behind, monkeypatch)
    archiver.tick(before)
    for day in range(10, 30):
        archiver.tick(day)
    jobs = [job for _, job in archiver.archived()]

    assert len(jobs) == len(set(jobs)) == 2


def test_a_round_whose_end_cannot_be_read_is_not_guessed() -> None:
    """An operator repairs it; another end would archive days twice."""
    archiver = Archiver()
    archiver.files.create("rounds/first.json", json.dumps({"until": "2026-11-22"}).encode())

    with pytest.raises(Malformed, match=r"rounds/first\.json"):
        archiver.tick()
