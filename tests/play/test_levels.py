"""Bots of which level sit where, what is told of them, and how long they take."""

from bisect import bisect
from collections import deque
from datetime import UTC, datetime
from itertools import count
from random import Random
from statistics import mean

import pytest

from games.bot_process import Answer, Question
from games.catalog import LEVELS, YARDSTICK, all_games, get_bot, get_rules, levels_of, usual_bot
from games.history.records import export_match
from games.kit.arena import play_match
from games.models import Match, Seat
from games.play import due, seating, store
from games.play.due import BotTurn
from games.play.errors import Refused
from games.play.pace import BOT_THOUGHT, SPEEDS, thought_limit
from games.play.requests import MoveRequest
from tests import opening
from tests.matches import play_on
from tests.play.acting import user_at

pytestmark = pytest.mark.django_db

SHORT = {"game_style": "short-up"}


def bots_of(snapshot):
    return [seat.bot for seat in snapshot.seats_by_place() if seat.kind == "bot"]


def test_games_offer_the_levels_that_their_bots_have():
    for game in all_games():
        assert list(levels_of(game.slug)) == [name for name in LEVELS if name in game.bots]

    assert list(levels_of("oh-hell")) == list(levels_of("belot")) == ["easy", "normal", "hard"]
    assert levels_of("snap") == {}


def test_each_bot_has_the_level_that_was_chosen_for_it_or_the_usual_one(ana):
    opened = opening.open_table(ana, "oh-hell", seats=6, bots=3, levels=["hard", "", "easy"])
    opened = seating.seat_bot(ana, opened.code)

    assert bots_of(opened) == ["hard", "normal", "easy", "normal"]
    assert [seat.level.bot for seat in opened.seats if seat.bot] == [
        "hard bot",
        "normal bot",
        "easy bot",
        "normal bot",
    ]


def test_free_seats_go_to_usual_bots_at_the_start(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=1, levels=["hard"])

    assert sorted(bots_of(seating.start_match(ana, opened.code))) == ["hard", "normal"]


def test_a_game_without_levels_has_the_bots_of_before(ana, monkeypatch):
    bids = next(game for game in all_games() if game.slug == "bids")
    monkeypatch.setattr("games.catalog._GAMES", [bids._replace(bots={"sensible-1": bids.bots["sensible-1"]})])

    opened = opening.open_table(ana, "bids", seats=4, bots=2)

    assert bots_of(opened) == [YARDSTICK, YARDSTICK]
    assert [seat.level for seat in opened.seats] == [None] * 3
    with pytest.raises(Refused, match="no bots of that level"):
        seating.seat_bot(ana, opened.code, level="hard")


@pytest.mark.parametrize("level", ["random", "sensible", "grandmaster"])
def test_a_level_that_is_not_offered_is_refused_and_nothing_stored(ana, level):
    opened = opening.open_table(ana, "oh-hell", seats=4)

    with pytest.raises(Refused, match="no bots of that level"):
        seating.seat_bot(ana, opened.code, level=level)
    with pytest.raises(Refused, match="no bots of that level"):
        opening.quick_play(ana, "oh-hell", level=level)

    assert Match.objects.count() == 1
    assert Seat.objects.count() == 1


def test_a_rematch_has_bots_of_the_same_levels(ana):
    opened = opening.open_table(ana, "oh-hell", seats=4, bots=3, levels=["hard", "easy", "easy"], options=SHORT)
    Seat.objects.filter(match__code=opened.code, place=3).update(bot="long forgotten")
    play_on(store.read(opened.code))

    again = opening.rematch(ana, opened.code)

    assert bots_of(again) == ["hard", "easy", "normal"]


def test_a_record_tells_the_levels(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, levels=["hard", "easy"], options=SHORT)
    over = play_on(opened)

    record = export_match(Match.objects.get(code=over.code))

    assert sorted(player["bot"] for player in record["players"]) == ["", "easy", "hard"]


def test_for_people_a_normal_bot_plays_once_or_for_good(started):
    assert due.question_of(started).bot == "normal"

    user = user_at(started, started.to_act)
    left = seating.leave_match(user, started.code)

    assert left.seats[started.to_act].bot == "normal"
    assert left.seats[started.to_act].level is None  # it is shown as the player who has left
    assert due.question_of(left).bot == "normal"


# How long they take


def pauses(closeness, count=400, thought=1.0):
    """Seconds that bots take beyond their least pause, at so many moves."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    found = []
    for number in range(count):
        question = Question("oh-hell", usual_bot("oh-hell"), {}, [], f"seed:{number}:1")
        turn = BotTurn(MoveRequest("code", 1, None, number, wake_at=now), question, None, 1, thought)
        found.append((due.move_time(turn, Answer(0, closeness)) - now).total_seconds())
    return found


def test_hard_choices_take_longer_within_bounds_and_the_same_for_the_same_seed():
    easy, hard = pauses(0.0), pauses(1.0)

    assert mean(hard) > mean(easy) + 0.5
    assert 0 <= min(easy) < max(hard) <= 1
    assert pauses(0.5) == pauses(0.5)
    assert pauses(1.0, thought=0.0) == [0.0] * 400


def test_a_move_without_a_choice_takes_as_long_as_any_other():
    forced = pauses(None)

    assert min(forced) < 0.1  # as what is easy
    assert max(forced) > 0.9  # as what is hard
    assert mean(pauses(0.0)) < mean(forced) < mean(pauses(1.0))


class Weighing:
    """A bot that searches, with the closeness of each choice that it compared."""

    def __init__(self, bot):
        self.bot, self.found = bot, []

    def choose(self, table, moves, rng):
        move, close = self.bot.decide(table, moves, rng)
        self.found += [] if close is None else [close]
        return move


@pytest.mark.thorough
@pytest.mark.whole
@pytest.mark.parametrize(
    "game, level", [("oh-hell", "normal"), ("oh-hell", "hard"), ("belot", "normal"), ("bids", "normal")]
)
def test_nobody_tells_by_the_pause_what_was_forced(game, level):
    rules, bot = get_rules(game), Weighing(get_bot(game, level))
    seeds = count(2)
    while len(bot.found) < 150:
        seed = next(seeds)
        deque(play_match(rules, {}, [bot] * rules.default_seats, Random(seed), Random(seed)), maxlen=0)
    chosen = sorted(pause for each in bot.found for pause in pauses(each, count=20))
    forced = sorted(pauses(None, count=2000))

    for limit in range(1, 20):  # whoever calls forced what came before it, or after it, is hardly ever the wiser
        earlier = [bisect(found, limit / 20) / len(found) for found in (chosen, forced)]
        assert abs(earlier[0] - earlier[1]) < 0.2


def test_at_a_fast_table_they_hurry():
    limits = [thought_limit(SPEEDS[slug], guide=False) for slug in ("fast", "normal", "relaxed", "untimed")]

    assert limits == [BOT_THOUGHT / 2, BOT_THOUGHT, BOT_THOUGHT, BOT_THOUGHT]
