import gettext
import os

from django.core.management import call_command

CATALOG = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Language: hr\\n"

msgid "Trick"
msgstr "Štih"
"""


def test_compiled_catalogs_can_be_read_by_the_user_of_the_site(tmp_path, settings):
    folder = tmp_path / "hr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(CATALOG)
    settings.LOCALE_PATHS = [tmp_path]

    mask = os.umask(0o077)  # as manage.py sets it
    try:
        call_command("compilemessages", verbosity=0)
    finally:
        os.umask(mask)

    compiled = folder / "django.mo"
    assert oct(compiled.stat().st_mode & 0o777) == "0o644"
    assert gettext.translation("django", tmp_path, ["hr"]).gettext("Trick") == "Štih"
    assert sorted(path.name for path in folder.iterdir()) == ["django.mo", "django.po"]
