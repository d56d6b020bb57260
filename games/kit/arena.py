"""Whole matches between bots. Every deal is played once with the bot on each of the sides."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, quantiles, stdev
from time import process_time
from typing import Any, NamedTuple, TypedDict

from games.kit.contract import CHANCE, Bot, Move, Options, Rules, Seat, State, Table, as_standings


class Pairing(NamedTuple):
    """Two bots and their match. The bot has one side. Its rival has all other seats.

    deals: the number of deals to play of each match, including passed out ones. None plays the whole match.
    """

    rules: Rules[Any, Any]
    seats: int
    options: Options
    bot: Bot[Any]
    rival: Bot[Any]
    deals: int | None = None


class Result(NamedTuple):
    """The result of a match for the side of the bot."""

    place: int
    shared: bool  # whether a rival has the same place
    lead: float  # points per deal above the mean of its rivals


class Estimate(TypedDict):
    mean: float
    standard_error: float


class Figures(TypedDict):
    """The results of several matches."""

    matches: int
    first: int  # matches in which the bot came first, alone or not
    sole_first: int
    lead: Estimate  # points per deal above the mean of the rivals; the error is over sets of deals
    milliseconds: dict[str, float]  # CPU time of a decision, forced ones included


class TimedBot:
    """A bot that measures the CPU time of each decision, in seconds."""

    def __init__(self, bot: Bot[Any]) -> None:
        self.bot = bot
        self.name = bot.name
        self.seconds: list[float] = []

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        began = process_time()
        move = self.bot.choose(table, moves, rng)
        self.seconds.append(process_time() - began)
        return move


def standings_of_duel(pairing: Pairing, sets: int, seed: object) -> Iterator[Figures]:
    """Play sets of matches between two bots. Yield the summary of all matches so far after each set except the first.

    In a set the bot plays on each side once, and its rival on the others, with the same deals. So luck evens out.

    pairing: the bots and their match. sets: their number. seed: any value with a text, for the deals and for the bots.
    """
    timed = TimedBot(pairing.bot)
    finished_sets: list[list[Result]] = []
    pairing = pairing._replace(bot=timed)
    for number in range(sets):
        finished_sets.append(contest(pairing, f"{seed}:{number}"))
        if len(finished_sets) > 1:  # A single set has no standard error.
            yield _figures(finished_sets, timed.seconds)


def _figures(sets: list[list[Result]], seconds: list[float]) -> Figures:
    """Return the summary of a bot's matches: how often it came first, its lead over the rivals, and its speed.

    sets: results of matches. All matches of a set have the same deals, so the standard error is over sets.
    seconds: the CPU time of each decision of the bot.
    """
    results = [result for one_set in sets for result in one_set]
    first = [result for result in results if result.place == 1]
    leads = [mean(result.lead for result in one_set) for one_set in sets]  # in points per deal
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


def contest(pairing: Pairing, seed: object) -> list[Result]:
    """Return the results of the bot on each side in turn, with the same deals.

    A side is a seat, or the two seats of partners. seed: any value with a text, for the deals and for the bots.
    """
    return [_play_for_side(pairing, side, seed) for side in sides(pairing.rules, pairing.seats)]


def sides(rules: Rules[Any, Any], seats: int) -> list[list[Seat]]:
    """Return the seats of each side: the two seats of partners, or a single seat in a game without partners."""
    seats_of: dict[int, list[Seat]] = {}
    for seat in range(seats):
        team = rules.team_of(seat, seats)
        seats_of.setdefault(seat if team is None else team, []).append(seat)
    return list(seats_of.values())


def play_match(
    rules: Rules[Any, Any], options: Options, bots: Sequence[Bot[Any]], deck_rng: Random, bot_rng: Random
) -> Iterator[State]:
    """Play a match and yield its states, from before the first deal to the end.

    bots: by seat. deck_rng: the random numbers for shuffles. bot_rng: the random numbers for the bots.
    """
    state = rules.new_match(len(bots), options)
    yield state
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:  # No player acts: the cards are dealt.
            deck = rules.deck(state)
            deck_rng.shuffle(deck)
            move: Move = {"type": "deal", "deck": deck}
        else:
            move = bots[seat].choose(rules.view(state, seat), rules.legal_moves(state), bot_rng)
        state = rules.apply(state, move)
        yield state


def _play_for_side(pairing: Pairing, side: list[Seat], seed: object) -> Result:
    """Play a match with the bot in the seats of a side, and its rival in all others. Return the bot's result.

    side: the seats of the bot. seed: any value with a text. The match stops early if the pairing limits its deals.
    """
    rules, seats = pairing.rules, pairing.seats
    bots = [pairing.bot if seat in side else pairing.rival for seat in range(seats)]
    deals, shuffling = 0, False
    deck_rng, bot_rng = Random(f"{seed}:decks"), Random(f"{seed}:{side[0]}")  # Every side gets the same decks.
    for state in play_match(rules, pairing.options, bots, deck_rng, bot_rng):
        was_shuffling, shuffling = shuffling, rules.to_act(state) == CHANCE
        if shuffling and not was_shuffling:  # A deal begins. A second shuffle in a row belongs to the same deal.
            if deals == pairing.deals:
                break
            deals += 1

    # A match that stopped early has no standings yet, only the totals of its score sheet.
    standings = rules.standings(state) or as_standings(rules.score_sheet(state)["totals"], seats)
    own = next(standing for standing in standings if standing["seat"] in side)
    rivals = [standing for standing in standings if standing["seat"] not in side]
    return Result(
        place=own["place"],
        shared=any(rival["place"] == own["place"] for rival in rivals),
        lead=(own["score"] - mean(rival["score"] for rival in rivals)) / deals,
    )
