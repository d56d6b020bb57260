"""Let bots play whole matches, by the same code as for all players."""

import hashlib
import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.catalog import CHANCE, YARDSTICK, UnknownGame, get_rules
from games.models import Match
from games.play import store
from games.play.due import choose
from games.play.errors import Refused, StaleMove
from games.play.moves import play_move
from games.play.opening import AMONG_FRIENDS, Setup, Source, open_table
from games.play.snapshot import Snapshot


class Command(BaseCommand):
    help = "Lets bots play whole matches, stores them, and prints one line of figures as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="the game's slug, such as oh-hell")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--matches", type=int, default=1)
        parser.add_argument("--seed", default="1", help="the same seed plays the same matches")
        parser.add_argument("--level", default=YARDSTICK, help="the level of the bots; by default the fastest one")
        parser.add_argument("--options", default="{}", help="the match's options as JSON")

    def handle(self, *, game: str, matches: int, seed: str, level: str, **options: Any) -> None:
        try:
            seats = options["seats"] or get_rules(game).default_seats
            match_options = json.loads(options["options"])
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
                setup = Setup(game, seats, match_options, bots=seats, levels=[level] * seats)
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


def play_out(snapshot: Snapshot) -> Snapshot:
    """Let the bots play a match to its end without pauses. Return its last snapshot.

    If the site runs, its own process may make a move first. Then we read the match again, and go on: bots choose the
    same moves everywhere.
    """
    while snapshot.status == Match.Status.PLAYING:
        to_act = snapshot.to_act
        if to_act == CHANCE:  # A shuffle, which needs no bot.
            move, actor = None, "chance"
        else:
            move, actor = choose(snapshot), "bot"
        try:
            snapshot = play_move(snapshot.code, to_act, move, seen_count=snapshot.move_count, actor=actor)
        except StaleMove:
            snapshot = store.read(snapshot.code)
    return snapshot
