"""The sensible Oh Hell player: positions with one right move, and the estimates that its moves come from."""

import random
from itertools import product
from math import prod
from statistics import mean

import pytest

from games.catalog import CHANCE, get_bot, get_rules
from games.kit.arena import play_match
from games.kit.card_sets import NUMBER, PACK, members
from games.kit.tricks import winning_place
from games.oh_hell import bot as oh_hell
from tests.kit.test_bots import decisions

SEATS = 4
NOBODY = [None] * SEATS  # has bid

rules = get_rules("oh-hell")


def table(hand, bids, played="", first=1, turned="5S", scoring="positive"):
    """The view of a seat, at a table of four or of as many as have bids. Seats count from that seat: 1 is on its left.

    bids: by seat, None where not bid. played: the cards of this deal in the order played. first: who led first.
    """
    seats = len(bids)
    hand, played = hand.split(), played.split()
    size = len(hand) + len(played) // seats
    sizes = rules.new_match(seats, {"game_style": "long"}).deal.match.sizes
    number = sizes.index(size)
    dealer = (number - 1) % seats
    seat = (dealer + 1 - first) % seats
    leader = (dealer + 1) % seats
    tricks, taken = [], [0] * seats
    for start in range(0, len(played) - seats + 1, seats):
        cards = played[start : start + seats]
        winner = (leader + winning_place(cards, turned[1])) % seats
        tricks.append({"leader": leader, "plays": plays(leader, cards, seats), "winner": winner})
        taken[winner] += 1
        leader = winner
    trick = played[len(tricks) * seats :]
    counts = [size - len(tricks)] * seats
    for play in plays(leader, trick, seats):
        counts[play["seat"]] -= 1
    bidding = None in bids
    bids = [bids[(other - seat) % seats] for other in range(seats)]
    left = size - sum(bid for bid in bids if bid is not None)
    return {
        "game": "oh-hell",
        "seat": seat,
        "seats": seats,
        "options": {"game_style": "long", "scoring_style": scoring},
        "phase": "bid" if bidding else "play",
        "to_act": seat,
        "hand_number": number + 1,
        "hands_total": len(sizes),
        "cards": size,
        "dealer": dealer,
        "turned": turned,
        "trump": turned[1],
        "stock": 51 - seats * size,
        "hand": sorted(hand, key=rules.deck(rules.new_match(seats, {})).index),
        "hand_counts": counts,
        "bids": bids,
        "hook": left if bidding and seat == dealer and left >= 0 else None,
        "taken": taken,
        "trick": {"leader": None if bidding else leader, "plays": plays(leader, trick, seats)},
        "tricks": tricks,
        "totals": [0] * seats,
        "last_hand": None,
    }


def plays(leader, cards, seats):
    return [{"seat": (leader + place) % seats, "card": card} for place, card in enumerate(cards)]


def chosen(seen):
    """The bid or the card that the bot chooses at this table."""
    move = get_bot("oh-hell").choose(seen, rules.legal_moves(behind(seen)), random.Random(1))
    return move.get("card", move.get("tricks"))


def promised(seen):
    """The tricks that the bot expects of the hand at this table."""
    behind(seen)
    return sum(oh_hell.later_chances(oh_hell.read_table(seen)).values())


def behind(seen):
    """A state that looks like this, as a proof that the table can come about."""
    state = rules.sample(seen, random.Random(1))
    assert rules.view(state, seen["seat"]) == seen
    assert None in seen["bids"] or sum(seen["bids"]) != seen["cards"]
    return state


# Positions with one right move: what the bot does there, the card, the table

LOST = {"hand": "AH 2H", "bids": [0, 2, 1, 2], "played": "AC 3C 6C 7C 3D 6D 2D 4D 7H KH 9H", "first": 0}  # took AC
MODEST = {"bids": [0, 1, 0, 1]}

PLAYS = [
    ("takes the trick it needs", "AH", table("AH 2H", [1, 1, 1, 0], "7H KH 9H")),
    ("ruffs for the trick it needs", "3S", table("3S 4D", [1, 1, 1, 0], "7H KH 9H")),
    ("wins as cheaply as it can", "QH", table("AH QH 2C", [2, 1, 1, 0], "7H JH 9H")),
    ("overruffs as cheaply as it can", "8S", table("8S KS 2C", [2, 1, 1, 0], "7H JH 6S")),
    ("wins with the card it could not lose with later", "AH", table("AH 4H 2C", [1, 1, 1, 1], "7H JH 9H")),
    ("ducks when it wants no trick", "2H", table("AH 2H", [0, 1, 1, 1], "7H KH 9H")),
    ("ducks when it has what it bid", "2H", table("KH 2H", [1, 1, 1, 2], "AC 3C 6C 7C 3D 6D TD 4D 7H 9H", first=0)),
    ("ducks just under the winner", "KH", table("KH 2H 3C", [0, 1, 1, 2], "7H AH 9H")),
    ("throws a high card away under a ruff", "AH", table("AH 2H 3C", [0, 1, 1, 2], "7H 4S 9H")),
    ("throws its highest card away when void", "KD", table("KD 3D 4C", [0, 1, 1, 2], "7H AH 9H")),
    ("does not ruff when it wants no trick", "QD", table("2S QD", [0, 1, 1, 1], "7H KH 9H")),
    ("undertrumps when it wants no trick", "JS", table("JS 3D", [0, 1, 1, 1], "7H QS 9H")),
    ("leads low when it wants no trick", "2C", table("AC 2C QH", [0, 1, 1, 2], first=0)),
    ("leads the highest card left of a suit", "KH", table("KH QD", [1, 0, 1, 1], "4C AC AH 7C 3H 6H JC 8H", first=2)),
    ("leads a suit in which nobody is void", "AD", table("AH AD", [2, 1, 1, 1], "4H 9C 5H KH 2C QC JC TC", first=0)),
    ("takes what it can when its bid is lost", "AH", table(**LOST, scoring="positive")),
    ("takes no more than it must when each costs", "2H", table(**LOST, scoring="negative")),
    ("takes what others fight for when it has nothing to gain", "AH", table(**LOST, scoring="neutral")),
    ("leaves others too much when they want little", "2H", table(**LOST | MODEST, scoring="neutral")),
]


@pytest.mark.parametrize("card, seen", [play[1:] for play in PLAYS], ids=[play[0] for play in PLAYS])
def test_plays(card, seen):
    assert chosen(seen) == card


BIDS = [
    ("all with nothing but winners", 3, table("AS KS QS", NOBODY, first=0)),
    ("none with nothing but losers", 0, table("2C 3D 4H 3C", NOBODY, first=0)),
    ("one on the ace of trumps alone", 1, table("AS", NOBODY, first=0)),
    ("none on an ace that it cannot lead", 0, table("AH", [None, 1, 1, 1])),
    ("the next best when the best is closed", 1, table("2C 3D 4H", [None, 1, 1, 1])),
]


@pytest.mark.parametrize("bid, seen", [bid[1:] for bid in BIDS], ids=[bid[0] for bid in BIDS])
def test_bids(bid, seen):
    assert chosen(seen) == bid


@pytest.mark.parametrize(
    "better, worse",
    [
        (table("AH 7C 6D 4C", NOBODY, first=0), table("QH 7C 6D 4C", NOBODY, first=0)),
        (table("9S 7C 6D 4C", NOBODY, first=0), table("9H 7C 6D 4C", NOBODY, first=0)),
        (table("AH 7H 6D 4C 3D", NOBODY, first=0), table("AH 7H 6H 4H 3H", NOBODY, first=0)),
        (table("9S 8S 4C 3C 2C", NOBODY, first=0), table("9S 8S 4C 3D 2H", NOBODY, first=0)),
        (table("AH QH 7C 9S", [None, 0, 0, 0]), table("AH QH 7C 9S", [None, 2, 2, 2])),
        (table("AH KD 7C 2C", NOBODY, first=0), table("AH KD 7C 2C", [None, None, None, 1], first=3)),
        (table("QS 4H", NOBODY, turned="KS", first=0), table("QS 4H", NOBODY, turned="2S", first=0)),
    ],
    ids=["rank", "trump", "short suit", "voids and trumps", "modest rivals", "lead", "higher trump turned"],
)
def test_better_hand_promises_more_tricks(better, worse):
    assert promised(better) > promised(worse)


def test_seat_knows_which_cards_are_left():
    for state in decisions(rules, 200):
        seat = rules.to_act(state)

        position = oh_hell.read_table(rules.view(state, seat))

        assert {PACK[card] for card in members(position.unseen)} == rules.hidden_from(state, seat)


def test_card_is_sure_of_a_trick_when_nothing_can_beat_it():
    last = oh_hell.read_table(table("AH QH", [1, 1, 1, 0], "7H KH 9H"))
    leader = oh_hell.read_table(table("AS QH", [1, 1, 1, 0], first=0))

    assert oh_hell.winning_chance(last, NUMBER["AH"]) == 1
    assert oh_hell.winning_chance(last, NUMBER["QH"]) == 0
    assert oh_hell.winning_chance(leader, NUMBER["AS"]) == 1
    assert 0 < oh_hell.winning_chance(leader, NUMBER["QH"]) < 1


def test_void_that_was_shown_makes_a_lead_worse():
    position = oh_hell.read_table(table("AH AD", [2, 1, 1, 1], "4H 9C 5H KH 2C QC JC TC", first=0))

    assert oh_hell.winning_chance(position, NUMBER["AH"]) < oh_hell.winning_chance(position, NUMBER["AD"])


def test_expectation_weighs_every_outcome():
    worth, chances = [5, -1, 2, 7], [0.2, 0.5, 0.9]

    weighed = 0
    for taken in product((0, 1), repeat=3):
        likelihood = prod(chance if took else 1 - chance for took, chance in zip(taken, chances, strict=True))
        weighed += likelihood * worth[sum(taken)]

    assert oh_hell.expected(worth, chances) == [pytest.approx(weighed)]


def test_estimates_come_true_among_players_of_its_kind():
    estimates = [pair for seed in range(6) for pair in estimates_and_outcomes(seed)]
    for low, high in ((0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1)):
        chances, outcomes = zip(*(pair for pair in estimates if low <= pair[0] < high), strict=True)

        assert mean(chances) == pytest.approx(mean(outcomes), abs=0.08)


def estimates_and_outcomes(seed):
    """Of a match among four of the bot: for each card its chance at the bidding, and whether it took a trick."""
    rng = random.Random(seed)
    pairs, chances = [], {}
    for state in play_match(rules, {}, [get_bot("oh-hell")] * SEATS, rng, rng):
        seat = rules.to_act(state)
        seen = rules.view(state, None if seat == CHANCE else seat)
        if seen["phase"] == "bid":
            chances |= oh_hell.later_chances(oh_hell.read_table(seen))
        elif seen["last_hand"]:
            tricks = seen["last_hand"]["tricks"]
            winners = [trick["plays"][(trick["winner"] - trick["leader"]) % SEATS]["card"] for trick in tricks]
            pairs += [(chance, PACK[card] in winners) for card, chance in chances.items()]
            chances = {}
    return pairs
