"""The registry of schedule kinds: a kind is loaded by the first schedule of it.

Few jobs need the kinds with the most modules, and every function would pay for their modules.
"""

from functools import cache
from importlib import import_module

from timegate.domain.recurrence.kinds.kind import Kind
from timegate.domain.recurrence.schedule import ScheduleKind


@cache
def kind_of(kind: ScheduleKind) -> Kind:
    """Return the rules of a kind: the ``KIND`` of the module that has its name."""
    rules: Kind = import_module(f"timegate.domain.recurrence.kinds.{kind}").KIND
    return rules
