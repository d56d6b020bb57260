"""What has happened, told to everybody at a table."""

from functools import partial

import pytest

from games.catalog import get_game
from games.kit.markup import personal_markup
from games.kit.words import Names, SpectatorNames

from .playing import every_table, played_on, random_options

NAMES = ["Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira"]


@every_table
def test_whom_sentences_do_not_speak_of_is_told_what_all_are_told(whist, rules, seats, rng):
    drawing, names = get_game(rules.slug).drawing, NAMES[:seats]
    state, of_others = rules.new_match(seats, random_options(rules, seats, rng)), 0

    for before, move, after in played_on(rules, state, rng):
        events = rules.events(before, move, after)
        overheard = SpectatorNames(names)
        told = drawing.sentences_for(events, overheard)
        for seat in set(range(seats)) - overheard.mentioned_seats:
            assert drawing.sentences_for(events, Names(names, seat)) == told
        of_others += len(overheard.mentioned_seats) < seats
        assert drawing.sentences_for(events, Names(names)) == told

    assert of_others > 0


def passes(often, seat, names, at_last=False):
    return names.say_of(seat, "You pass {often}.", "{name} passes {often}.", often=often) + ("!" if at_last else "")


@pytest.mark.parametrize("at_last", [False, True])
def test_what_is_kept_is_told_apart_as_what_is_not(at_last):
    for often in ("once", "twice", "once"):
        for seat in (0, 1):
            said = partial(passes, often, seat, at_last=at_last)

            kept = personal_markup(said, NAMES, [seat])

            assert kept == personal_markup(lambda names, said=said: said(names), NAMES, [seat])
            assert f"{NAMES[seat]}</span> passes {often}." in kept
