"""References to the data of a run: which tasks an expression names is known before any run."""

import pytest

from timegate.domain.dags.expressions import (
    MAX_DEPTH,
    MAX_EXPRESSION_LENGTH,
    MAX_NODES,
    names_in,
)
from timegate.domain.dags.templates import Json, references
from timegate.domain.values.errors import InvalidInput


@pytest.mark.parametrize(
    ("expression", "tasks"),
    [
        pytest.param("tasks.extract.result.rows", ["extract"], id="names"),
        pytest.param('tasks."load-dim".state', ["load-dim"], id="quoted"),
        pytest.param("tasks.a.result[0].x", ["a"], id="index"),
        pytest.param("tasks.a.result[1:3].x", ["a"], id="slice"),
        pytest.param("tasks.a.result[*].x", ["a"], id="list"),
        pytest.param("tasks.a.result.*.x", ["a"], id="values"),
        pytest.param("tasks.a.result[].b", ["a"], id="flatten"),
        pytest.param("tasks.a.result | [0]", ["a"], id="pipe"),
        pytest.param("tasks.a.result[?tasks > `3`].id", ["a"], id="filter-of-its-own-names"),
        pytest.param("max_by(tasks.a.result, &tasks.b)", ["a"], id="expression-of-elements"),
        pytest.param("tasks.a.result.{x: item, y: tasks.b}", ["a"], id="within-what-was-found"),
        pytest.param("length(tasks.a.result)", ["a"], id="function"),
        pytest.param("merge(tasks.a.result, tasks.b.result)", ["a", "b"], id="two"),
        pytest.param("{x: tasks.a.result, y: tasks.b.state}", ["a", "b"], id="hash"),
        pytest.param("[tasks.a.result, tasks.a.state][0]", ["a"], id="one-twice"),
        pytest.param("(tasks.a.result || tasks.b.result).x", ["a", "b"], id="or"),
        pytest.param("!(tasks.a.result) && `true`", ["a"], id="not"),
        pytest.param("tasks.a.state == 'failed'", ["a"], id="comparison"),
        pytest.param("parameters.days[*].name", [], id="parameters"),
        pytest.param("item.id", [], id="element"),
        pytest.param("`3`", [], id="literal"),
    ],
)
def test_the_tasks_that_an_expression_names(expression: str, tasks: list[str]) -> None:
    """Only the beginning of an expression names a task; fields of a result do not."""
    assert tuple(tasks) == names_in(expression).tasks


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        pytest.param("", "invalid_reference", id="empty"),
        pytest.param("x" * (MAX_EXPRESSION_LENGTH + 1), "invalid_reference", id="too-long"),
        pytest.param("tasks.a.", "invalid_reference", id="unfinished"),
        pytest.param("[?", "invalid_reference", id="no-expression"),
        pytest.param("lenght(tasks.a.result)", "invalid_reference", id="unknown-function"),
        pytest.param("tasks", "invalid_reference", id="all-tasks"),
        pytest.param("tasks.*.result", "invalid_reference", id="any-task"),
        pytest.param("tasks | a.result", "invalid_reference", id="through-a-pipe"),
        pytest.param("tasks.{x: a.result}", "invalid_reference", id="through-a-hash"),
        pytest.param("!tasks.a.result", "invalid_reference", id="not-binds-tighter"),
        pytest.param("tasks.a", "unknown_reference", id="a-task-as-a-whole"),
        pytest.param("tasks.a.results", "unknown_reference", id="what-no-task-has"),
        pytest.param("@", "unknown_reference", id="all-data"),
        pytest.param("[0]", "unknown_reference", id="element-of-all-data"),
        pytest.param("extract.result", "unknown_reference", id="without-its-root"),
        pytest.param("[parameters.x, task.a]", "unknown_reference", id="one-of-two"),
    ],
)
def test_what_is_no_reference_is_refused(expression: str, code: str) -> None:
    """Also what would name whatever has ended by then."""
    with pytest.raises(InvalidInput) as refused:
        names_in(expression)

    assert code == refused.value.code


def test_an_expression_as_long_as_it_may_be_is_read() -> None:
    """The limit is the last length that is accepted."""
    root = "parameters."

    assert names_in(root + "x" * (MAX_EXPRESSION_LENGTH - len(root))).tasks == ()


def test_a_template_says_where_its_references_are() -> None:
    """In objects and lists; a default is no place for one."""
    template = {
        "rows": {"$ref": "tasks.a.result"},
        "list": [1, {"$ref": "item", "default": {"$ref": 3}}],
        "ref": "tasks.b.result",
    }

    assert list(references(template, "input")) == [  # type: ignore[arg-type]
        ("input.rows", "tasks.a.result"),
        ("input.list.1", "item"),
    ]


@pytest.mark.parametrize(
    "template",
    [
        pytest.param({"$ref": "item", "or": 3}, id="beside-a-reference"),
        pytest.param({"$ref": 3}, id="no-text"),
        pytest.param({"$ref": {"$ref": "item"}}, id="a-reference-to-a-reference"),
    ],
)
def test_nothing_stands_beside_a_reference_but_a_default(template: dict[str, Json]) -> None:
    """Text around a reference is refused: Timegate does not guess its meaning."""
    assert list(references({"x": [template]}, "input")) == [("input.x.0", None)]


def parts(count: int) -> str:
    """An expression of so many parts: the list, and its literals."""
    return f"[{','.join(['`1`'] * (count - 1))}]"


def nested(depth: int) -> str:
    """An expression that is nested so deep."""
    return "!" * (depth - 1) + "`1`"


@pytest.mark.parametrize("expression", [parts(MAX_NODES), nested(MAX_DEPTH)])
def test_an_expression_may_have_so_many_parts(expression: str) -> None:
    """And be nested so deep."""
    assert names_in(expression).tasks == ()


@pytest.mark.parametrize("expression", [parts(MAX_NODES + 1), nested(MAX_DEPTH + 1)])
def test_an_expression_may_not_have_more_parts(expression: str) -> None:
    """Nor be nested deeper."""
    with pytest.raises(InvalidInput) as refused:
        names_in(expression)

    assert refused.value.code == "too_complex"
