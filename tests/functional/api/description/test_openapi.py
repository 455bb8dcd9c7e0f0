"""The description of the API: valid, complete, and the one that the code generates."""

import ast
import json
import re
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.http.statuses import component_of, phrase_of
from api.http.table import ROUTES
from api.openapi.__main__ import (
    CLIENT_GROUPS,
    CLIENT_NAMESPACES,
    CLIENT_SCOPES,
    CLIENT_TYPES,
    rendered,
)
from api.openapi.document import document
from api.openapi.namespaces import groups, namespaces
from api.openapi.scopes import scopes
from api.openapi.typed_dicts import typed_dicts
from timegate.client.scopes import SCOPES

ROOT = Path(__file__).resolve().parents[4]
KEPT = ROOT / "docs" / "reference" / "openapi.json"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """The description that is kept in the repository."""
    kept: dict[str, Any] = json.loads(KEPT.read_text())
    return kept


def test_the_kept_description_is_what_the_code_generates() -> None:
    """Run ``make openapi`` after a change."""
    assert KEPT.read_text() == rendered()


@pytest.mark.parametrize(
    ("status", "phrase", "component"),
    [
        (404, "Not Found", "NOT_FOUND"),
        (413, "Content Too Large", "CONTENT_TOO_LARGE"),
        (422, "Unprocessable Content", "UNPROCESSABLE_CONTENT"),
    ],
)
def test_statuses_have_the_words_of_rfc_9110(status: int, phrase: str, component: str) -> None:
    """Functions run on another Python than these tests, which had other words before 3.13."""
    assert phrase_of(HTTPStatus(status)) == phrase
    assert component_of(HTTPStatus(status)) == component


def test_the_description_is_valid(described: dict[str, Any]) -> None:
    """Tools read the OpenAPI 3.1 document without complaint."""
    assert list(OpenAPIV31SpecValidator(described).iter_errors()) == []


def test_every_route_is_described_and_nothing_else(described: dict[str, Any]) -> None:
    """A route outside the table is not served."""
    operations = {
        (method.upper(), re.sub(r"{(\w+)}", r"<\1>", path), operation["operationId"])
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }

    assert operations == {(route.method, route.path, route.operation) for route in ROUTES}


def test_every_operation_says_what_a_token_must_allow(described: dict[str, Any]) -> None:
    """The gateway asks for that (tests/infra/api/test_api.py), and so does the code."""
    asked = {
        operation["operationId"]: operation["security"]
        for methods in described["paths"].values()
        for operation in methods.values()
    }

    # A lease token in the body, or a signature, is all that targets and senders are asked for.
    assert asked == {
        each.operation: [] if each.asks_no_token else [{"token": [f"timegate/{each.scope}"]}]
        for each in ROUTES
    }
    assert all(each.path.startswith("/v1/callbacks/") == each.by_lease for each in ROUTES)
    assert all(each.path.startswith("/v1/hooks/") == each.by_signature for each in ROUTES)


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    """And every component is referred to."""
    text = json.dumps(described)
    references = set(re.findall(r'"#/components/(\w+/\w+)"', text))
    components = {
        f"{kind}/{name}"
        for kind in ("schemas", "responses")
        for name in described["components"][kind]
    }

    assert references == components


def test_the_command_prints_the_description() -> None:
    """The documented command works from the root of the repository."""
    done = subprocess.run(
        [sys.executable, "-m", "api.openapi"],
        cwd=ROOT,
        env={"PYTHONPATH": "functions:layers/core/python"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == document()


def test_serving_requests_does_not_load_the_description() -> None:
    """Models of answers would cost every cold start."""
    served = [
        path for path in (ROOT / "functions" / "api").rglob("*.py") if "openapi" not in path.parts
    ]
    imports = {
        node.module
        for path in served
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
    }

    assert len(served) > 15
    assert {name for name in imports if name and "openapi" in name} == set()


def test_the_clients_types_are_those_of_the_description(described: dict[str, Any]) -> None:
    """The command that writes the description writes them as well; no person edits them."""
    types = ROOT / CLIENT_TYPES

    assert types.read_text() == typed_dicts(described, types.with_name("calls"))


def test_bodies_that_calls_take_field_by_field_have_no_type(described: dict[str, Any]) -> None:
    """A job to create is given whole; why a job pauses is an argument of its call."""
    types = typed_dicts(described, (ROOT / CLIENT_TYPES).with_name("calls"))

    assert {"NewJob", "PauseRequest", "WorkerError"} <= described["components"]["schemas"].keys()
    assert "\nclass NewJob(" in types
    assert "PauseRequest" not in types
    assert "WorkerError" not in types


def test_the_clients_scopes_are_those_of_the_description(described: dict[str, Any]) -> None:
    """``make openapi`` writes them."""
    assert (ROOT / CLIENT_SCOPES).read_text() == scopes(described)
    assert SCOPES["POST /v1/jobs"] == "timegate/write"


def test_the_clients_groups_are_those_of_its_operations() -> None:
    """``make openapi`` writes them; the names follow from those of the operations."""
    written = ROOT / CLIENT_NAMESPACES
    calls = written.with_name("calls")

    assert written.read_text() == namespaces(calls)
    assert (ROOT / CLIENT_GROUPS).read_text() == groups(calls)
