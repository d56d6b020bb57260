"""What a server has done before it answers anybody."""

import subprocess
import sys
import urllib.request

import pytest

from tests.processes import ROOT, Installation, empty_database, running

BEGIN = "import config.asgi, gc, sys; print('games.pages.urls' in sys.modules, gc.get_freeze_count())"
LEAST_KEPT = 50_000  # objects; what the server has loaded by then are three times as many


def printed(site, code):
    """What Python prints of a site."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.whole
def test_views_are_loaded_and_garbage_is_not_looked_for_among_what_stays(tmp_path):
    site = Installation(tmp_path, f"sqlite:///{empty_database()}")

    loaded, kept = printed(site, BEGIN).split()

    assert loaded == "True"
    assert int(kept) > LEAST_KEPT


@pytest.mark.whole
def test_static_files_are_what_they_say_they_are(tmp_path):
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "site.css").write_text("body {}")
    web = Installation(tmp_path, f"sqlite:///{empty_database()}").web("web")

    with running(web), urllib.request.urlopen(f"{web.url}/static/site.css", timeout=30) as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.read() == b"body {}"


@pytest.mark.parametrize(
    ("given", "expected"), [({}, "31536000 False False"), ({"HSTS_SUBDOMAINS": "on"}, "31536000 True True")]
)
def test_https_binds_other_names_only_where_the_host_says_so(tmp_path, given, expected):
    names = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    shown = f"from config import settings; print(*(getattr(settings, name) for name in {names}))"
    site = Installation(tmp_path, f"sqlite:///{tmp_path / 'none'}", HTTPS="on", **given)

    assert printed(site, shown).strip() == expected
