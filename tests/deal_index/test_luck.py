"""What cards were worth: on average what bots made with them, whether the cards were good or bad."""

import sys
from importlib import import_module
from random import Random
from statistics import mean, stdev
from types import ModuleType

import pytest

from games.catalog import CHANCE, get_bot, get_game
from games.deal_index import making
from games.deal_index.luck import luck_of
from games.models import Match, Seat
from tests import opening
from tests.kit.test_facts import facts_of_moves
from tests.matches import play_on

pytestmark = pytest.mark.whole

TABLES = [("oh-hell", 3, 16), ("oh-hell", 5, 16), ("belot", 2, 60), ("belot", 3, 40), ("belot", 4, 40)]


class Noting:
    """A bot whose moves are noted, with those of the shuffles."""

    def __init__(self, rules, bot, rng):
        self.rules, self.bot, self.rng = rules, bot, rng

    def match(self, seats):
        """(state at the beginning, all moves) of a match of such bots."""
        first = state = self.rules.new_match(seats, self.rules.clean_options(seats, {}))
        moves = []
        while (seat := self.rules.to_act(state)) is not None:
            if seat == CHANCE:
                deck = self.rules.deck(state)
                moves.append({"type": "deal", "deck": self.rng.sample(deck, len(deck))})
            else:
                moves.append(self.bot.choose(self.rules.view(state, seat), self.rules.legal_moves(state), self.rng))
            state = self.rules.apply(state, moves[-1])
        return first, moves


@pytest.mark.thorough
@pytest.mark.parametrize("slug, seats, matches", TABLES)
def test_bots_make_on_average_what_their_cards_are_worth_be_they_good_or_bad(slug, seats, matches):
    rules = get_game(slug).newest
    noting = Noting(rules, get_bot(slug, "sensible-1"), Random(f"{slug} {seats}"))
    deals = [deal for _ in range(matches) for deal in facts_of_moves(rules, *noting.match(seats))[0]]
    hands = sorted((seat for deal in deals for seat in deal.seats), key=lambda facts: facts["worth"])

    assert all(hand["beyond"] == round(hand["points"] - hand["worth"], 1) for hand in hands)
    third = len(hands) // 3
    for of_third in (hands, hands[:third], hands[-third:]):  # the good ones, and the bad ones
        beyond = [hand["beyond"] for hand in of_third]
        # Partners make the same: there are half as many of them as there seem.
        assert abs(mean(beyond)) < 4 * stdev(beyond) / (len(beyond) / 2) ** 0.5
    assert mean(hand["points"] for hand in hands[-third:]) > mean(hand["points"] for hand in hands[:third]) + 1


@pytest.mark.django_db
def test_a_finished_match_says_what_the_cards_of_each_side_were_worth(client, ana):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="ab" * 32, speed="untimed")
    match = Match.objects.get(code=play_on(opened).code)
    address = f"/matches/{match.code}/luck/"
    waiting = client.get(address, headers={"HX-Request": "true"}).text
    making.store_facts(match)

    lines = luck_of(match)["lines"]

    assert "hx-get" in waiting
    assert [line["points"] for line in lines] == [str(total) for total in match.score_sheet["totals"]]
    for line, side in zip(lines, (0, 1), strict=True):
        seat = Seat.objects.filter(match=match, number=side).first()
        deals = seat.facts.values_list("points", "facts")
        worth = sum(facts["worth"] for _, facts in deals)
        assert all(facts["beyond"] == round(points - facts["worth"], 1) for points, facts in deals)
        assert line["worth"] == f"{worth:.1f}"
    page = client.get(f"/matches/{match.code}/").text
    assert 'id="luck"' in page
    assert "hx-get" not in client.get(address, headers={"HX-Request": "true"}).text
    assert client.get(address).status_code == 200


@pytest.mark.django_db
def test_where_nothing_is_known_of_the_cards_nothing_is_said(client, ana):
    opened = opening.open_table(ana, "bids", seats=3, bots=2, options={"rounds": 2}, speed="untimed")
    match = Match.objects.get(code=play_on(opened).code)

    assert client.get(f"/matches/{match.code}/luck/").status_code == 404
    assert 'id="luck"' not in client.get(f"/matches/{match.code}/").text


def test_tool_finds_the_weights_of_the_games(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", ModuleType("numpy"))  # The site does not depend on it.

    fit_luck = import_module("tools.fit_luck")

    assert set(fit_luck.belot.WEIGHTS) >= {"2", "3", "4"}
    assert "points" in fit_luck.oh_hell.WEIGHTS
