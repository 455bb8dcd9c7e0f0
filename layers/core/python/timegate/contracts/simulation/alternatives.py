"""A value, or a list or object of several; refusals name the field and no alternative."""

from pydantic import Discriminator, Tag

from timegate.contracts.values.refused_values import UNNAMED

_ONE, _MANY = f"{UNNAMED}one)", f"{UNNAMED}many)"
#: Marks of the two alternatives.
ONE, MANY = Tag(_ONE), Tag(_MANY)


def _choose(value: object) -> str:
    return _MANY if isinstance(value, list | dict) else _ONE


#: Chooses by what is given.
ONE_OR_MANY = Discriminator(_choose)
