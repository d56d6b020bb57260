"""Times that fit the game and the length of its matches."""

import pytest

from games.catalog import all_games, get_rules
from games.fragments import Fragments
from games.play import seating
from games.play.pace import SPEEDS, speed_at
from tests import opening


def at(slug, game, length, seats):
    rules = get_rules(game)
    speed = speed_at(slug, rules, seats, rules.usual_options(seats, rules.find_format(length)))
    return speed.move, speed.reserve


def test_a_long_match_has_a_greater_reserve_and_a_hard_choice_more_time():
    assert at("normal", "oh-hell", "full", 4) == (20, 120)
    assert at("normal", "oh-hell", "short", 4) == (20, 60)
    assert at("normal", "belot", "full", 2) == (20, 150)
    assert at("normal", "bids", "full", 4) == (25, 90)
    assert at("relaxed", "bids", "full", 4) == (55, 180)
    assert at("fast", "belot", "short", 4) == (10, 30)


def test_every_length_of_every_game_says_how_many_choices_a_player_has():
    counted = {
        (game.slug, chosen.slug): set(chosen.choices) == set(game.newest.seat_counts)
        for game in all_games()
        for chosen in game.newest.formats
    }
    assert set(counted.values()) == {True}, counted


@pytest.mark.parametrize("slug", SPEEDS)
def test_a_length_without_a_name_has_the_usual_reserve_and_days_stay_days(slug):
    rules = get_rules("oh-hell")
    assert speed_at(slug, rules, 3, {"game_style": "short-up"}).reserve == SPEEDS[slug].reserve
    assert speed_at(slug, rules, 4, rules.usual_options(4, rules.find_format("short"))).move == SPEEDS[slug].move


@pytest.mark.django_db
def test_what_the_table_says_is_what_its_players_have(users):
    rules = get_rules("bids")
    options = rules.usual_options(3, rules.find_format("full"))
    opened = opening.open_table(users[0], "bids", seats=3, bots=1, options=options, speed="normal")
    assert "25 seconds a move, plus 90 seconds in reserve" in Fragments(opened).for_user(users[0].pk)

    started = seating.sit_down(users[1], opened.code)

    assert {seat.reserve for seat in started.seats} == {90}
    clock = started.clock(next(seat for seat in started.seats if seat.user_id))
    assert (clock["move"], clock["reserve"]) == (25, 90)
