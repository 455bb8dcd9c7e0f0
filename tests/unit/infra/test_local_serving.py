"""The local cloud reads a text once, and answers as the emulator does that reads it each time."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest
from ministack.services import _dynamodb_keywords as parser  # type: ignore[import-untyped]

from infra.local.serving.copies import tree_copy
from infra.local.serving.statements import Statements, parsed_for_two

TEXTS = [
    'SELECT * FROM "runs" WHERE "pk" = ? AND "sk" = ?',
    'SELECT pk, a.b FROM "runs"."due" WHERE pk = ? AND (NOT state IN (?, ?) OR begins_with(sk, ?))',
    'UPDATE "runs" SET "a" = ? SET "b"[0] = ? REMOVE "c" WHERE "pk" = ? AND "v" BETWEEN ? AND ?',
    "UPDATE runs SET a = {'x': ?, 'y': [1, ?, 'z']} SET b = b + ? WHERE k = ? RETURNING ALL NEW *",
    'UPDATE "runs" SET a = set_add(a, ?) WHERE pk = ? AND attribute_exists(b) AND c IS NOT MISSING',
    'UPDATE "runs" SET a = <<?, ?>> WHERE pk = ? AND size(b) < ?',
    'INSERT INTO "runs" VALUE ?',
    "INSERT INTO \"runs\" VALUE {'pk': ?, 'l': [], 'm': {'n': ?}}",
    'DELETE FROM "runs" WHERE "pk" = ? AND "v" < ? RETURNING ALL OLD *',
    'SELECT * FROM "runs" WHERE',
    'UPDATE "runs" SET a = 1e200 WHERE pk = ?',
]
VALUES: list[list[Any]] = [
    [{"S": letter}, {"N": "1"}, {"L": [{"S": "x"}]}, {"S": "q"}, {"N": "7"}] for letter in "ab"
]
VALUES += [[{"N": "1"}, {"N": "2"}, {"S": "k"}, {"N": "4"}, {"S": "e"}], [{"S": "only one"}], []]
VALUES += [[{"M": {"pk": {"S": "k"}}}, {"BOOL": True}, {"NULL": True}, {"N": "1"}, {"S": "e"}]]


def outcome(parse: Callable[..., object], text: str, values: Sequence[Any]) -> object:
    """Return what a parser makes, or the error that it raises."""
    try:
        return parse(text, values)
    except parser.PartiqlError as error:
        return (str(error), error.statement_level)


@pytest.mark.parametrize("text", TEXTS)
def test_a_statement_is_parsed_alike_however_often_it_was_read(text: str) -> None:
    statements = Statements(parser.parse_statement)

    for values in (*VALUES, *VALUES):
        wanted = outcome(parser.parse_statement, text, values)
        assert outcome(statements.parse, text, values) == wanted


def test_a_text_is_parsed_once_for_all_values_of_the_same_types() -> None:
    parsed: list[str] = []

    def parse(text: str, values: Sequence[Any]) -> object:
        parsed.append(text)
        return parser.parse_statement(text, values)

    statements = Statements(parse)
    for key in "abc":
        statements.parse(TEXTS[0], [{"S": key}, {"S": "x"}])
    statements.parse(TEXTS[0], [{"N": "1"}, {"S": "x"}])

    assert parsed == [TEXTS[0]] * 2


def test_what_is_done_to_one_parsed_statement_changes_no_later_one() -> None:
    statements = Statements(parser.parse_statement)
    first = statements.parse(TEXTS[7], [{"S": "a"}, {"S": "b"}])
    before = deepcopy(first)
    first["item"]["l"]["L"].append({"S": "more"})
    first["item"]["m"]["M"].clear()
    first["where_fn"] = None

    assert statements.parse(TEXTS[7], [{"S": "a"}, {"S": "b"}]) == before


def test_a_member_of_a_batch_is_parsed_once_for_its_check_and_its_execution() -> None:
    parsed: list[str] = []

    def parse(text: str, values: Sequence[Any]) -> object:
        parsed.append(text)
        return parser.parse_statement(text, values)

    parse_for_two = parsed_for_two(parse)
    first, second = [{"S": "a"}, {"S": "x"}], [{"S": "b"}, {"S": "x"}]
    for values in (first, first, second, second, first):
        assert parse_for_two(TEXTS[0], values) == parser.parse_statement(TEXTS[0], values)
    parse_for_two(TEXTS[8], first)

    assert parsed == [TEXTS[0], TEXTS[0], TEXTS[0], TEXTS[8]]


def test_a_copied_item_shares_nothing_that_can_change() -> None:
    item = {"pk": {"S": "a"}, "l": {"L": [{"M": {"x": {"NS": ["1"]}}}]}, "b": {"B": b"c"}}
    before = deepcopy(item)

    copied = tree_copy(item)
    copied["l"]["L"][0]["M"]["x"]["NS"].append("2")
    copied["pk"]["S"] = "z"

    assert item == before
    assert tree_copy(item) == before
