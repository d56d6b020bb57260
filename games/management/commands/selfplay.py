"""Whole matches among bots, played as everybody's are."""

import hashlib
import json
import time

from django.core.management.base import BaseCommand, CommandError

from games.catalog import CHANCE, YARDSTICK, UnknownGame, get_rules
from games.models import Match
from games.play import store
from games.play.due import choose
from games.play.errors import Refused, StaleMove
from games.play.moves import play_move
from games.play.opening import AMONG_FRIENDS, Setup, Source, open_table


class Command(BaseCommand):
    help = "Lets bots play whole matches into the database, and prints one line of figures as JSON."

    def add_arguments(self, parser):
        parser.add_argument("game", help="the game's slug, such as oh-hell")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--matches", type=int, default=1)
        parser.add_argument("--seed", default="1", help="the same seed plays the same matches")
        parser.add_argument("--level", default=YARDSTICK, help="of the bots; the one that thinks least if left out")
        parser.add_argument("--options", default="{}", help="the match's options as JSON")

    def handle(self, *, game, matches, seed, level, **named):
        try:
            seats = named["seats"] or get_rules(game).default_seats
            options = json.loads(named["options"])
        except UnknownGame as error:
            raise CommandError(str(error)) from None
        except ValueError:
            raise CommandError("--options is not JSON.") from None
        if matches < 1:
            raise CommandError("--matches must be at least 1.")
        moves = 0
        codes = []
        begun = time.perf_counter()
        for number in range(matches):
            try:
                setup = Setup(game, seats, options, bots=seats, levels=[level] * seats)
                digest = hashlib.sha256(f"selfplay {game} {seats} {seed} {number}".encode()).hexdigest()
                snapshot = open_table(None, setup, AMONG_FRIENDS, source=Source(digest, "selfplay"))
            except Refused as refusal:
                raise CommandError(str(refusal)) from None
            snapshot = play_out(snapshot)
            moves += snapshot.move_count
            codes.append(snapshot.code)
        seconds = time.perf_counter() - begun
        figures = {
            "game": game,
            "seats": seats,
            "matches": matches,
            "moves": moves,
            "seconds": round(seconds, 3),
            "moves_per_second": round(moves / seconds, 1),
            "codes": codes,
        }
        self.stdout.write(json.dumps(figures))


def play_out(snapshot):
    """Let the bots play a match to its end without pauses. Returns the last Snapshot.

    A clock that runs beside may be quicker: its bots choose as these do.
    """
    while snapshot.status == Match.Status.PLAYING:
        to_act = snapshot.to_act
        if to_act == CHANCE:
            move, actor = None, "chance"
        else:
            move, actor = choose(snapshot), "bot"
        try:
            snapshot = play_move(snapshot.code, to_act, move, seen_count=snapshot.move_count, actor=actor)
        except StaleMove:
            snapshot = store.read(snapshot.code)
    return snapshot
