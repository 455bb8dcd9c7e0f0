"""Decision records: heads, numbers, and the index that is written from them."""

from pathlib import Path

import pytest

from infra.pages import decision_index
from infra.pages.decision_index import PAGE, HeadMissing, page, records

#: Words of an outcome: a reader of the index reads one line a record.
WORDS = 25
#: Lines of a record that another one has taken over.
POINTER = 6


def test_the_index_is_written_from_the_heads() -> None:
    """Run ``make decisions`` after a change of a record's head."""
    assert PAGE.read_text() == page()


def test_a_record_has_the_number_of_its_file() -> None:
    """Two records with one number make a reference ambiguous."""
    numbers = [each.number for each in records()]

    assert numbers == [int(each.path.name[:4]) for each in records()]
    assert len(set(numbers)) == len(numbers)


def test_a_status_names_a_record_that_holds() -> None:
    """A reader who follows a status ends at a record that holds, in one step."""
    holding = {each.number for each in records() if each.successor is None}
    astray = {
        each.number
        for each in records()
        if each.successor is not None and each.successor not in holding
    }

    assert astray == set()


def test_a_record_cannot_be_amended_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A decision that changes a rule edits the record of the rule."""
    (tmp_path / "0001-a.md").write_text(
        "# 1. A\n\n- Status: amended by 2\n- Date: 2026-11-27\n- Outcome: B.\n"
    )
    monkeypatch.setattr(decision_index, "FOLDER", tmp_path)

    with pytest.raises(HeadMissing):
        records()


def test_a_superseded_record_is_a_pointer() -> None:
    """A decision is read in one place."""
    long = {
        each.number
        for each in records()
        if each.status.startswith("superseded") and each.path.read_text().count("\n") > POINTER
    }

    assert long == set()


def test_an_outcome_is_one_line() -> None:
    """Longer outcomes belong to the record."""
    long = {each.number for each in records() if len(each.outcome.split()) > WORDS}

    assert long == set()
