"""Filled payloads: what another reading of the rules makes of them, character by character."""

import json
from collections.abc import Mapping
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from timegate.domain.jobs.rules.mark_grammar import MARKS, escaped, filled, growth
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import json_text

parts = st.sampled_from(
    ["{", "{{", "{{{{", "}", "}}", " ", "x", '"', "\\", "\u2028", "\U0001f600", "{{nonsense}}"]
) | st.sampled_from(sorted(MARKS)).map(lambda mark: f"{{{{{mark}}}}}")
texts = st.lists(parts, max_size=12).map("".join)
documents = st.recursive(
    texts | st.none() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
values = st.fixed_dictionaries(dict.fromkeys(MARKS, texts))


def oracle(text: str, known: Mapping[str, str]) -> str:
    """Fill a text: of a run of braces, each four are two, and the last two may open a mark."""
    made, place = "", 0
    while place < len(text):
        braces = len(text[place:]) - len(text[place:].lstrip("{"))
        if braces == 0:
            made, place = made + text[place], place + 1
            continue
        made, place = made + "{{" * (braces // 4), place + braces
        rest, name = braces % 4, text[place:].partition("}}")[0]
        closed = "}}" in text[place:] and not set(name) & set("{}")
        if rest >= 2 and closed and name.strip() in known:
            made += "{" * (rest - 2) + known[name.strip()]
            place += len(name) + 2
        else:
            made += "{" * rest
    return made


def by_oracle(value: object, known: Mapping[str, str]) -> object:
    """Fill every text of a document but names of members."""
    match value:
        case str():
            return oracle(value, known)
        case list():
            return [by_oracle(each, known) for each in value]
        case dict():
            return {name: by_oracle(each, known) for name, each in value.items()}
        case _:
            return value


@settings(max_examples=some(300))
@given(documents, values)
def test_a_document_is_filled_as_the_rules_say(document: object, known: dict[str, str]) -> None:
    """In every text and in no name, once."""
    assert json.loads(filled(json_text(document), known)) == by_oracle(document, known)


@settings(max_examples=some(300))
@given(documents, values)
def test_an_escaped_document_is_filled_to_itself(document: object, known: dict[str, str]) -> None:
    """No mark in it is unknown."""
    made = escaped(json_text(document))
    growth(made)

    assert filled(made, known) == json_text(document)


@settings(max_examples=some(300))
@given(documents, st.data())
def test_no_document_outgrows_what_was_foreseen(document: object, data: st.DataObject) -> None:
    """Values are as long as they may be, or shorter."""
    sized = {mark: "v" * data.draw(st.integers(0, most)) for mark, most in MARKS.items()}
    text = json_text(document)
    with suppress(InvalidInput):
        foreseen = len(text.encode()) + (growth(text) or 0)

        assert len(filled(text, sized).encode()) <= foreseen
