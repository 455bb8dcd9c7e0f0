"""``docs/reference/errors.md``: every code that a refusal can carry, and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.http.statuses import phrase_of
from api.openapi.catalogue.advice import CatalogueEntry
from api.openapi.catalogue.fields import FIELDS
from api.openapi.catalogue.page import rendered, statuses
from api.openapi.catalogue.problems import PROBLEMS
from api.openapi.document import document
from timegate.contracts.values.refused_values import CODES

ROOT = Path(__file__).resolve().parents[4]
#: Calls that raise or describe an invalid field, and which argument is its code.
RAISES = {
    "InvalidInput": 1,
    "InvalidHeader": 1,
    "InvalidIcal": 0,
    "PydanticCustomError": 0,
    "_refuse": 1,
    "Contradiction": 1,
    "Unreachable": 0,
}


def field_codes() -> Iterator[str]:
    """The codes that any module gives an invalid field."""
    yield from CODES.values()
    yield "invalid"
    modules = [*(ROOT / "functions" / "api").rglob("*.py"), *(ROOT / "layers").rglob("*.py")]
    for path in modules:
        # docs/guides/simulate.md has the codes of scenarios.
        if "/build/" in str(path) or "simulation" in path.parts or "simulate" in path.stem:
            continue
        # The API never uses codes about files and declarations.
        if {"cli", "declaring"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from _codes_in(node)


def _codes_in(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "id", None)
    if name in RAISES and len(call.args) > RAISES[name]:
        code = call.args[RAISES[name]]
        if isinstance(code, ast.Constant):
            yield str(code.value)
    if name == "FieldError":
        for keyword in call.keywords:
            if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                yield str(keyword.value.value)


def test_the_kept_page_is_what_the_code_generates() -> None:
    """Its first line says how to make it anew."""
    assert (ROOT / "docs" / "reference" / "errors.md").read_text() == rendered()


def test_the_catalogue_knows_every_code_of_a_problem() -> None:
    """No more and no less than the errors have."""
    assert set(PROBLEMS) == set(statuses())


def test_the_catalogue_knows_every_code_of_a_field() -> None:
    """No more and no less than the code gives; answers are held against it as well."""
    # The tenant is a claim, and no field of a request; run ids are not fields either.
    assert set(FIELDS) == set(field_codes()) - {"invalid_tenant"}


def test_every_status_of_the_catalogue_is_described() -> None:
    """A client that was generated from the description meets nothing else."""
    described = document()["components"]["responses"].values()
    phrases = {each["description"].rstrip(".") for each in described}
    # Only at paths that are not described.
    elsewhere = {"method_not_allowed"}

    assert {phrase_of(s) for code, s in statuses().items() if code not in elsewhere} <= phrases


@pytest.mark.parametrize("advice", [*PROBLEMS.values(), *FIELDS.values()], ids=str)
def test_an_entry_fits_its_table(advice: CatalogueEntry) -> None:
    """Both columns say something, and neither ends the row."""
    for text in advice:
        assert text
        assert not {"|", "\n"} & set(text)
