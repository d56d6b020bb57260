"""The translations: complete where they are offered, in step with the code, with the places of their messages."""

import io
import re

import pytest
from babel.messages.mofile import write_mo

from tools.messages import LOCALE, catalog_of_all, languages, missing, read

pytestmark = pytest.mark.whole

PLACES = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
NUMBERS = {"{number}", "{count}", "{word}", "{players}", "{figure}", "%(number)s", "%(count)s", "%(counter)s"}
TAGS = re.compile(r"</?[a-z][a-z0-9]*")


def test_what_is_offered_says_all_of_it():
    """A language is offered once it is compiled; till then it may lack as much as it likes."""
    wanted = {_key(message) for message in catalog_of_all() if message.id}
    for path in LOCALE.glob("*/LC_MESSAGES/django.mo"):
        code = path.parts[-3]
        catalog = read(code)
        compiled = io.BytesIO()
        write_mo(compiled, catalog)

        assert [message.id for message in missing(catalog)] == [], code
        assert {_key(message) for message in catalog if message.id} == wanted, f"{code}: run tools/messages.py"
        assert path.read_bytes() == compiled.getvalue(), f"{code}: run tools/messages.py"


def test_no_translation_has_other_places_or_tags_than_its_message():
    wrong = [
        (code, form)
        for code in languages()
        for message in read(code)
        if message.id and message.string
        for form in _wrong_forms(message)
    ]

    assert wrong == []


def test_no_translation_is_a_guess():
    assert [(code, message.id) for code in languages() for message in read(code) if message.fuzzy] == []


def _forms(message):
    return tuple(message.string) if message.pluralizable else (message.string,)


def _key(message):
    return (tuple(message.id) if message.pluralizable else message.id), message.context


def _wrong_forms(message):
    """The forms that fill places that the message doesn't have, leave out some, or have other tags.

    That for one may say the number itself.
    """
    ids = message.id if message.pluralizable else (message.id,)
    known, *others = [set(PLACES.findall(each)) for each in ids]
    shared = known.intersection(*others)
    tags = [sorted(TAGS.findall(each)) for each in ids]
    for number, form in enumerate(filter(None, _forms(message))):
        there = set(PLACES.findall(form))
        needed = shared - NUMBERS if number == 0 and message.pluralizable else set(PLACES.findall(ids[-1]))
        if not needed <= there <= known.union(*others) or sorted(TAGS.findall(form)) not in tags:
            yield form
