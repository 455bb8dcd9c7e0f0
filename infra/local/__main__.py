"""``python -m infra.local up|down|reset|demo``: the local stack, left running, its data kept."""

import argparse
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

from infra.local.access import (
    admin_profile,
    admin_profile_path,
    profile,
    profile_path,
    write_profile,
)
from infra.local.cloud import STATE, LocalCloud
from infra.local.console.people import DEMO
from infra.local.console.site import DIST, ConsoleSite, stop_console
from infra.local.demo.show import show
from infra.local.deployment import ROOT, Outputs, deploy
from infra.local.holdings import holdings
from infra.stage.settings import STAGES

HOME = ROOT / ".timegate" / "local"
#: A crash of this machine repeats so much at most.
SNAPSHOT_SECONDS = 60.0


def up() -> tuple[LocalCloud, Outputs]:
    """Start what is not running, deploy what has changed, write the profile."""
    cloud = LocalCloud.running(HOME) or LocalCloud.start(
        HOME, snapshot_seconds=SNAPSHOT_SECONDS, person=f"{DEMO.name} {DEMO.password}"
    )
    outputs = deploy(cloud)
    stop_console(HOME)
    path = profile_path()
    write_profile(profile(cloud, outputs, outputs["UserPoolClientId"]), path)
    write_profile(admin_profile(cloud, outputs), admin_profile_path())
    _say(f"Timegate runs at {cloud.endpoint}")
    _say(f"  profile   {path}")
    _say(f"  log       {Path(cloud.home) / 'cloud.log'}")
    _say("  try       .venv/bin/timegate jobs list")
    _say_console(cloud, outputs)
    _say("  stop      make local-stop keeps its data; make local-reset empties it")
    for line in holdings(cloud).lines():
        _say(line)
    return cloud, outputs


def demo() -> bool:
    """Bring the stack up and show what it does; whether all of it ended as it must."""
    _say("Starting a local cloud and deploying Timegate into it; the first time takes longest …")
    cloud, outputs = up()
    ended = show(cloud, outputs, profile_path())
    _say_console(cloud, outputs)
    return ended


def down() -> None:
    """Stop the local stack and keep its data; does nothing when none runs."""
    cloud = LocalCloud.running(HOME)
    stop_console(HOME)
    if cloud is None:
        _say("No local stack is running.")
        return
    cloud.stop()
    for path in (profile_path(), admin_profile_path()):
        path.unlink(missing_ok=True)
    _say("Stopped. make local goes on with its data; make local-reset removes it.")


def reset() -> None:
    """Stop the local stack and remove all that it holds."""
    if LocalCloud.running(HOME) is not None:
        down()
    if not (HOME / STATE).exists():
        _say("No local stack has any data.")
        return
    shutil.rmtree(HOME / STATE)
    _say("Emptied: the next make local begins without jobs.")


def _say_console(cloud: LocalCloud, outputs: Outputs) -> None:
    """Serve the console, and say where; a console that is not built is none."""
    if not (DIST / "index.html").exists():
        _say("  console   make console builds it, and make local serves it then")
        return
    linked = STAGES["local"].console_origins[0]
    wanted = urlsplit(linked).port
    site = ConsoleSite.running(HOME) or ConsoleSite.start(cloud, outputs, wanted=wanted)
    _say(f"  console   {site.url}  (press Sign in: the page is filled in for {DEMO.name})")
    if site.url != linked:
        _say(f"            messages link to {linked}, where another program listens")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    parser.add_argument("command", choices=["up", "down", "reset", "demo"])
    match parser.parse_args().command:
        case "up":
            up()
        case "down":
            down()
        case "reset":
            reset()
        case "demo":
            sys.exit(not demo())


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
