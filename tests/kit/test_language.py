"""Words in the language of whoever reads them: now, later, kept, and where a translation has slipped."""

import pickle

import pytest
from babel.messages.catalog import Catalog

from games.kit import language
from games.kit.language import (
    ENGLISH,
    ByLanguage,
    cache_by_language,
    lazy,
    lazy_count,
    say,
    say_count,
    say_in,
    using_language,
)
from games.kit.words import count_tenths
from tools.messages import compile_


@pytest.fixture
def croatian(tmp_path, monkeypatch):
    """A few words of Croatian, one of them with a slip."""
    catalog = Catalog(locale="hr")
    catalog.add(("{number} trick", "{number} tricks"), ("{number} štih", "{number} štiha", "{number} štihova"))
    catalog.add("{name} passes.", "{name}: dalje.")
    catalog.add("{name} leads.", "{ime} igra.")
    catalog.add("Bid", "Zovi", context="a button")
    compile_("hr", catalog, tmp_path)
    monkeypatch.setattr(language, "FOLDERS", [tmp_path])
    language._catalog.cache_clear()
    yield "hr"
    language._catalog.cache_clear()


def test_forms_go_with_numbers(croatian):
    with using_language(croatian):
        assert [say_count(number, "{number} trick", "{number} tricks") for number in (1, 3, 5, 21)] == [
            "1 štih",
            "3 štiha",
            "5 štihova",
            "21 štih",
        ]
    assert say_count(21, "{number} trick", "{number} tricks") == "21 tricks"


def test_what_is_written_before_it_is_read_is_english_until_then(croatian):
    text = lazy("{name} passes.", name="Ana")

    assert text == "Ana passes."
    with using_language(croatian):
        assert (str(text), f"{text}") == ("Ana: dalje.",) * 2
        assert say("({sentence})", sentence=text) == "(Ana: dalje.)"
        assert text == "Ana passes."  # to programs


def test_it_goes_from_process_to_process(croatian):
    text = pickle.loads(pickle.dumps(lazy_count(2, "{number} trick", "{number} tricks")))

    with using_language(croatian):
        assert str(text) == "2 štiha"


def test_contexts_tell_messages_apart(croatian):
    with using_language(croatian):
        assert (say_in("a button", "Bid"), say("Bid")) == ("Zovi", "Bid")


def test_a_slip_in_a_translation_stops_nothing(croatian):
    with using_language(croatian):
        assert say("{name} leads.", name="Ana") == "Ana leads."


def test_what_is_kept_is_kept_for_each_language(croatian):
    names = ByLanguage(lambda name: say("{name} passes.", name=name))
    drawn = cache_by_language(8)(lambda name: say("{name} passes.", name=name))

    for _ in range(2):
        for code, words in ((croatian, "Ana: dalje."), (ENGLISH, "Ana passes.")):
            with using_language(code):
                assert (names["Ana"], drawn("Ana")) == (words, words)


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("зелена 4", "Ана играе със зелена 4."),
        ("<b>седмица</b> купа", "Ана играе със <b>седмица</b> купа."),
        ("червена 7", "Ана играе с червена 7."),
        ("7 карти", "Ана играе със 7 карти."),
        ("120 точки", "Ана играе със 120 точки."),
        ("12 точки", "Ана играе с 12 точки."),
        ("78", "Ана играе със 78."),
    ],
)
def test_bulgarian_prepositions_go_with_what_they_stand_before(card, sentence):
    assert language._fill("Ана играе с {card}.", "", {"card": card}, "bg") == sentence
    assert language._fill("В {day} с {card}", "", {"day": "вторник", "card": "А"}, "bg") == "Във вторник с А"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ["1 point", "1.8 points", "2.5 points", "0.4 points", "2.0 points"]),
        ("fr", ["1 point", "1,8 point", "2,5 points", "0,4 point", "2,0 points"]),
        ("de", ["1 Punkt", "1,8 Punkte", "2,5 Punkte", "0,4 Punkte", "2,0 Punkte"]),
        ("hr", ["1 bod", "1,8 boda", "2,5 boda", "0,4 boda", "2,0 boda"]),
        ("bg", ["1 точка", "1,8 точки", "2,5 точки", "0,4 точки", "2,0 точки"]),
    ],
)
def test_decimals_take_the_form_of_their_language(code, words):
    with using_language(code):
        assert [
            count_tenths(number, "{number} point", "{number} points") for number in (1.02, 1.8, 2.5, 0.4, 1.97)
        ] == words
