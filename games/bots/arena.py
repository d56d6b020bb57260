"""Bots against each other over whole matches, every deal played once with the bot in each of the seats."""

from random import Random
from statistics import mean
from typing import NamedTuple

from games.rules import CHANCE


class Result(NamedTuple):
    """How a match went for the one bot among its rivals."""

    place: int
    shared: bool  # whether another seat has that place too
    lead: float  # points a deal more than its rivals, on average


def contest(rules, seats, options, bot, rival, seed):
    """The results of `bot` in each seat in turn, all other seats played by `rival`, on the same deals.

    seed: anything that prints; it decides the deals and what the bots draw.
    """
    return [
        play_match(rules, options, [bot if seat == own else rival for seat in range(seats)], own, f"{seed}")
        for own in range(seats)
    ]


def play_match(rules, options, bots, own, seed):
    """The result of the bot in seat `own`. bots: by seat. The deals depend on `seed` alone."""
    decks = Random(f"{seed}:decks")
    streams = [Random(f"{seed}:{own}:{seat}") for seat in range(len(bots))]
    state = rules.new_match(len(bots), options)
    deals = 0
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            decks.shuffle(deck)
            move = {"type": "deal", "deck": deck}
            deals += 1
        else:
            move = bots[seat].choose(rules.view(state, seat), rules.legal_moves(state), streams[seat])
        state = rules.apply(state, move)

    standings = rules.standings(state)
    mine = next(line for line in standings if line["seat"] == own)
    others = [line for line in standings if line["seat"] != own]
    return Result(
        place=mine["place"],
        shared=any(line["place"] == mine["place"] for line in others),
        lead=(mine["score"] - mean(line["score"] for line in others)) / deals,
    )
