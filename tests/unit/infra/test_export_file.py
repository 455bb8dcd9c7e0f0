"""Files of exports: resumed where they were cut, refused where they are damaged."""

from pathlib import Path
from typing import Any

import pytest

from infra.admin.export_file import WholeFile
from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, after
from tests.support.moving.stages import held, opened, reached
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Scan
from timegate.domain.moving.errors import ExportDamaged, ExportDiffers, ExportUnknown, MoveRefused
from timegate.domain.moving.export_lines import Chain
from timegate.domain.moving.moved_kinds import MovedKind


@pytest.fixture
def old() -> World:
    """A stage with a tenant that has everything."""
    world = opened()
    inhabit(world, "acme")
    return world


class Cut:
    """An engine of small pages, whose process dies at one of them."""

    def __init__(self, engine: Any, pages: int) -> None:  # noqa: ANN401 - any engine
        self._engine, self._left = engine, pages

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - its calls
        return getattr(self._engine, name)

    def scan(self, scan: Scan) -> Any:  # noqa: ANN401 - as it is answered
        """Read a page, or die."""
        self._left -= 1
        if self._left < 0:
            raise SystemExit
        return self._engine.scan(scan)


def export(world: World, path: Path, **changes: Any) -> Any:  # noqa: ANN401 - as it is answered
    """Export all of it."""
    engine = changes.pop("engine", None)
    options = {"tenant": None, "history": True, "now": NOW} | changes
    return export_stage(reached(world, engine=engine), path, **options)


def test_an_export_that_is_cut_goes_on(
    old: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every page; what a line was cut in is written again, and nothing twice."""
    monkeypatch.setattr("infra.admin.moving.PAGE", 7)
    export(old, tmp_path / "whole")
    pages = 0
    while True:
        path = tmp_path / f"cut{pages}"
        try:
            export(old, path, engine=Cut(old.tables.engine, pages))
        except SystemExit:
            pages += 1
        else:
            break
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(part.read_bytes()[: -3 if pages > 1 else None])
        done = export(old, path, now=after(60))
        assert (done.resumed, done.head.exported_at) == (True, NOW)
        assert path.read_bytes() == (tmp_path / "whole").read_bytes()

    assert pages > 10


def test_an_export_of_something_else_is_not_resumed(old: World, tmp_path: Path) -> None:
    """The part file is left as it is."""
    with pytest.raises(SystemExit):
        export(old, tmp_path / "f", engine=Cut(old.tables.engine, 1))
    before = (tmp_path / "f.part").read_bytes()

    with pytest.raises(ExportDiffers):
        export(old, tmp_path / "f", history=False)
    assert (tmp_path / "f.part").read_bytes() == before


def test_a_damaged_file_is_refused_before_anything_is_written(old: World, tmp_path: Path) -> None:
    """By its checksum, with a code; the line is named."""
    path, new = tmp_path / "f", opened()
    export(old, path)
    before, lines = held(new), path.read_text().splitlines(keepends=True)
    middle = len(lines) // 2
    lines[middle] = lines[middle].replace("acme", "acne", 1)
    path.write_text("".join(lines))

    with pytest.raises(ExportDamaged, match=f"Line {middle + 1} ") as refused:
        import_stage(reached(new), path, now=NOW)
    assert refused.value.code == "export_damaged"
    assert held(new) == before


def test_records_come_in_the_order_in_which_they_are_stored(old: World, tmp_path: Path) -> None:
    """A job behind its calendars, and a trigger behind its job."""
    export(old, tmp_path / "f")
    file = WholeFile(tmp_path / "f")
    kinds = [list(MovedKind).index(MovedKind(each["kind"])) for each in file.in_order()]

    assert kinds == sorted(kinds)
    assert len(kinds) == file.records > 30


def test_a_record_of_a_later_release_is_refused(tmp_path: Path) -> None:
    """Nothing of the file is imported then."""
    chain, path = Chain(), tmp_path / "f"
    head: Any = {"timegate_export": 1, "stage": "prod", "tenant": None, "history": False}
    bodies: tuple[Any, ...] = (
        {**head, "exported_at": "2026-11-21T07:00:00Z"},
        {"kind": "moon", "item": {}},
        {"end": {}},
    )
    path.write_text("".join(chain.line(each) for each in bodies))

    with pytest.raises(ExportUnknown, match="'moon'"):
        WholeFile(path)
    assert issubclass(ExportUnknown, MoveRefused)
