"""Evaluating any expression of a tenant ends within its budget of steps and bytes."""

import json
import tracemalloc

import jmespath
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jmespath.exceptions import JMESPathError

from tests.examples import some
from timegate.domain.dags.evaluation import (
    MAX_BYTES,
    MAX_STEPS,
    Budget,
    CannotEvaluate,
    TooComplex,
    evaluate,
    size_of,
)
from timegate.domain.dags.references import InputError, resolve

DATA = {
    "parameters": {
        "rows": [{"id": n, "name": f"n{n % 7}", "tags": ["a", "b"]} for n in range(2_000)],
        "text": "t" * 100_000,
        "n": 5,
    }
}
ROOTS = ("parameters", "parameters.rows", "parameters.text", "parameters.n", "`[1,2]`", "@")
#: Each makes of a value something larger, or something that takes longer.
STAGES = (
    *("[@,@]", "{a:@,b:@}", "[@,@][]", "[*].[@,@]", "[][]", "*.[@,@]", "[[@,@],[@,@]]", "[::-1]"),
    *("to_string(@)", "join('', [@,@])", "to_array(@)", "reverse(@)", "not_null(@,@)", "[0]"),
    *("map(&[@,@], @)", "sort_by(@, &to_string(@))", "max_by(@, &length(@))", "sort(@)", "max(@)"),
    *("@ == @", "[@,@] == [@,@]", "[?@ == @]", "contains(@, @)", "[?contains(@, 'a')]", "abs(@)"),
    *("values(@)", "merge(@, @)", "keys(@)", "sum(@)", "length(@)", "[?id > `3`].name", "@ < @"),
)
BOMBS = {
    "doubled": ("parameters", *["[@,@]"] * 47),
    "doubled and written": ("parameters", *["[@,@]"] * 40, "to_string(@)"),
    "named": ("parameters", *["{a:@,b:@}"] * 40),
    "joined": ("parameters.text", *["join('', [@,@])"] * 30),
    "flattened": ("parameters.rows", *["[@,@][]"] * 40),
    "projected": ("parameters.rows", *["[*].[@,@][]"] * 20),
    "mapped": ("parameters.rows", *["map(&[@,@], @)", "[]"] * 20),
    "sorted": ("parameters.rows", *["[@,@][]"] * 9, *["sort_by(@, &to_string(@))"] * 9),
    "compared": ("parameters", *["[@,@]"] * 30, "[@,@]", "[?[@,@] == [@,@]]"),
    "searched": ("parameters", *["[@,@]"] * 30, "contains(@, `[[]]`)"),
}


def evaluated(expression: str, budget: Budget) -> object:
    """Return the value, or the refusal."""
    try:
        return evaluate(expression, DATA, budget)
    except (CannotEvaluate, TooComplex) as refusal:
        return refusal


@pytest.mark.parametrize("stages", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_cut(stages: tuple[str, ...]) -> None:
    """Before it has taken more memory than its budget explains, and with a code."""
    expression = "|".join(stages)
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as refused:
            resolve(json.dumps({"$ref": expression}), DATA, Budget())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert refused.value.code == "reference_too_complex"
    assert peak < 32 * MAX_BYTES


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, 10**300, -1.5, 0.1 + 0.2, 1e308, "", "text", [], {}, [0.1 + 0.2] * 9],
)
def test_a_size_is_about_that_of_the_json(value: object) -> None:
    """The bytes of a budget are those that are written."""
    written = len(json.dumps(value, separators=(",", ":")))

    assert written / 2 <= size_of(value, 10**9) <= 2 * written


class Counted(Budget):
    """A budget that knows how often it was asked."""

    asked = 0

    def spend(self, steps: int) -> None:
        type(self).asked += 1
        super().spend(steps)


@settings(max_examples=some(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(ROOTS), st.lists(st.sampled_from(STAGES), max_size=12))
@example("parameters", ["[@,@]"] * 12)
@example("parameters.rows", ["contains(@, @)"])
def test_any_expression_ends_within_its_budget(root: str, stages: list[str]) -> None:
    """It finds what the library finds, or says that it takes too much."""
    expression = "|".join([root, *stages])
    Counted.asked = 0
    budget = Counted()
    found = evaluated(expression, budget)

    # Each time that it is asked costs a step, but for what is free to look at.
    assert Counted.asked <= 3 * MAX_STEPS
    if isinstance(found, TooComplex):
        assert budget.steps < 0 or budget.bytes < 0 or "nested" in str(found)
    elif not isinstance(found, CannotEvaluate):
        assert len(json.dumps(found, separators=(",", ":"))) <= 2 * size_of(found, MAX_BYTES * 2)
        assert found == jmespath.search(expression, DATA)


@settings(max_examples=some(60), deadline=None)
@given(st.sampled_from(ROOTS), st.lists(st.sampled_from(STAGES), max_size=3))
def test_what_is_affordable_is_what_the_library_finds(root: str, stages: list[str]) -> None:
    """Also where it finds that the expression means nothing for a value."""
    expression = "|".join([root, *stages])
    found = evaluated(expression, Budget(steps=10**9, bytes=10**9))
    try:
        wanted = jmespath.search(expression, DATA)
    except (JMESPathError, TypeError, ValueError, AttributeError):
        assert isinstance(found, CannotEvaluate)
    else:
        assert found == wanted
