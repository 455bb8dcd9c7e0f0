"""A DAG as a picture: every task and edge, whatever they are called."""

import pytest

from tests.unit.domain.dags.definitions import ANY, dag, task, tasks
from timegate.domain.dags.definition import FanOut, JobTask
from timegate.domain.dags.drawing import dot, drawing_of, mermaid
from timegate.domain.values.identity import TaskKey, job_id_from

SMALL = dag(
    (
        task("end", name="The end"),
        task("job", spec=JobTask(job_id=job_id_from(b"a"))),
        task("each", fan_out=FanOut(over="parameters.days"), trigger_rule=ANY),
    ),
    "end -> each",
    "job -x each",
    "end -* job",
)


def test_a_flowchart_of_mermaid() -> None:
    """Tasks by number: ``end`` is a word of the language."""
    assert mermaid(drawing_of(SMALL)) == (
        "flowchart LR\n"
        '    t0["The end"]\n'
        '    t1(["job"])\n'
        '    t2[["each<br/>1 of 2"]]\n'
        "    t0 --> t2\n"
        "    t1 -. on failure .-> t2\n"
        "    t0 == on finished ==> t1\n"
    )


def test_a_graph_of_graphviz() -> None:
    """Dashed on failure, bold on any end."""
    assert dot(drawing_of(SMALL)) == (
        'digraph "nightly" {\n'
        "    rankdir=LR;\n"
        "    node [shape=box];\n"
        '    "end" [label="The end"];\n'
        '    "job" [label="job", style=rounded];\n'
        '    "each" [label="each\\n1 of 2", peripheries=2];\n'
        '    "end" -> "each";\n'
        '    "job" -> "each" [style=dashed, label="on failure"];\n'
        '    "end" -> "job" [style=bold, label="on finished"];\n'
        "}\n"
    )


def test_a_run_is_drawn_with_the_states_of_its_tasks() -> None:
    """In colours; a state without one of its own is drawn as well."""
    states = {TaskKey("end"): "succeeded", TaskKey("job"): "succeeded", TaskKey("each"): "odd"}
    drawing = drawing_of(SMALL, states)

    assert mermaid(drawing).endswith(
        "    classDef odd fill:#ffffff,stroke:#333333\n"
        "    class t2 odd\n"
        "    classDef succeeded fill:#d9f2d9,stroke:#2e7d32\n"
        "    class t0,t1 succeeded\n"
    )
    assert '"each" [label="each\\n1 of 2", peripheries=2, style=filled' in dot(drawing)


@pytest.mark.parametrize(
    ("name", "in_mermaid", "in_dot"),
    [
        pytest.param('a"b', "a#34;b", 'a\\"b', id="quote"),
        pytest.param("<script>", "#60;script#62;", "<script>", id="markup"),
        pytest.param("a\\n", "a#92;n", "a\\\\n", id="backslash"),
        pytest.param("#quot;`x`", "#35;quot#59;#96;x#96;", "#quot;`x`", id="entity"),
        pytest.param("Übung 1.a-b_c", "Übung 1.a-b_c", "Übung 1.a-b_c", id="letters"),
    ],
)
def test_a_name_is_never_read_as_part_of_the_language(
    name: str, in_mermaid: str, in_dot: str
) -> None:
    """People call tasks what they like."""
    drawing = drawing_of(dag((task("a", name=name),), name=name))

    assert f'    t0["{in_mermaid}"]\n' in mermaid(drawing)
    assert f'    "a" [label="{in_dot}"];\n' in dot(drawing)
    assert dot(drawing).startswith(f'digraph "{in_dot}" {{\n')


def test_a_rule_is_shown_where_there_is_a_choice() -> None:
    """A task with one edge or none shows no rule."""
    drawn = drawing_of(dag(tasks("a", "b", "c", b=ANY, c=ANY), "a -> b", "a -> c", "b -> c"))

    assert [node.rule for node in drawn.nodes] == ["", "", "1 of 2"]
