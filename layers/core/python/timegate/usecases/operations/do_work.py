"""Work that the jobs' stream shows: steps of operations, and looks at rules."""

from collections.abc import Callable, Sequence

from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.operation_store import OperationRef
from timegate.usecases.operations.work_operations import work_operations
from timegate.usecases.services.operations_services import Operating

#: Makes a look for each of these watches; ``False`` where one is to be made again.
Looks = Callable[[Sequence[TenantId | AbsenceRef]], list[bool]]


def do_work(
    shown: Sequence[OperationRef | TenantId | AbsenceRef], operating: Operating, look: Looks
) -> list[bool]:
    """Make the steps and looks; ``False`` where one is to be made again."""
    refs = [each for each in shown if isinstance(each, OperationRef)]
    watches = [each for each in shown if not isinstance(each, OperationRef)]
    steps = iter(work_operations(refs, operating))
    looks = iter(look(watches) if watches else [])
    return [next(steps if isinstance(each, OperationRef) else looks) for each in shown]
