"""Lines of logs: each is JSON, and short enough that CloudWatch keeps it whole."""

import json
import logging

import pytest

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.values.errors import Malformed
from timegate.runtime.plain_logs import LONGEST_TEXT, log_json, redact_other_loggers

#: The bound of an event in CloudWatch Logs.
MOST_BYTES = 1024 * 1024


@pytest.mark.parametrize("size", [LONGEST_TEXT - 1, LONGEST_TEXT])
def test_a_text_is_kept(size: int) -> None:
    """Texts up to the bound are not changed."""
    assert json.loads(log_json({"detail": "x" * size})) == {"detail": "x" * size}


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [{"inner": (text,)}]])
def test_the_midst_of_a_longer_text_is_left_out(wrap: object) -> None:
    """However deep it lies; the end of a trace names the error."""
    text = "Traceback" + "x" * LONGEST_TEXT + "KeyError"
    line = log_json({"trace": wrap(text)})  # type: ignore[operator]

    assert len(line) < LONGEST_TEXT + 100
    assert all(part in line for part in ("Traceback", "[17 characters left out]", "KeyError"))


def test_an_unreadable_item_of_any_size_is_told_in_a_line() -> None:
    """Damage quotes what it met: here a map of the largest item in place of a text."""
    huge: dict[str, Plain] = {
        "pk": "acme#x",
        "sk": {f"key {n}": "\u00e9" * 1000 for n in range(190)},
    }
    with pytest.raises(Malformed) as damage:
        attempt_from_fields(huge)
    detail = str(damage.value)
    line = log_json({"message": "run_unreadable", "detail": detail * 6})

    assert len(detail) > LONGEST_TEXT
    assert len(line.encode()) < MOST_BYTES
    assert json.loads(line)["message"] == "run_unreadable"


def test_a_credential_is_hidden_before_a_text_is_cut() -> None:
    """One that lies across the cut leaves no half behind."""
    token = "Bearer " + "a1B2" * 40
    half = LONGEST_TEXT // 2
    line = log_json({"detail": "x " * (half // 2 - 10) + token + " y" * LONGEST_TEXT})

    assert "a1B2" not in line


def test_lines_of_libraries_are_cut_as_well() -> None:
    """They quote requests."""
    handler = logging.StreamHandler()
    logging.getLogger().addHandler(handler)
    try:
        redact_other_loggers()
        record = logging.LogRecord("boto", 20, "", 0, "%s", ("x" * LONGEST_TEXT * 2,), None)
        assert handler.filter(record)
    finally:
        logging.getLogger().removeHandler(handler)

    assert len(record.getMessage()) < LONGEST_TEXT + 100
