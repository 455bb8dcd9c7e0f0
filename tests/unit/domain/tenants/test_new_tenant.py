"""Names of tenants that are made at run time."""

import pytest

from timegate.domain.tenants.new_tenant import new_tenant_id
from timegate.domain.values.errors import InvalidInput


@pytest.mark.parametrize("known", ["red", "Red", "RED"])
def test_a_new_name_differs_from_names_of_clients_by_more_than_case(known: str) -> None:
    """People of one tenant would be taken for people of the other."""
    with pytest.raises(InvalidInput) as refused:
        new_tenant_id("red", taken=[known])

    assert refused.value.code == "name_taken"
    assert new_tenant_id("red-2", taken=[known]) == "red-2"
