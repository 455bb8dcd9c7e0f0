"""Slips of a first program: each is refused with the line and the next step."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.programs import Timegate, alone, program, write
from tests.functional.cli.served import served, timegate
from timegate.testing import run_handler
from timegate.worker import Context, every
from timegate.worker.declared import shapes
from timegate.worker.declared.coded_job import DeclaredJob
from timegate.worker.handlers import registered

__all__ = ["alone", "program", "served", "timegate", "write"]

DECLARED = "from timegate.worker import job\n\n@job{}\ndef report({}): ...\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DECLARED.format("", ""), 'TypeError: a job has a name: write @job("report") above'),
        (DECLARED.format("('a' * 65)", ""), "at most 64 letters"),
        (DECLARED.format("('r', schedule='* * * * *')", ""), "schedule [wrong_type]"),
        (DECLARED.format("('r', schedule='* * * * *')", "sales: dict"), "schedule [wrong_type]"),
    ],
    ids=["no-name", "long-name", "pattern", "pattern-and-payload"],
)
def test_a_declaration_that_slipped_says_what_to_write(
    timegate: Timegate, write: Callable[..., str], text: str, why: str
) -> None:
    """The line is the program's, also where Timegate's own code raised the error."""
    refused = timegate("deploy", write(text), "--yes", columns=400)

    assert refused.code in (1, 2)
    assert why in refused.err
    assert "handlers.py" not in refused.err


def test_two_modules_of_a_program_have_two_jobs_of_one_name_refused(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """A copied file replaced the job of the first one, of which nothing was said."""
    text = DECLARED.format("('report')", "")
    write(text, "first.py")
    write(text, "second.py")
    refused = timegate("deploy", write("import first, second\n"), "--yes", columns=400)

    assert refused.code == 2
    assert "the handler report is first.report already, and second.report cannot" in refused.err
    assert "sales_app.py, line 1)" not in refused.err
    assert "second.py, line 3)" in refused.err


def test_a_module_that_is_imported_by_two_names_has_its_jobs_once(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """A program that was started is ``__main__``, and its parts may import it as itself."""
    write(DECLARED.format("('report')", ""), "first.py")
    again = (
        "import importlib.util, sys\nimport first\n"
        "spec = importlib.util.spec_from_file_location('other', first.__file__)\n"
        "sys.modules['other'] = module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
    )
    made = timegate("deploy", write(again), "--yes")

    assert (made.code, [*registered()]) == (0, ["report"])


@pytest.mark.parametrize(
    ("name", "options", "served_by"),
    [
        ("sales_app.py", ["--pool", "etl"], "sales_app.py --pool etl"),
        ("own.py:other", [], "own.py:other"),
        ("own.py:other", ["--pool", "own"], "own.py:other"),
        ("my sales.py", [], "'my sales.py'"),
    ],
    ids=["pool", "worker", "workers-pool", "space"],
)
def test_a_deployment_ends_with_the_command_that_serves_it(
    timegate: Timegate,
    write: Callable[..., str],
    name: str,
    options: list[str],
    served_by: str,
) -> None:
    """Without them the worker asked another pool, and the runs waited for ever."""
    text = DECLARED.format("('report')", "")
    worker = "from timegate.worker import Worker\nother = Worker(pool='own')\n"
    write(text + worker, name.partition(":")[0])
    made = timegate("deploy", name, *options, "--yes")

    assert made.code == 0
    assert made.out.splitlines()[-1].endswith(f"offers the runs: timegate worker run {served_by}")


@pytest.mark.parametrize("span", [5.5, None, "1h30m"])
def test_a_span_of_another_type_says_how_spans_are_written(span: object) -> None:
    """A text that is none says the same."""
    with pytest.raises(ValueError, match="is no span: write 30s"):
        every(span)  # type: ignore[arg-type]


TYPED = """from __future__ import annotations
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from timegate.worker import job
if TYPE_CHECKING:
    from decimal import Decimal

class Database: ...

@dataclass
class Sales:
    amount: Decimal

@dataclass
class Tree:
    members: list[Tree]

@job("report")
def report(sales: {}): ...
"""


@pytest.mark.parametrize("installed", [True, False], ids=["pydantic", "dataclasses"])
@pytest.mark.parametrize(
    ("kind", "why"),
    [("Sales", "no payload is read as Sales: name 'Decimal' is not"), ("Database", "Database")],
    ids=["name", "type"],
)
@pytest.mark.parametrize("command", [["deploy"], ["worker", "run"]], ids=["deploy", "run"])
def test_a_payload_of_a_type_that_is_not_read_is_refused_in_a_sentence(
    timegate: Timegate,
    write: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    kind: str,
    why: str,
    *,
    installed: bool,
) -> None:
    """It was a trace of the library, and each run of a worker failed and was tried again."""
    if not installed:
        monkeypatch.setattr(shapes, "find_spec", lambda _: None)
    refused = timegate(*command, write(TYPED.format(kind)), columns=400)

    assert refused.code in (1, 2)
    assert why in refused.err
    assert "Traceback" not in refused.err


@pytest.mark.parametrize("installed", [True, False], ids=["pydantic", "dataclasses"])
def test_a_dataclass_may_have_itself_as_a_member(
    timegate: Timegate,
    write: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    installed: bool,
) -> None:
    """Without pydantic its fields were checked for ever."""
    if not installed:
        monkeypatch.setattr(shapes, "find_spec", lambda _: None)
    deployed = timegate("deploy", write(TYPED.format("Tree")), "--yes")

    assert deployed.code == 0


class Sales:
    """Methods that are declared, as a program of classes would."""

    def report(self) -> None: ...
    def dated(self, context: Context) -> None: ...
    @classmethod
    def made(cls, rows: int) -> int:
        return rows

    @staticmethod
    def tidied(rows: int) -> int:
        return rows

    def counted(self, rows: int) -> int:
        return rows


@pytest.mark.parametrize("function", [Sales.report, Sales.dated], ids=["alone", "context"])
def test_a_method_is_refused(function: Callable[..., Any]) -> None:
    """A run has no object: the context, or the payload, stood in its place."""
    made: DeclaredJob[Any, Any] = DeclaredJob("report", function, {})

    with pytest.raises(TypeError, match=r"Sales\..* takes self: a handler is a function and no"):
        _ = made.signature


def test_a_method_that_has_its_object_or_needs_none_is_a_handler() -> None:
    """Bound, or static."""
    functions = (Sales().counted, Sales.made, Sales.tidied)
    results = [run_handler(DeclaredJob("x", each, {}), payload=2).result for each in functions]

    assert results == [2, 2, 2]
