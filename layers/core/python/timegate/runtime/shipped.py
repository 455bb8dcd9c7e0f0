"""Refuses to start on an SDK or HTTP library that is not the one that was tested.

Lambda searches a function's layers before the runtime's own libraries, so the vendor layer's win. A
function that finds others was deployed without the layer, or with another search path.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

#: Only the vendor layer brings this package: the layer's libraries are in the same folder.
ANCHOR = "aws_lambda_powertools"
#: Everything that speaks to the outside, and that a Lambda runtime has as well.
OUTWARD = ("boto3", "botocore", "s3transfer", "urllib3")


class ForeignLibrary(ImportError):
    """A library that speaks to the outside was not loaded from the vendor layer."""

    def __init__(self, name: str, found: Path, wanted: Path) -> None:
        super().__init__(
            f"{name} was loaded from {found} and not from {wanted}: deploy the function with the"
            " vendor layer, and let nothing precede the layer in its search path.",
            name=name,
        )


def refuse_foreign_libraries() -> None:
    """Compare where the loaded libraries lie with the layer; raises ``ForeignLibrary``."""
    layer = find_spec(ANCHOR)
    wanted = _folder(layer.origin if layer else None)
    for name in OUTWARD:
        module = sys.modules.get(name)
        if module is not None and _folder(module.__file__) != wanted:
            raise ForeignLibrary(name, _folder(module.__file__), wanted)


def _folder(package: str | None) -> Path:
    """The folder that a package's folder is in."""
    return Path(package or ".").parent.parent
