"""What is said at a table of Belot: of moves and events, and of what a deal came to."""

import itertools
import re

import pytest

from games.belot.rules.scoring import settle
from games.belot.rules.state import Contract
from games.belot.table import words
from games.belot.table.terms import Sides
from games.kit.language import using_language
from games.kit.words import Names
from tests.belot.test_rules import E42, clean, move, start
from tests.belot.test_table import RULES, TABLE
from tests.kit.cast import NAMES, cast


def heard(moves, viewer=None):
    state, sentences = start(), []
    for made in map(move, moves):
        after = RULES.apply(state, made)
        sentences += TABLE.sentences(RULES.events(state, made, after), cast(4), viewer)
        state = after
    return sentences


# Moves and events


def test_each_seat_is_told_of_itself_in_the_second_person_and_of_its_side_first():
    sentences = heard(E42, viewer=1)

    assert sentences[:3] == ["Deal 1: Goran deals.", "Ana bids diamonds.", "You pass."]
    assert sentences[11:14] == [
        "You declare a tierce for 20.",
        "You announce belot in hearts.",
        "You play the queen of hearts.",
    ]
    assert "You complete the belot in hearts." in sentences
    assert sentences[-7:] == [
        "You: tierce, queen to ace of hearts does not count.",
        "Goran: tierce, jack to king of diamonds does not count.",
        "Points: we 94, Ana and Vera 158.",
        "Hearts ×2: made.",
        "We score nothing.",
        "Ana and Vera score 50.",
        "Totals: we 0, Ana and Vera 50.",
    ]
    assert "The contract is hearts, doubled, by you." in heard(E42, viewer=2)
    assert heard(E42, viewer=3)[:1] == ["Deal 1: you deal."]
    assert heard([E42[0], "pass", "pass", "pass", "pass"])[-1] == "Everybody passed: the cards are redealt."


@pytest.mark.parametrize(
    ("code", "own", "others"),
    [
        ("de", "Gebot von dir", "Gebot von Vera"),
        ("fr", "par vous", "par Vera"),
        ("hr", "zoveš ti", "zove Vera"),
        ("bg", "обявен от теб", "обявен от Vera"),
    ],
)
def test_the_declarer_reads_a_contract_of_their_own(code, own, others):
    with using_language(code):
        assert [line for line in heard(E42, viewer=2) if line.endswith(f", {own}.")]
        assert [line for line in heard(E42, viewer=1) if line.endswith(f", {others}.")]


def test_moves_in_words_tell_no_hidden_card():
    said = [TABLE.move_words(move(short), cast(4), 1) for short in ("H", "pass", "double", *E42[10:12])]

    assert said == [
        "Boris bids hearts",
        "Boris passes",
        "Boris doubles",
        "Boris declares a tierce",
        "Boris plays the queen of hearts and announces belot",
    ]
    assert TABLE.move_words(move(E42[0]), cast(4)) == "The cards are dealt"


# What a deal came to


def sides_of(count, viewer=None):
    """Two sides of two, or three players alone."""
    seats = 3 if count == 3 else 4
    return Sides([list(range(side, seats, count)) for side in range(count)], Names(NAMES[:seats], viewer))


def line(points, contract="H", bidder=0, level=1, valat=None, before=0, **options):
    """What the score sheet has of a deal that came to these points. before: match points that hung."""
    found = settle(
        clean(3 if len(points) == 3 else 4, **options), Contract(contract, bidder, level), points, valat, before
    )
    return found._asdict() | {
        "contract": contract, "bidder": bidder, "level": level, "points": points, "valat": valat,
    }  # fmt: skip


MADE, INSIDE, HANGING, SHARED = (125, 37), (71, 91), (81, 81), (71, 41, 50)


@pytest.mark.parametrize(
    ("deal", "viewer", "needed", "scored"),
    [
        (line(MADE), 0, "We needed more than half of 162 points and have 125: made", "125 is 12, 37 is 4."),
        (line((86, 76), "C"), 1, "86: made", "76 is 8, 86 is 8. A last 6 rounds down in the highest amount"),
        (line((95, 67), level=2), None, "95: made", "the winner scores it all: 162 → 16, and 16 × 2 = 32."),
        (line((73, 129), bidder=2), 1, "73: inside", "The other side scores it all: 202 → 20."),
        (
            line((130, 124), "AT", 1, 4),
            3,
            "We needed more than half of 254 points",
            "25 × 4 = 100. All points together",
        ),
        (line(HANGING, hanging=False), 0, "just half: inside", "The other side scores it all: 162 → 16."),
        (line((106, 106), "C"), 0, "just half: level", "106 is 11, which hang; 106 is 10. A last 6 rounds up"),
        (line(HANGING, level=2), 0, "just half: level", "so all of it hangs: 162 is 16, and 16 × 2 = 32."),
        (
            line(SHARED),
            0,
            "71: inside",
            "share those 71: Boris 41 + 35 = 76, which is 8; Vera 50 + 36 = 86, which is 8.",
        ),
        (line((70, 52, 40), level=2), 2, "Ana needed", "you 40 + 35 = 75, which is 7, and 7 × 2 = 14; Boris 52"),
    ],
)
def test_the_result_says_why(deal, viewer, needed, scored):
    first, *rest = words.outcome_reasons(deal, sides_of(len(deal["points"]), viewer))

    assert needed in first
    assert scored in " ".join(rest)


def test_what_is_scored_besides_is_said():
    valat = line((162, 0), valat=0, before=8, kirtik=True)

    assert list(words.extra_sentences(valat, sides_of(2, viewer=1))) == [
        "Kirtik: we lose 10.",
        "Ana and Vera score 8 more that hung from earlier deals.",
        "Valat: Ana and Vera score 9 more for taking every trick.",
    ]
    assert list(words.outcome_sentences(valat, sides_of(2, viewer=1))) == [
        "Hearts: made.",
        "We lose 10.",
        "Ana and Vera score 33.",
    ]
    assert list(words.outcome_sentences(line((71, 41, 50), kirtik=True), sides_of(3, viewer=0))) == [
        "Hearts: inside.",
        "You score nothing and lose 10.",
        "Boris scores 8.",
        "Vera scores 8.",
    ]
    assert (
        list(words.outcome_sentences(line(HANGING, before=3), sides_of(2)))[-1]
        == "11 hang: the winners of the next deal get them."
    )


TOLD = re.compile(r"(\d+)(?: \+ (\d+) = (\d+), which)? (?:is|→) (\d+)(?:, and \4 × \d = (\d+))?")


@pytest.mark.parametrize("count", [2, 3])
def test_figures_of_the_reason_are_those_on_the_sheet(count):
    """Of every contract, level and outcome, near every limit, with and without what is scored extra_sentences."""
    sides, outcomes = sides_of(count), set()
    rests = [(77,), (81,), (86,), (90,)] if count == 2 else [(41, 40), (35, 42), (36, 36), (0, 81)]
    every = itertools.product(("H", "NT", "AT"), (1, 2, 4, 8), range(70, 95), rests, (0, 7), (False, True))
    for contract, level, has, rest, before, kirtik in every:
        row = line((has, *rest), contract, 0, level, None, before, kirtik=kirtik)
        found = TOLD.findall(list(words.outcome_reasons(row, sides))[1])
        told = [int(times or tens) for *_, tens, times in found]
        extra_sentences = [pot + lost for pot, lost in zip(row["pot"], row["kirtik"], strict=True)]
        scored = [mp - more for mp, more in zip(row["mp"], extra_sentences, strict=True)]
        outcomes.add((row["outcome"], row["marks"]))

        if row["outcome"] == "hanging":
            hung = row["hanging"] - before
            others = [mp for mp, points in zip(scored[1:], row["points"][1:], strict=True) if mp or points]
            assert told == ([hung] if level > 1 else [hung, *others])
        else:
            shown = zip(scored, row["marks"], row["points"], strict=True)
            assert told == [
                mp for mp, mark, points in shown if mark == "number" and (mp or points)
            ]  # none is told as 0
    assert len(outcomes) == 5  # hanging and made are each written in two ways
