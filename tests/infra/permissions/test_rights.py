"""The table of rights in ``docs/design/architecture.md`` is the template's, cell by cell."""

from graphlib import TopologicalSorter

from infra.stage.settings import FUNCTION_NAMES
from tests.infra.conftest import ROOT
from tests.infra.permissions.rights import (
    COLUMNS,
    HOOKS_ROLE,
    TARGETS_ROLE,
    rights,
    rights_of,
    table,
)
from tests.infra.stage_template import StageTemplate


def who(template: StageTemplate, verb: str, thing: str) -> set[str]:
    """The functions that may do this, if only with a part of it."""
    return {
        name.partition("-")[0] if name.startswith("executor") else name
        for name in FUNCTION_NAMES
        if any(each.split()[0] == verb for each in rights(template, name).get(thing, set()))
    }


def test_the_documented_rights_are_the_granted_ones(prod: StageTemplate) -> None:
    """A grant that is added or removed is seen there: the table is generated, not remembered."""
    page = (ROOT / "docs" / "design" / "architecture.md").read_text()
    kept = page.split("<!-- rights -->\n")[1].split("\n<!-- end of rights -->")[0]

    assert table(prod) == kept


def test_what_functions_touch_is_in_the_table(prod: StageTemplate) -> None:
    """Everything, and nothing that no function touches."""
    touched = {thing for name in FUNCTION_NAMES for thing in rights(prod, name)}
    reached = set(rights_of(prod.statements_of_role(TARGETS_ROLE)))

    assert set(COLUMNS) == touched | reached


def test_only_sessions_of_tenants_invoke_targets_and_read_their_secrets(
    prod: StageTemplate,
) -> None:
    """No function does by its own right; executors get sessions, and the API reading ones."""
    for verb, thing in (("invoke", "targets"), ("send", "targets"), ("read", "targets' secrets")):
        assert who(prod, verb, thing) == set()

    assert who(prod, "for", "targets' role") == {"executor"}
    assert who(prod, "for", "hooks' role") == {"api"}
    assert rights_of(prod.statements_of_role(HOOKS_ROLE)) == {"targets' secrets": {"read"}}


def test_each_queue_is_consumed_by_one_part(prod: StageTemplate) -> None:
    """Runs by executors, what they gave up by the dead-letter function, rejects by people."""
    assert who(prod, "consume", "run queues") == {"executor"}
    assert who(prod, "consume", "dead-letter queues") == {"dead_letter"}
    assert who(prod, "consume", "rejected") == set()
    assert who(prod, "consume", "lost ticks") == set()
    assert who(prod, "send", "dead-letter queues") == set()


def test_each_loop_but_that_of_looks_passes_a_table(prod: StageTemplate) -> None:
    """Lambda stops a chain of sixteen invocations through functions, queues, topics and buckets.

    It sees no loop that a table is part of: `recursive loop detection
    <https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html>`_. The sweeper's tick
    asks for looks, and a look asks for none.
    """
    told = TopologicalSorter[str]()
    for thing in COLUMNS:
        told.add(f"{thing} arrived", *who(prod, "send", thing), *who(prod, "invoke", thing))
        for name in who(prod, "consume", thing) - {"sweeper"}:
            told.add(name, f"{thing} arrived")

    assert who(prod, "consume", "looks") & who(prod, "send", "looks") == {"sweeper"}
    assert list(told.static_order())


def test_each_stream_has_its_readers(prod: StageTemplate) -> None:
    """Relay and outcomes follow runs, the operator follows operations."""
    assert who(prod, "read", "runs' stream") == {"relay", "outcomes"}
    assert who(prod, "read", "jobs' stream") == {"operations"}


def test_the_auditor_and_the_relay_write_no_record(prod: StageTemplate) -> None:
    """One finds what is not on record, and keeps its cursors; the other publishes what is."""
    writing = {
        name: {
            verb
            for verbs in rights(prod, name).values()
            for verb in verbs
            if verb.startswith("write")
        }
        for name in ("auditor", "relay")
    }

    assert writing == {"auditor": {"write `#audit#*`"}, "relay": set()}
