"""Compare two bots on the same deals, without the database."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.catalog import InvalidOptions, UnknownGame, get_bot, get_game, get_rules
from games.kit.arena import Pairing, standings_of_duel


class Command(BaseCommand):
    help = "Plays each deal once per side, with bot A on that side and bot B on the others. Prints the result as JSON."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("a", help="the bot to measure: easy, normal, hard, sensible-1 or random")
        parser.add_argument("b", help="the bot that plays all other seats")
        parser.add_argument("game", help="the game's slug, such as oh-hell")
        parser.add_argument("--deals", type=int, default=100, help="the number of deals; each is played once per side")
        parser.add_argument("--seed", default="1", help="the same seed deals the same cards")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--options", default="{}", help="the match's options as JSON")

    def handle(self, *, a: str, b: str, game: str, deals: int, **options: Any) -> None:
        try:
            rules = get_rules(game)
            seats = options["seats"] or rules.default_seats
            match_options = rules.clean_options(seats, json.loads(options["options"]))
        except (UnknownGame, InvalidOptions) as error:
            raise CommandError(str(error)) from None
        except ValueError:
            raise CommandError("--options is not JSON.") from None
        for name in (a, b):
            if name not in {*get_game(game).bots, "random"}:
                raise CommandError(f"{rules.name} has no bot called {name}.")
        if deals < 2:
            raise CommandError("--deals must be at least 2.")
        pairing = Pairing(rules, seats, match_options, get_bot(game, a), get_bot(game, b), deals=1)
        *_, figures = standings_of_duel(pairing, deals, options["seed"])
        self.stdout.write(json.dumps({"a": a, "b": b, "game": game, "seats": seats, "deals": deals, **figures}))
