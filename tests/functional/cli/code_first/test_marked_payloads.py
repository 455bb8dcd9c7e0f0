"""Jobs beside their functions whose payloads have marks: types read them as they are sent."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pytest
from pydantic import BaseModel

from timegate.domain.jobs.rules.mark_grammar import MARKS
from timegate.worker import DeclaredJob, cron, job
from timegate.worker.declared import shapes
from timegate.worker.declared.marked import as_sent
from timegate.worker.declared.shapes import ShapeMismatch


class Close(BaseModel):
    day: date
    since: datetime
    number: int = 0


@dataclass
class Named:
    day: str
    number: int = 0


def declared(takes: type, payload: object, **fields: Any) -> DeclaredJob[Any, None]:  # noqa: ANN401
    """A scheduled job whose function takes a type."""

    def close(given: Any) -> None:  # noqa: ANN401
        """Close a day."""

    close.__annotations__["given"] = takes
    return job("close", schedule=cron("0 0 * * *"), payload=payload, **fields)(close)


MARKED = {"day": "{{date.previous}}", "since": "{{run.scheduled_at}}"}


def test_a_mark_fits_where_its_value_does() -> None:
    """The definition has the marks; dates and instants are read from their values."""
    made = declared(Close, MARKED, payload_marks={}).definition("pool")

    assert made["payload"] == MARKED


@pytest.mark.parametrize(
    ("payload", "fields"),
    [
        pytest.param(MARKED, {}, id="without the wish a text is no date"),
        pytest.param(MARKED, {"payload_marks": None}, id="nor with null"),
        pytest.param(MARKED | {"day": "{{month}}"}, {"payload_marks": {}}, id="a month is no day"),
        pytest.param(MARKED | {"day": "{{day}}"}, {"payload_marks": {}}, id="an unknown mark"),
        pytest.param(MARKED | {"day": "{{{{date}}"}, {"payload_marks": {}}, id="an escape"),
        pytest.param(MARKED | {"number": "{{job.id}}"}, {"payload_marks": {}}, id="an id"),
    ],
)
def test_what_does_not_fit_as_it_is_sent_is_refused(payload: Any, fields: Any) -> None:  # noqa: ANN401
    """At deploy, and not by each of its runs."""
    with pytest.raises(ShapeMismatch):
        declared(Close, payload, **fields).definition("pool")


def test_a_number_of_text_is_read_where_pydantic_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark's value is a text: dataclasses alone take it for no number, as their runs do."""
    epoch = {"day": "{{date}}", "number": "{{run.scheduled_epoch}}"}
    read = declared(Named, epoch, payload_marks={}).definition("pool")
    monkeypatch.setattr(shapes, "find_spec", lambda _: None)

    assert read["payload"] == epoch
    with pytest.raises(ShapeMismatch, match="number"):
        declared(Named, epoch, payload_marks={}).definition("pool")


@pytest.mark.parametrize("mark", sorted(MARKS))
def test_every_mark_has_a_value(mark: str) -> None:
    """A mark that is added later too."""
    assert "{{" not in as_sent([f"{{{{{mark}}}}}"], "close")[0]
