"""Claims against brute force over the rules: every play of the others, in every way in which their cards may lie."""

import random
from itertools import combinations

import pytest

from games.catalog import CHANCE, get_game
from games.kit.claims import KINDS, describe_claim
from games.kit.proofs import ALL, NONE, Proof, drop_impossible
from games.kit.words import Names
from tests.kit.playing import played_on, random_options

MANY = 10**6  # positions: no proof here takes as many
TABLES = [("oh-hell", 3), ("oh-hell", 4), ("belot", 2), ("belot", 3), ("belot", 4)]


def late_positions(slug, seats, count, seed, most=3):
    """Yield (state, seat): random states in which the seat has 2 to `most` cards and may claim."""
    rng, game = random.Random(seed), get_game(slug)
    while True:
        start = game.newest.new_match(seats, random_options(game.newest, seats, rng))
        for state, _, _ in played_on(game.newest, start, rng):
            seat = rng.randrange(seats)
            table = game.newest.view(state, seat)
            if rng.random() < 0.4 and len(table["hand"]) <= most and game.claims.can_claim(table):
                yield state, seat
                count -= 1
                if not count:
                    return


def side_of(rules, state, seat):
    return seat % 2 if rules.view(state, None)["seats"] in rules.partners_at else seat


def state_after(rules, before, move, seat, kind):
    """The state after a move; None if it finishes a trick that breaks the claim of the seat."""
    after = rules.apply(before, move)
    won = [event["seat"] for event in rules.events(before, move, after) if event["type"] == "trick_won"]
    side = side_of(rules, before, seat)
    return after if all((side_of(rules, before, winner) == side) == (kind == ALL) for winner in won) else None


def written(rules, state):
    """What the last deal has come to for all."""
    sheet = rules.score_sheet(state)
    return [sheet["totals"], sheet.get("hanging"), sheet.get("rows", [{}])[-1].get("valat")]


def scores_in_order(game, state, seat, kind):
    """All that the deal may come to if the seat plays in its order; None where a play breaks the claim."""
    rules, found = game.newest, []
    if rules.to_act(state) in (CHANCE, None):
        return [written(rules, state)]
    moves = rules.legal_moves(state)
    if rules.to_act(state) == seat:
        card = game.claims.card(rules.view(state, seat), kind, in_order=True)
        moves = [game.claims.own_move(moves, card)]
    for move in moves:
        after = state_after(rules, state, move, seat, kind)
        scores = after and scores_in_order(game, after, seat, kind)
        if not scores:
            return None
        found += [score for score in scores if score not in found]
    return found


@pytest.mark.whole
@pytest.mark.parametrize("count", [200, pytest.param(500, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_with_the_cards_as_they_lie_a_claim_is_what_all_plays_make_of_it(slug, seats, count):
    game, accepted = get_game(slug), 0
    for state, seat in late_positions(slug, seats, count, seed=seats):
        table = game.newest.view(state, seat)
        tables = [game.newest.view(state, each) for each in range(seats)]
        for kind in KINDS:
            scores = scores_in_order(game, state, seat, kind)

            verdict = game.claims.is_true(table, kind, tables, max_positions=MANY)

            if not may_announce(game, tables):
                assert verdict == (scores is not None and len(scores) == 1)
            assert not verdict or len(scores) == 1
            accepted += verdict
    assert accepted > 0


def may_announce(game, tables):
    """Whether a seat holds king and queen of a suit, which it may announce or not: then claims are cautious."""
    pairs = [{f"K{suit}", f"Q{suit}"} for suit in "CDHS"]
    return game.slug == "belot" and any(pair <= set(each["hand"]) for each in tables for pair in pairs)


def proven_by_hand(rules, worlds, seat, kind):
    """Whether the seat has an answer to all that the others play in any of these states, which are the same to it."""
    to_act = rules.to_act(worlds[0])
    if to_act in (CHANCE, None):
        return True
    by_card = {}
    for state in worlds:
        for move in rules.legal_moves(state):
            if move["type"] == "play" and "belot" not in move:
                by_card.setdefault(move["card"], []).append((state, move))
    outcomes = (_goes_on(rules, plays, seat, kind) for plays in by_card.values())
    return any(outcomes) if to_act == seat else all(outcomes)


def _goes_on(rules, plays, seat, kind):
    afters = []
    for state, move in plays:
        after = state_after(rules, state, move, seat, kind)
        if after is None:
            return False
        afters.append(after)
    return proven_by_hand(rules, afters, seat, kind)


def dealt(position, unseen, sizes, seats):
    """All ways to deal these numbers of cards to the seats, as dicts."""
    if not seats:
        yield {}
        return
    seat, *others = seats
    may_hold = [card for card in unseen if not position.barred[seat] >> card & 1]
    for hand in combinations(may_hold, sizes[seat]):
        rest = [card for card in unseen if card not in hand]
        for hands in dealt(position, rest, sizes, others):
            yield hands | {seat: hand}


def all_cards(game, state):
    seats = len(state.hands)
    return game.newest.deck(game.newest.new_match(seats, game.newest.clean_options(seats, {})))


def worlds_of(game, state, position, unseen):
    """All states that the seat may be in, if the others hold some of these cards, given by number."""
    table = game.newest.view(state, position.me)
    names = {number: card for card in all_cards(game, state) for number in game.claims.numbers(table, [card])}
    sizes = [len(hand) for hand in state.hands]
    others = [seat for seat in range(position.seats) if seat != position.me]
    for hands in dealt(position, unseen, sizes, others):
        cards = {seat: tuple(names[number] for number in hand) for seat, hand in hands.items()}
        yield state._replace(hands=tuple(cards.get(seat, hand) for seat, hand in enumerate(state.hands)))


@pytest.mark.whole
@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("slug", "seats", "most", "count"),
    [("oh-hell", 3, 2, 50), ("belot", 2, 3, 50), ("belot", 3, 3, 40), ("belot", 4, 2, 15)],
)
def test_what_a_seat_can_prove_is_what_it_wins_in_every_world(slug, seats, most, count, times):
    game, proven, rng = get_game(slug), 0, random.Random(count)
    for state, seat in late_positions(slug, seats, count * times, seed=seats, most=most):
        position = game.claims.position(game.newest.view(state, seat))
        held = [number for hand in state.hands for number in game.claims.numbers(game.newest.view(state, seat), hand)]
        unseen = [card for card in range(52) if position.unseen >> card & 1]
        known = [card for card in unseen if card in held] + rng.sample(unseen, min(2, len(unseen)))
        if slug == "oh-hell":  # of a stock of dozens of cards, all worlds would be too many
            kept = sum(1 << card for card in set(known))
            kept, barred = drop_impossible(kept, position.barred, seat)
            position = position._replace(unseen=kept, barred=barred)
            unseen = sorted(set(known))
        worlds = list(worlds_of(game, state, position, unseen))
        assert len(worlds) > 0
        for kind in KINDS:
            alone = Proof(kind, MANY, alone=True).holds(position)
            verdict = Proof(kind, MANY).holds(position)

            assert verdict == proven_by_hand(game.newest, worlds, seat, kind)
            assert verdict or not alone or kind == NONE
            proven += verdict
    assert proven > 0


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_a_claim_tells_nothing_that_the_seat_does_not_know(slug, seats):
    game, rng = get_game(slug), random.Random(seats)
    for state, seat in late_positions(slug, seats, 15, seed=7):
        table = game.newest.view(state, seat)
        others = [game.newest.view(world, seat) for world in game.newest.sample_many(table, rng, 5)]

        for kind in KINDS:
            assert len({game.claims.is_proven(view, kind) for view in [table, *others]}) == 1


def test_words_of_claims():
    names = Names(["Ana", "Boris", "Vera", "Goran"], 0)

    assert describe_claim(0, ALL, 5, names, partners=False) == "You claim the rest, and take the last five tricks."
    assert describe_claim(1, ALL, 1, names, partners=False) == "Boris claims the rest, and takes the last trick."
    assert describe_claim(1, ALL, 2, names, partners=True) == "Boris’s side takes the last two tricks."
    assert describe_claim(0, NONE, 2, names, partners=True) == (
        "You claim none of the rest: the last two tricks for the other side."
    )
