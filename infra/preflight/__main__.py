"""``python -m infra.preflight --app cdk.out``: may this assembly be deployed over its stage?"""

import argparse
import sys
from pathlib import Path

import boto3

from infra.preflight.deployed import Deployed, read_deployed
from infra.preflight.objections import objections
from infra.preflight.planned import Planned, read_planned
from infra.stage.choices import CHOICES


def main(arguments: list[str] | None = None) -> int:
    """Print every objection; 0: there is none. Reads the account, and changes nothing."""
    parser = argparse.ArgumentParser(prog="python -m infra.preflight", description=__doc__)
    parser.add_argument("--app", type=Path, default=Path("cdk.out"), help="what was synthesised")
    parser.add_argument(
        "--drop",
        action="append",
        default=[],
        choices=CHOICES,
        help="take back this choice of earlier deployments; may be repeated",
    )
    options = parser.parse_args(arguments)
    planned = read_planned(options.app)
    found = list(objections(planned, _deployed(planned), options.drop))
    sys.stdout.write("".join(f"{each}\n" for each in found) or "Nothing speaks against it.\n")
    return 1 if found else 0


def _deployed(planned: Planned) -> Deployed:
    formation, lambdas = boto3.client("cloudformation"), boto3.client("lambda")
    try:
        return read_deployed(planned.stacks, tuple(planned.reserved), formation, lambdas)
    finally:
        formation.close()
        lambdas.close()


if __name__ == "__main__":
    sys.exit(main())
