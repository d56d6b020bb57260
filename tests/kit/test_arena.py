import json

import pytest
from django.core.management import CommandError, call_command

from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, contest, sides

SHORT = {"game_style": "short-up"}


def contest_of(seats, bot, rival, seed="seed", deals=None):
    """The results of short matches of Oh Hell."""
    return contest(Pairing(get_rules("oh-hell"), seats, SHORT, bot, rival, deals), seed)


class Listener:
    """Plays at random and notes every hand that its seat was dealt."""

    def __init__(self):
        self.hands = set()

    def choose(self, table, moves, rng):
        if table["phase"] == "bid":
            self.hands.add((table["hand_number"], table["seat"], *table["hand"]))
        return rng.choice(moves)


def test_bots_that_draw_nothing_are_level_with_themselves():
    bot = get_bot("oh-hell")

    results = contest_of(4, bot, bot)

    assert sum(result.lead for result in results) == pytest.approx(0)
    assert min(result.place for result in results) == 1


def test_partners_are_of_one_kind():
    assert sides(get_rules("bleven"), 4) == [[0, 2], [1, 3]]
    assert sides(get_rules("bleven"), 2) == [[0], [1]]
    assert sides(get_rules("oh-hell"), 4) == [[0], [1], [2], [3]]


def test_all_seats_are_dealt_the_same_cards_each_time():
    first, second = Listener(), Listener()

    contest_of(3, first, second)

    assert first.hands == second.hands
    assert len(first.hands) == 3 * 10


def test_first_deals_of_a_match_are_enough():
    bots = get_bot("oh-hell"), get_bot("oh-hell", "random")

    results = contest_of(3, *bots, deals=1)

    hands = Listener(), Listener()
    contest_of(3, *hands, deals=1)
    assert {number for number, *_ in hands[0].hands} == {1}
    assert all(-11 <= result.lead <= 11 for result in results)  # a hand of one card


def test_a_duel_is_a_command_with_the_same_figures_for_the_same_seed(capsys):
    def figures(*arguments):
        call_command("bot_duel", *arguments)
        found = json.loads(capsys.readouterr().out)
        found.pop("milliseconds")
        return found

    found = figures("sensible-1", "random", "oh-hell", "--deals", "6", "--seed", "3", "--options", json.dumps(SHORT))

    assert found == figures(
        "sensible-1", "random", "oh-hell", "--deals=6", "--seed=3", f"--options={json.dumps(SHORT)}"
    )
    assert found["matches"] == 6 * found["seats"]
    assert found["lead"]["mean"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("easy", "hard", "snap"),
        ("easy", "grandmaster", "oh-hell"),
        ("easy", "hard", "oh-hell", "--deals", "1"),
        ("easy", "hard", "oh-hell", "--seats", "9"),
        ("easy", "hard", "oh-hell", "--options", "{"),
    ],
)
def test_a_duel_that_can_not_be_is_refused(arguments):
    with pytest.raises(CommandError):
        call_command("bot_duel", *arguments)


def test_two_shuffles_of_a_deal_are_one_deal():
    bots = get_bot("bids", "random"), get_bot("bids", "random")
    pairing = Pairing(get_rules("bids"), 3, {"rounds": 2}, *bots)

    whole = contest(pairing, "seed")

    assert contest(pairing._replace(deals=2), "seed") == whole
    assert contest(pairing._replace(deals=1), "seed") != whole
