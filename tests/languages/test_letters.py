"""The letters on jacks, queens and kings: those that cards.css draws are those that the setting names."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.test import Client

from tools.messages import LOCALE, languages

INTERNATIONAL = "J Q K"  # An ace has an A in every language.
STYLE = (Path(__file__).parents[2] / "static/site/cards.css").read_text(encoding="utf-8")

every_language = pytest.mark.parametrize("language", languages())


def drawn_in(language):
    """The letters that the style sheet draws on the pages of a language for readers who want their own."""
    own = re.search(rf'\[data-letters="own"\]:lang\({language}\) {{ (.*) }}', STYLE)
    return " ".join(re.findall(r': "(\w)"', own[1])) if own else INTERNATIONAL


def messages_of(language):
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return list(read_po(file))


@every_language
def test_the_setting_names_the_letters_that_are_drawn(language):
    (named,) = [
        each.string for each in messages_of(language) if (each.context or "").startswith("letters on the cards")
    ]

    assert named[:-2] == drawn_in(language)


@every_language
def test_a_language_has_letters_of_its_own_if_its_words_begin_with_different_ones(language):
    words = {each.id: each.string for each in messages_of(language) if each.context == "rank"}
    initials = [words[rank][0].upper() for rank in ("jack", "queen", "king")]

    expected = " ".join(initials) if len(set(initials)) == 3 else INTERNATIONAL
    assert drawn_in(language) == expected


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "letters"), [("en", ""), ("fr", "V D R A"), ("hr", "")])
def test_readers_of_a_language_with_letters_of_its_own_can_choose_them(language, letters):
    client = Client(headers={"accept-language": language})

    page = client.get("/accounts/settings/").text

    assert re.findall(r'data-setting="letters">.*?"own">([^<]*)<', page, re.S) == ([letters] if letters else [])


@pytest.mark.django_db
@pytest.mark.parametrize(("cookie", "attribute"), [("own", 'data-letters="own"'), ('"><b>', None), ("", None)])
def test_the_choice_is_kept_in_a_cookie(client, cookie, attribute):
    client.cookies["letters"] = cookie

    (html,) = re.findall(r"<html[^>]*>", client.get("/rules/").text)

    assert attribute in html if attribute else "data-letters" not in html
