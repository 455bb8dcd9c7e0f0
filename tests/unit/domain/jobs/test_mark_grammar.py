"""Marks in texts of a JSON document: which are there, and what fills them."""

import json
from contextlib import suppress
from time import process_time

import pytest

from timegate.domain.jobs.rules.mark_grammar import MARKS, escaped, filled, growth
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES

VALUES = dict.fromkeys(MARKS, "?") | {"date": "2026-11-30", "job.name": "{{date}} \"\\\u2028'"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("{{date}}", "2026-11-30", id="alone"),
        pytest.param("a{{ date  }}b", "a2026-11-30b", id="spaced"),
        pytest.param("{{date}}{{date}}", "2026-11-302026-11-30", id="twice"),
        pytest.param("{{{{date}}", "{{date}}", id="escaped"),
        pytest.param("{{{date}}}", "{2026-11-30}", id="within-braces"),
        pytest.param("{{{{{date}}", "{{{date}}", id="escaped-three"),
        pytest.param("{{{{{{date}}", "{{2026-11-30", id="after-an-escape"),
        pytest.param("{{{{{{{date}}", "{{{2026-11-30", id="after-three"),
        pytest.param("{{{{{{{{", "{{{{", id="four-braces"),
        pytest.param("{date} }} {", "{date} }} {", id="no-mark"),
        pytest.param("{{date}}}}", "2026-11-30}}", id="closed-twice"),
        pytest.param("{{job.name}}", "{{date}} \"\\\u2028'", id="never-again"),
    ],
)
def test_a_text_is_filled_once(text: str, value: str) -> None:
    """Texts that a mark brings in are text."""
    document = json.dumps({"{{date}}": [text], "n": 1.50})

    assert json.loads(filled(document, VALUES)) == {"{{date}}": [value], "n": 1.5}
    assert growth(document) is not None


def test_everything_beside_texts_with_braces_keeps_its_characters() -> None:
    """Numbers, white space and escapes of other texts are those that were given."""
    document = '{ "{{date}}" : 1.500e3, "a":"\\u00e9\\/", "b" : "{{date}}" }'
    expected = '{ "{{date}}" : 1.500e3, "a":"\\u00e9\\/", "b" : "2026-11-30" }'

    assert filled(document, VALUES) == expected


@pytest.mark.parametrize("document", ["null", '"{date}"', '{"a":"}}{"}', "[1.0]"])
def test_a_document_without_two_braces_is_not_read(document: str) -> None:
    """It has no marks, and stays the same."""
    assert growth(document) is None
    assert filled(document, VALUES) is document
    assert escaped(document) is document


def test_names_of_members_hold_no_marks() -> None:
    """White space may part a name from its colon."""
    assert growth('{"{{nonsense}}" \n\t :1,"{{":{"{{x":2}}') == 0


@pytest.mark.parametrize("mark", MARKS)
def test_the_longest_value_of_a_mark_counts(mark: str) -> None:
    """So that a filled payload never grows beyond what was checked."""
    assert growth(f'"{{{{{mark}}}}}"') == MARKS[mark] - len(mark) - 4


_HALF = MAX_PAYLOAD_BYTES // 2
HOSTILE = {
    "braces": "{" * MAX_PAYLOAD_BYTES,
    "openings": "{{ " * (MAX_PAYLOAD_BYTES // 3),
    "spaces": "{{" + " " * MAX_PAYLOAD_BYTES,
    "closings": "{{" + "}" * MAX_PAYLOAD_BYTES,
    "nested": "{{" * (_HALF // 2) + "}}" * (_HALF // 2),
    "half-closed": "{{a}" * (MAX_PAYLOAD_BYTES // 4),
    "names": "{{" + "a" * MAX_PAYLOAD_BYTES,
    "odd-braces": "{{{ }" * (MAX_PAYLOAD_BYTES // 5),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_read_at_once(text: str) -> None:
    """256 KB take less than two seconds: time squared would be hours."""
    began = process_time()
    for document in (json.dumps(text), json.dumps([text[:9]] * (MAX_PAYLOAD_BYTES // 12))):
        with suppress(InvalidInput):
            growth(document)
        filled(document, VALUES)
        assert json.loads(filled(escaped(document), VALUES)) == json.loads(document)

    assert process_time() - began < 2
