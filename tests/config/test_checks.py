"""What `manage.py check --deploy` says of sites that hosts may well run."""

import pytest

from tests.processes import Installation

SECRET = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdef"


@pytest.mark.whole
def test_a_site_without_mail_is_no_error(tmp_path):
    site = Installation(tmp_path, f"sqlite:///{tmp_path}/site.sqlite3", HTTPS="on", SECRET_KEY=SECRET)

    assert "mail." not in site.command("check", "--deploy")
