"""Play matches among bots and print how many minutes and choices each format of a game takes a person among bots.

    python -m tools.measure_lengths belot [--matches 20] [--preset club]

The person has seat 0. The time of a match is the sum of the pauses for bots and finished tricks (`games.play.pace`) and
of the person's own times, which are `CARD`, `CALL` and `RESULT`. The formats in a game's rules have these minutes and
choices. A site shows its own minutes instead when enough matches have been played there.
"""

import argparse
import os
from random import Random
from statistics import median

import django

from games.catalog import CHANCE, YARDSTICK, Meaning, get_bot, get_game
from games.kit.contract import Options
from games.kit.game import Game

CARD, CALL, RESULT = 5.0, 8.0, 10.0  # Seconds to choose a card, to choose a call, and to read the result of a deal.


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--preset", default="")
    arguments = parser.parse_args()
    rules = get_game(arguments.game).newest
    for length in rules.formats:
        for seats in rules.seat_counts:
            options = rules.named_options(seats, rules.find_preset(arguments.preset), length)
            matches = [
                measure_match(get_game(arguments.game), seats, options, f"1:{number}")
                for number in range(arguments.matches)
            ]
            minutes = sorted(seconds / 60 for seconds, _ in matches)
            choices = median(choices for _, choices in matches)
            print(
                f"{length.slug}, {seats} seats: {median(minutes):.1f} minutes, "
                f"from {minutes[0]:.1f} to {minutes[-1]:.1f}; {choices:.0f} choices",
                flush=True,
            )


def measure_match(game: Game, seats: int, options: Options, seed: str) -> tuple[float, int]:
    """Play a match. Return its time in seconds, and the number of moves of seat 0 with a choice."""
    from games.play.pace import BOT_PAUSE, BOT_THOUGHT, TRICK_PAUSE  # This import needs Django's settings.

    rules, bot, rng = game.newest, get_bot(game.slug, YARDSTICK), Random(seed)
    state, seconds, choices = rules.new_match(seats, options), 0.0, 0
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            rng.shuffle(deck)
            move = {"type": "deal", "deck": deck}
        else:
            moves = rules.legal_moves(state)
            choices += seat == 0 and len(moves) > 1
            move = bot.choose(rules.view(state, seat), moves, rng)
            seconds += BOT_PAUSE + 0.45 * BOT_THOUGHT if seat else CARD if "card" in move else CALL
        after = rules.apply(state, move)
        meanings = {rules.meaning(event) for event in rules.events(state, move, after)}
        seconds += TRICK_PAUSE * (Meaning.TRICK_FINISHED in meanings) + RESULT * (Meaning.DEAL_SCORED in meanings)
        state = after
    return seconds, choices


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
