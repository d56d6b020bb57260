"""What people would call absurd, counted over deals among bots of the levels: odd calls, gifts, feeds missed."""

import random
from collections import Counter

import pytest

from games.belot.brain import sound_plays
from games.belot.rules.pack import card_points, trump_suits, winning_index
from games.catalog import get_bot, get_rules
from games.kit.arena import play_match
from games.kit.search import Searcher
from tests.belot.test_simulation import positions

rules = get_rules("belot")


class Auditor:
    """Plays as a bot does and counts what it does."""

    def __init__(self, name, play_outs):
        bot = get_bot("belot", name)
        self.bot = Searcher(name, bot.brain, bot.level._replace(play_outs=min(bot.level.play_outs, play_outs)))
        self.counts = Counter()

    def choose(self, table, moves, rng):
        move = self.bot.choose(table, moves, rng)
        if table["phase"] == "bid":
            self.counts["calls"] += 1
            self.counts.update(oddities_of_call(table, moves, move))
        elif move["type"] == "play" and len({each.get("card") for each in moves}) > 1:
            self.counts["cards"] += 1
            self.counts.update(oddities_of_card(table, moves, move["card"]))
        return move


def oddities_of_call(table, moves, move):
    """What is odd about a call, names of it."""
    contract, hand = move.get("contract"), table["hand"]
    standing = table["contract"]
    if contract in ("C", "D", "H", "S"):
        ranks = [card[0] for card in hand if card[1] == contract]
        if len(ranks) < 2 or not {"J", "9"} & set(ranks):
            yield "unnatural"
    if contract == "NT" and not any(card[0] == "A" for card in hand):
        yield "unnatural"
        if standing and standing["level"] > 1:
            yield "flight into no trumps without an ace"
    if contract == "AT":
        jacks = [card[1] for card in hand if card[0] == "J"]
        if not jacks:
            yield "unnatural"
        if len(jacks) < 3 and not any("9" + suit in hand for suit in jacks):
            yield "all trumps on bare jacks"
    if standing and standing["level"] > 1 and standing["bidder"] % 2 == table["seat"] % 2:
        yield "own side doubled"
        if move["type"] == "bid":
            yield "flight"


def oddities_of_card(table, moves, card):
    """What is odd about a card that the last seat plays to a trick, names of it."""
    plays = table["trick"]["plays"]
    if len(plays) != table["seats"] - 1:
        return
    contract = table["contract"]["contract"]
    worth, trumps = card_points(contract), trump_suits(contract)
    trick = [play["card"] for play in plays]
    taker = plays[winning_index(contract, trick)]["seat"]
    wins = winning_index(contract, [*trick, card]) == len(trick)
    legal = {move["card"] for move in moves if move["type"] == "play"}
    same = [other for other in legal if other[1] == card[1]]
    if taker % 2 != table["seat"] % 2 and not wins:
        losing = [other for other in same if winning_index(contract, [*trick, other]) != len(trick)]
        if worth[card] >= 10 > 4 >= min(worth[other] for other in losing):
            yield "gift"
    gone = {play["card"] for done in [*table["tricks"], table["trick"]] for play in done["plays"]}
    at_risk = {"A" + suit for suit in "CDHS"} - gone - set(table["hand"])  # a ten whose ace is gone is kept to win
    feeds = any(other[0] == "T" and "A" + other[1] in at_risk for other in same)
    if taker % 2 == table["seat"] % 2 and not wins and card[1] not in trumps and worth[card] < 10 and feeds:
        yield "feed missed"


def test_gifts_are_not_even_thought_about():
    gifts = 0
    for state in positions(600, 6):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        if table["seats"] != 4 or moves[0]["type"] != "play":
            continue
        kept = sound_plays(table, moves)

        given = [move for move in moves if "gift" in oddities_of_card(table, moves, move["card"])]
        assert not any(move in kept for move in given)
        assert kept
        gifts += len(given)
    assert gifts > 5


@pytest.mark.whole
@pytest.mark.parametrize("name", ["easy", "hard"])
def test_levels_do_nothing_absurd(name):
    auditor = Auditor(name, play_outs=40)
    for seed in range(2):
        rng = random.Random(f"audit {seed}")
        assert list(play_match(rules, {}, [auditor] * 4, rng, rng))
    counts = auditor.counts

    assert counts["cards"] > 300
    assert counts["unnatural"] == counts["flight into no trumps without an ace"] == 0
    assert counts["gift"] == 0
    assert counts["feed missed"] <= counts["cards"] * 0.01 + 1, counts
