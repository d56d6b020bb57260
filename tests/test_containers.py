"""The containers of docs/hosting.md: somebody who is not root builds the images, and a site of them answers."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.machine import PATHS, command, unpack_debian
from tests.test_hosting import blocks, copy_project

PROGRAMS = ("mmdebstrap", "podman", "podman-compose", "newuidmap", "slirp4netns", "unshare")
BASE = "localhost/debian:trixie"
USER = 2000
# What a machine may forbid that is itself a container.
CONFIGURATION = """
[containers]
cgroups = "disabled"
default_ulimits = ["nproc=1024:1024", "nofile=4096:4096"]
[engine]
events_logger = "none"
[network]
network_backend = "netavark"
"""
STORAGE = """
[storage]
driver = "overlay"
graphroot = "{folder}/images"
runroot = "{folder}/run/containers"
"""
# Files and mounts that only this process and its children see: a user, and what podman needs of a machine.
ENTER = """
for file in passwd group subuid subgid; do
    touch /etc/$file
    cp /etc/$file $HOME/$file
    mount --bind $HOME/$file /etc/$file
done
echo host:x:$HOST:$HOST::$HOME:/bin/sh >>/etc/passwd
echo host:x:$HOST: >>/etc/group
echo host:200000:65536 | tee -a /etc/subuid >>/etc/subgid
umount -R /sys/fs/cgroup || true
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs tmpfs /dev/shm
rm -rf $XDG_RUNTIME_DIR
install -d -o host -m 700 $XDG_RUNTIME_DIR
"""
NETWORK = """
ip link set lo up
sysctl --quiet net.ipv4.ip_unprivileged_port_start=80
"""
AS_USER = """
exec setpriv --reuid $HOST --regid $HOST --clear-groups -- bash -euo pipefail -c "$1"
"""
ANSWERS = """
ask() { curl --insecure --silent --show-error --output /dev/null "$@" https://localhost/; }
for attempt in $(seq 120); do ask --fail 2>/dev/null && break; sleep 1; done
ask --write-out '%{http_version} %{http_code}\\n'
podman ps --format '{{.Names}}' | sort
"""

pytestmark = [pytest.mark.hosting, pytest.mark.xdist_group("containers")]


@pytest.fixture
def folder():
    """A folder that the user of ENTER can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_site_of_containers_answers(folder):
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if os.geteuid() or missing:
        pytest.skip(f"Only root can do this, with {', '.join(PROGRAMS)}; missing: {missing}")
    unpack_debian(folder / "debian.tar")
    clone = copy_project(folder / "clone")
    (folder / "containers.conf").write_text(CONFIGURATION)
    (folder / "storage.conf").write_text(STORAGE.format(folder=folder))
    command("chown", "--recursive", f"{USER}:{USER}", folder)
    environment = {
        "PATH": PATHS,
        "HOME": str(folder),
        "HOST": str(USER),
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "CONTAINERS_CONF": str(folder / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        "BASE": BASE,
        "BUILDAH_ISOLATION": "chroot",
    }

    def run(script, *options, prepare=""):
        """Run a script as that user, in a machine of its own in so far. All processes end with it."""
        enter = ["nice", "unshare", "--mount", "--cgroup", "--pid", "--fork", "--kill-child", "--mount-proc", *options]
        shell = ["bash", "-euo", "pipefail", "-c", f"{ENTER}{prepare}{AS_USER}", "-"]
        return command(*enter, *shell, script, cwd=clone, env=environment)

    page = blocks()
    assert {number for heading, number in page if heading == "Containers"} == {0, 1}
    # Caddy is its own authority for localhost.
    build, up = page["Containers", 0].replace("valat.example", "localhost").split("podman-compose up")

    run(f"podman import --quiet {folder}/debian.tar {BASE}; {build}")
    script = f"(cd tools/container; podman-compose up {up}) >&2 {ANSWERS} ({page['Containers', 1]}) >&2"
    printed = run(script, "--net", prepare=NETWORK)

    status, *names = printed.splitlines()
    assert status == "2 200"
    assert {name.split("_")[-2] for name in names} == {"caddy", "clock", "database", "redis", "web1", "web2"}
