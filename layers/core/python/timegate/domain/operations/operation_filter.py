"""Filter of operations in a listing."""

from timegate.domain.operations.operation import Operation, OperationKind, OperationStatus
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationFilter:
    """Common properties of operations; ``None``: anything."""

    kind: OperationKind | None = None
    status: OperationStatus | None = None

    def matches(self, operation: Operation) -> bool:
        """Tell if the operation is one of them."""
        return self.kind in {None, operation.kind} and self.status in {None, operation.status}
