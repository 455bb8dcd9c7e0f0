"""Looks that the jobs' stream asks for: at a tenant's rules, and at jobs that are to succeed."""

from collections.abc import Sequence

from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId
from timegate.usecases.rules.look_at_absences import look_at_absences
from timegate.usecases.rules.look_at_rules import look_at_rules
from timegate.usecases.rules.looking import Looking


def make_looks(watches: Sequence[TenantId | AbsenceRef], looking: Looking) -> list[bool]:
    """One look for each of these watches; ``False``: the look is to be made again."""
    refs = [each for each in watches if isinstance(each, AbsenceRef)]
    tenants = [each for each in watches if not isinstance(each, AbsenceRef)]
    of_jobs, of_rules = iter(look_at_absences(refs, looking)), iter(look_at_rules(tenants, looking))
    return [next(of_jobs if isinstance(each, AbsenceRef) else of_rules) for each in watches]
