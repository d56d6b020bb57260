"""What `manage.py check --deploy` says of sites that hosts may well run."""

import pytest

from tests.processes import Installation

SECRET = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdef"


@pytest.mark.whole
def test_a_site_without_mail_and_with_other_hosts_beside_it_is_well(tmp_path):
    site = Installation(tmp_path, f"sqlite:///{tmp_path}/site.sqlite3", HTTPS="on", SECRET_KEY=SECRET)

    assert "no issues" in site.command("check", "--deploy", "--fail-level", "WARNING")
