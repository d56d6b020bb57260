"""What a move costs to draw: the felt, the part of the seat to act, and those of all, after every recorded move.

    .venv/bin/python tests/benchmarks/fragment_speed.py [--game belot] [--rounds 5]

One process, CPU time; the median over all positions, in the round in which that was least: other programs make the
rest slower. The names of the players change from round to round, so that what is kept by name is made anew.
"""

import argparse
import json
from dataclasses import replace
from functools import partial
from statistics import mean, median
from time import process_time

from own_site import ROOT, new_site

NAMES = ["Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira"]


def positions(record, round_):
    """A snapshot for each position after a move of a recorded match. Seat 0 is a bot's."""
    from django.utils import timezone

    from accounts.models import User
    from games.catalog import get_rules
    from games.models import Match, Seat
    from games.play.snapshot import MoveEvents
    from games.play.store import snapshot_of

    rules = get_rules(record["game"], record.get("rules_version"))
    match = Match(game=rules.slug, rules_version=rules.version, seat_count=record["seats"], options={}, speed="normal")
    match.status, match.turn_started_at = Match.Status.PLAYING, timezone.now()
    seats = [Seat(pk=0, match=match, place=0, number=0, name="Bot 1", bot="sensible")]
    for number in range(1, record["seats"]):
        user = User(pk=number, username=f"{NAMES[number]}{round_}")
        seats.append(Seat(pk=number, match=match, place=number, number=number, user=user, reserve=120, connected=True))
    begun = snapshot_of(match, seats)
    state = rules.new_match(record["seats"], record["options"])
    for count, move in enumerate(record["moves"], 1):
        after = rules.apply(state, move)
        latest = (MoveEvents(None, tuple(rules.events(state, move, after))),)
        yield replace(begun, state=after, latest_moves=latest, move_count=count, revision=count)
        state = after


def timed(make):
    """What it makes, and the microseconds that it took."""
    begun = process_time()
    made = make()
    return made, 1e6 * (process_time() - begun)


def measure(game, rounds):
    from games.catalog import CHANCE
    from games.fragments import Fragments

    folder = ROOT / "tests" / "data" / game.room / "matches"
    records = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    medians = []
    for round_ in range(rounds + 1):  # the first finds the templates and what never changes
        times = {"felt": [], "mine": [], "all": []}
        sizes = {"felt": [], "mine": []}
        for snapshot in (snapshot for record in records for snapshot in positions(record, round_)):
            seat = snapshot.to_act if snapshot.to_act not in (None, CHANCE) else 0
            drawer = Fragments(snapshot)
            felt, felt_time = timed(lambda drawer=drawer: drawer.felt)
            mine, mine_time = timed(partial(drawer.mine, seat, snapshot.move_count - 1))
            others = [other for other in range(snapshot.seat_count) if other != seat]
            rest = [timed(partial(drawer.mine, other, snapshot.move_count - 1))[1] for other in others]
            for name, taken in (("felt", felt_time), ("mine", mine_time), ("all", felt_time + mine_time + sum(rest))):
                times[name].append(taken)
            for name, made in (("felt", felt), ("mine", mine)):
                sizes[name].append(len(made.encode()))
        medians.append({name: median(taken) for name, taken in times.items()})
    return {
        "game": game.slug,
        "positions": len(sizes["felt"]),
        "microseconds": {name: round(min(taken[name] for taken in medians[1:])) for name in times},
        "bytes": {name: round(mean(made)) for name, made in sizes.items()},
    }


def main():
    from games.catalog import all_games

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", help="the slug of one game instead of all")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    for game in all_games():
        if asked.game in (None, game.slug):
            print(json.dumps(measure(game, asked.rounds)))


if __name__ == "__main__":
    with new_site():
        main()
