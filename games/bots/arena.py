"""Bots against each other over whole matches, every deal played once with the bot in each of the seats.

Where partners play together, the bot and a second of its kind take the seats of each side in turn.
"""

from random import Random
from statistics import mean
from typing import NamedTuple

from games.rules import CHANCE


class Result(NamedTuple):
    """How a match went for the bot, alone or with its partners, among its rivals."""

    place: int
    shared: bool  # whether a rival has that place too
    lead: float  # points a deal more than its rivals, on average


def contest(rules, seats, options, bot, rival, seed):
    """The results of `bot` in each place in turn, all other seats played by `rival`, on the same deals.

    seed: anything that prints; it decides the deals and what the bots draw.
    """
    return [_result(rules, seats, options, bot, rival, own, seed) for own in places(rules, seats)]


def places(rules, seats):
    """The sets of seats that one contestant can take, as lists: a seat, or where partners play together a side."""
    if seats in rules.partners_at:
        return [[seat for seat in range(seats) if rules.team_of(seat, seats) == team] for team in (0, 1)]
    return [[seat] for seat in range(seats)]


def played(rules, options, bots, decks, draws):
    """The states of a match, from before the first deal to the end.

    bots: by seat. decks, draws: the random.Random that shuffles, and that of the bots.
    """
    state = rules.new_match(len(bots), options)
    yield state
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            decks.shuffle(deck)
            move = {"type": "deal", "deck": deck}
        else:
            move = bots[seat].choose(rules.view(state, seat), rules.legal_moves(state), draws)
        state = rules.apply(state, move)
        yield state


def _result(rules, seats, options, bot, rival, own, seed):
    bots = [bot if seat in own else rival for seat in range(seats)]
    deals = 0
    for state in played(rules, options, bots, Random(f"{seed}:decks"), Random(f"{seed}:{own[0]}")):
        deals += rules.to_act(state) == CHANCE

    standings = rules.standings(state)
    mine = next(line for line in standings if line["seat"] in own)
    others = [line for line in standings if line["seat"] not in own]
    return Result(
        place=mine["place"],
        shared=any(line["place"] == mine["place"] for line in others),
        lead=(mine["score"] - mean(line["score"] for line in others)) / deals,
    )
