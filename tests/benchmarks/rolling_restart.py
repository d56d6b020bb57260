"""What players notice of a rolling restart, behind each proxy, on a fresh Debian 13 as docs/hosting.md installs it.

    sudo .venv/bin/python -m tests.benchmarks.rolling_restart --times 5

Prints JSON for each restart, as tests/watching.py has it. Goals: no status of 500 or more, 3 seconds for the longest
gap at a table, 2 seconds for the longest without a socket.
"""

import argparse
import json
import tempfile
from pathlib import Path

from tests.machine import DOMAIN, Machine
from tests.test_hosting import INSTALL, Page, Releases, people_playing


def main():
    parser = argparse.ArgumentParser(description="A rolling restart behind each proxy.")
    parser.add_argument("--times", type=int, default=1)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with Machine(folder) as machine:
            Releases(machine, folder)
            Page(machine).follow("Install")
            install = f"/srv/valat/first/tools/install.sh --domain {DOMAIN} --mail you@example.org --size large"
            machine.run(f"{install} && echo PACE=0.1 >> /etc/valat.env && {INSTALL}")
            for proxy in ("caddy", "nginx"):
                machine.run(f"{INSTALL} --proxy {proxy}")
                for _ in range(times):
                    with people_playing(machine, proxy) as notice:
                        machine.run(f"touch /etc/valat.env && {INSTALL}")
                    print(json.dumps({"proxy": proxy} | notice), flush=True)


if __name__ == "__main__":
    main()
