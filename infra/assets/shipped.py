"""The folder that the code of functions lies in: a checkout, or the package ``timegate_cdk``."""

from pathlib import Path

import timegate

_HERE = Path(__file__).resolve()
#: A wheel has what it ships beside its modules.
_PACKED = _HERE.parents[1] / "shipped"

IS_PACKED = _PACKED.is_dir()
ROOT = _PACKED if IS_PACKED else _HERE.parents[2]
CORE = ROOT / "layers" / "core" / "python"
#: The folder of third-party packages for Lambda, zipped; its name is the layer's hash.
PACKED_VENDOR = ROOT / "vendor"
#: The folder of our own code for Lambda: an archive for each part, named by its hash likewise.
PACKED_CODE = ROOT / "code"

if IS_PACKED:
    # The SDK leaves packages of the server out, and metrics are defined in one of them.
    timegate.__path__.append(str(CORE / "timegate"))
