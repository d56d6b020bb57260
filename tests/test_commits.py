"""What `make lint` says of the subjects of commits."""

import subprocess

import pytest
from django.conf import settings


@pytest.fixture
def lint(tmp_path):
    """Return a function that commits with a subject, on a branch off main, and returns the finished `make`."""

    def git(*words):
        author = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *author, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "what came before")
    git("checkout", "-b", "work")

    def commit(subject):
        git("commit", "--allow-empty", "-m", subject)
        makefile = settings.BASE_DIR / "Makefile"
        return subprocess.run(
            ["make", "-s", "-f", makefile, "lint-commits"], cwd=tmp_path, capture_output=True, text=True
        )

    return commit


@pytest.mark.parametrize("subject", ["Pass the seat to the hub", "Close sockets with 4012"])
def test_orders_pass(lint, subject):
    assert lint(subject).returncode == 0


@pytest.mark.parametrize("subject", ["Closed sockets", "Closing sockets", "Closes sockets", "close sockets.", "A" * 61])
def test_other_subjects_are_named_with_an_example(lint, subject):
    run = lint(subject)

    assert run.returncode != 0
    assert subject in run.stdout
    assert "such as: Close sockets" in run.stdout
