"""Files of the archive: DuckDB reads them, and the archive's own reader does."""

from datetime import datetime
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.adapters.parquet import writer
from timegate.adapters.parquet.reader import read_rows
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.archive.columns import ArchivedRow, Cell, RecordKind
from timegate.domain.values.errors import Malformed

NAMES = ("job_id", "instants", "recorded_at", "reason")
#: Microseconds of 2026-11-21T07:00:00.123Z.
INSTANT = 1_795_244_400_123_000
TEXTS = st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=9))
NUMBERS = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))


def row(**cells: Cell) -> ArchivedRow:
    """A gap with these cells."""
    return ArchivedRow(kind=RecordKind.GAPS, tenant="acme", day="2026-11-21", cells=cells)


def encoded(*rows: ArchivedRow) -> bytes:
    """Their file."""
    return ParquetFiles().encode(RecordKind.GAPS, rows)


def test_duckdb_reads_each_kind_of_column(tmp_path: Path) -> None:
    """Text, numbers and instants of UTC, each of which may be null."""
    file = tmp_path / "gaps.parquet"
    rows = [
        row(job_id="zoë", instants=-3, recorded_at=INSTANT),
        row(job_id=None, instants=None, recorded_at=None),
        row(job_id="", instants=2**63 - 1, recorded_at=0),
    ]
    file.write_bytes(encoded(*rows))
    asked = "SELECT job_id, instants, recorded_at, reason FROM read_parquet(?)"

    assert duckdb.execute(asked, [str(file)]).fetchall() == [
        ("zoë", -3, datetime(2026, 11, 21, 7, 0, 0, 123_000), None),  # noqa: DTZ001 - in UTC
        (None, None, None, None),
        ("", 2**63 - 1, datetime(1970, 1, 1), None),  # noqa: DTZ001 - in UTC
    ]


def test_duckdb_reads_many_rows_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two whole groups and a row."""
    monkeypatch.setattr(writer, "ROWS_PER_GROUP", 100)
    file = tmp_path / "gaps.parquet"
    content = encoded(*(row(instants=n if n % 3 else None) for n in range(201)))
    file.write_bytes(content)
    (found,) = duckdb.execute(
        "SELECT count(*), count(instants), sum(instants) FROM read_parquet(?)", [str(file)]
    ).fetchall()
    groups = duckdb.execute(
        "SELECT count(DISTINCT row_group_id) FROM parquet_metadata(?)", [str(file)]
    ).fetchone()

    assert found == (201, 134, sum(n for n in range(201) if n % 3))
    assert groups == (3,)
    assert [each["instants"] for each in read_rows(content, ["instants"])][-1] == 200


@given(
    st.lists(
        st.fixed_dictionaries(
            {"job_id": TEXTS, "instants": NUMBERS, "recorded_at": NUMBERS, "reason": TEXTS}
        ),
        max_size=20,
    )
)
def test_rows_are_read_back(cells: list[dict[str, Cell]]) -> None:
    """Rows come back as they were written, in their order."""
    assert read_rows(encoded(*(row(**each) for each in cells)), NAMES) == cells


def test_the_same_rows_give_the_same_bytes() -> None:
    """A segment that is archived again has the file it had."""
    assert encoded(row(job_id="a")) == encoded(row(job_id="a"))


def test_a_column_that_a_file_lacks_is_null() -> None:
    """Files of a former version have fewer columns."""
    assert read_rows(encoded(row(job_id="a")), ["job_id", "later"]) == [
        {"job_id": "a", "later": None}
    ]


@pytest.mark.parametrize("content", [b"", b"PAR1PAR1", b"no file of ours, but long enough"])
def test_what_is_no_file_is_refused(content: bytes) -> None:
    """It was written by a person, or cut."""
    with pytest.raises(Malformed):
        read_rows(content, ["job_id"])
