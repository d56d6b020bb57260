"""Bots against each other over whole matches, every deal played once with the bot on each of the sides."""

from random import Random
from statistics import mean, quantiles, stdev
from time import process_time
from typing import NamedTuple

from games.kit.contract import CHANCE, Bot, Options, Rules, as_standings


class Pairing(NamedTuple):
    """Two bots and what they play: the bot on one side, all other seats its rival's.

    deals: how many of each match are played, those passed out among them; all of them if None.
    """

    rules: Rules
    seats: int
    options: Options
    bot: Bot
    rival: Bot
    deals: int | None = None


class Result(NamedTuple):
    """How a match went for the bot, alone or as two partners, among its rivals."""

    place: int
    shared: bool  # whether a rival has that place too
    lead: float  # points a deal more than its rivals, on average


class Timed:
    """A bot, with the CPU seconds that each of its decisions took."""

    def __init__(self, bot):
        self.bot = bot
        self.seconds = []

    def choose(self, table, moves, rng):
        began = process_time()
        move = self.bot.choose(table, moves, rng)
        self.seconds.append(process_time() - began)
        return move


def standings_of_duel(pairing, sets, seed):
    """How the bot does against its rival as it stands after each set of deals, from the second on: dicts of figures.

    "matches": how many were played, one for each side of a set. "first", "sole_first": in how many of them it came
    first, alone or not, and alone. "lead": points a deal more than the mean of its rivals, with the standard error over
    sets. "milliseconds": CPU time of one decision, forced ones among them. seed: as for `contest`.
    """
    timed, results = Timed(pairing.bot), []
    pairing = pairing._replace(bot=timed)
    for number in range(sets):
        results.append(contest(pairing, f"{seed}:{number}"))
        if number:
            yield _figures(results, timed.seconds)


def _figures(sets, seconds):
    """sets: of each set of deals the results, a list. seconds: that each decision took."""
    results = [result for results in sets for result in results]
    first = [result for result in results if result.place == 1]
    leads = [mean(result.lead for result in results) for results in sets]
    milliseconds = [second * 1000 for second in seconds]
    return {
        "matches": len(results),
        "first": len(first),
        "sole_first": sum(not result.shared for result in first),
        "lead": {"mean": round(mean(leads), 2), "standard_error": round(stdev(leads) / len(leads) ** 0.5, 2)},
        "milliseconds": {
            "mean": round(mean(milliseconds), 3),
            "99th percentile": round(quantiles(milliseconds, n=100)[-1], 3),
            "most": round(max(milliseconds), 3),
        },
    }


def contest(pairing, seed):
    """The results of the bot on each side in turn, on the same deals.

    A side is one seat, or the two of partners. seed: anything that prints; it decides the deals and what the bots draw.
    """
    return [_result(pairing, side, seed) for side in sides(pairing.rules, pairing.seats)]


def sides(rules, seats):
    """The seats that win and lose together, a list of lists."""
    found = {}
    for seat in range(seats):
        team = rules.team_of(seat, seats)
        found.setdefault(seat if team is None else team, []).append(seat)
    return list(found.values())


def play_match(rules, options, bots, deck_rng, bot_rng):
    """The states of a match, from before the first deal to the end.

    bots: by seat. deck_rng, bot_rng: the random.Random that shuffles, and that of the bots.
    """
    state = rules.new_match(len(bots), options)
    yield state
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            deck_rng.shuffle(deck)
            move = {"type": "deal", "deck": deck}
        else:
            move = bots[seat].choose(rules.view(state, seat), rules.legal_moves(state), bot_rng)
        state = rules.apply(state, move)
        yield state


def _result(pairing, side, seed):
    rules, seats = pairing.rules, pairing.seats
    bots = [pairing.bot if seat in side else pairing.rival for seat in range(seats)]
    deals, shuffling = 0, False
    for state in play_match(rules, pairing.options, bots, Random(f"{seed}:decks"), Random(f"{seed}:{side[0]}")):
        goes_on, shuffling = shuffling, rules.to_act(state) == CHANCE
        if shuffling and not goes_on:  # a second shuffle belongs to the same deal
            if deals == pairing.deals:
                break
            deals += 1

    standings = rules.standings(state) or as_standings(rules.score_sheet(state)["totals"], seats)
    mine = next(line for line in standings if line["seat"] in side)
    others = [line for line in standings if line["seat"] not in side]
    return Result(
        place=mine["place"],
        shared=any(line["place"] == mine["place"] for line in others),
        lead=(mine["score"] - mean(line["score"] for line in others)) / deals,
    )
