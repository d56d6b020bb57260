"""The checks of words find the smallest bad message of each kind, and leave good ones alone."""

import pytest
from babel.messages.catalog import Message

from tools.wording import ROWS, mixed_messages, mixed_participles, uncounted_decimals, wrong_words


def message(english, text="", path="games/belot/coach.py"):
    return Message(english, text, locations=[(path, 0)])


# A bad translation, or in English a bad message: the language, the message and what makes it bad.
BAD = [
    ("en", message(("At least {number} point were lost.", "At least {number} points were lost."))),
    ("de", message(("x", "y"), ("Mindestens 1 Punkt gingen verloren", "y"))),
    ("fr", message("x", "1,8 points de plus")),
    ("hr", message("x", "najmanje 1,8 bodova")),
    ("bg", message("x", "1,8 точка")),
    ("de", message("x", "1,8 Punkt")),
    ("en", message("Tell the host of this site.")),
    ("en", message("Ask the host.", path="templates/account/login.html")),
    ("hr", message("Ask the people who run this site.", "Pitaj domaćina.")),
    ("hr", message("x", "Pitaj domaćina ove stranice.")),
    ("bg", message("Ask the people who run this site.", "Питай домакина.")),
    ("bg", message("x", "Питай домакина на сайта.")),
    ("hr", message("The match has ended.", "Partija završava.")),
    ("hr", message("x", "Stol počinje bez tebe.")),
    ("bg", message("x", "пропусната, взе 2")),
    ("bg", message("x", "Претенция")),
    ("bg", message("x", "труден бот")),
    ("hr", message("x", "težak bot")),
    ("fr", message("x", "robot difficile")),
    ("de", message("x", "Warten auf {name}: spielen.")),
    ("de", message("x", "{name} ist am Zug.")),
    ("hr", message("x", "Ponovno povezivanje sa sobom.")),
    ("fr", message("x", "Qui prend un pli entame le suivant.")),
]
GOOD = [
    ("en", message(("At least {number} point was lost.", "At least {number} points were lost."))),
    ("en", message("Ask the host to invite you.", path="games/play/seating.py")),
    ("fr", message("x", "1,8 point ou 2,5 points")),
    ("fr", message("x", "Qui peut regarder ?")),
    ("fr", message("x", "l’as, qui bat le dix")),
    ("hr", message("x", "1,8 boda")),
    ("hr", message("The match starts.", "Partija počinje.")),
    ("hr", message("Ask the host.", "Pitaj domaćina.")),
    ("bg", message("x", "пропуснати ходове")),
]


@pytest.mark.parametrize(("place", "language", "bad"), [(place, *each) for place, each in enumerate(BAD)])
def test_each_row_finds_the_smallest_bad_message(place, language, bad):
    row = ROWS[place]

    assert list(wrong_words(language, [bad], [row])) == [f"says {row.matches(bad)!r}: {row.instead}"]


def test_every_row_has_a_bad_message():
    assert [language for language, _ in BAD] == [row.language for row in ROWS]


@pytest.mark.parametrize(("language", "good"), GOOD)
def test_good_messages_are_left_alone(language, good):
    assert list(wrong_words(language, [good])) == []


def test_a_word_on_a_button_and_in_a_heading_is_found():
    templates = {
        "a.html": '<h2>{% translate "Leave" %}</h2>',
        "b.html": '<button><span>{% translate "Leave" %}</span></button>',
    }

    assert list(mixed_messages(templates)) == [
        "'Leave' is one message for different things (act in b.html; head in a.html). Give one of them a context."
    ]


@pytest.mark.parametrize(
    "other",
    [
        '<h2>{% translate "Leave" %}</h2>',  # the same kind
        '<button>{% translate "Leave" context "a club" %}</button>',
        '<button>{% translate "Leave now" %}</button>',
        '<button>x</button>{% translate "Leave" %}',  # beside the button
    ],
)
def test_words_of_one_kind_or_with_a_context_are_no_fault(other):
    assert list(mixed_messages({"a.html": '<h2>{% translate "Leave" %}</h2>', "b.html": other})) == []


def test_a_participle_of_two_places_is_found():
    places = [("games/belot/facts.py", 0), ("templates/belot/mine.html", 0)]

    assert list(mixed_participles([Message("Announced", locations=places)])) == [
        "'Announced' is one message in belot/facts, belot/mine. Give each its context."
    ]
    assert list(mixed_participles([Message("Announced", locations=places, context="of a belot")])) == []
    tally = [("games/belot/tally.py", 0), ("static/belot/tally.js", 0)]
    assert list(mixed_participles([Message("Announced", locations=tally)])) == []
    assert list(mixed_participles([Message("Announced", locations=places[:1])])) == []
    assert list(mixed_participles([Message("Announcements", locations=places)])) == []


@pytest.mark.parametrize(
    "source",
    [
        'def words(gain):\n    return say("{gain} points more", gain=decimal(gain))',
        'def words(gain):\n    sentence = "{gain} points more"\n    return say(sentence, **{"gain": tenths(gain)})',
    ],
)
def test_a_decimal_without_forms_is_found(source):
    assert list(uncounted_decimals({"coach.py": source})) == [
        "has a decimal at {gain} in coach.py:1, which needs forms: use count_tenths"
    ]


@pytest.mark.parametrize(
    "source",
    [
        'def words(gain):\n    return count_tenths(gain, "{number} point more", "{number} points more")',
        'def words(gain):\n    return say("points: {gain}", gain=decimal(gain))',
        'def words(gain):\n    return say("{gain} points more", gain=gain)',
    ],
)
def test_decimals_with_forms_and_whole_numbers_are_no_fault(source):
    assert list(uncounted_decimals({"coach.py": source})) == []
