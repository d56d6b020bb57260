"""Plays matches among bots and prints how many minutes and choices each format of a game takes one person among bots.

    python -m tools.measure_lengths belot [--matches 20] [--preset club]

The person is seat 0. A match lasts as long as its moves do: each bot's pause and each look at a finished trick as
`games.play.pace` has them, and for the person what somebody takes who is in no hurry: see `CARD`, `CALL` and `RESULT`.
What is printed stands in the game's rules, as the minutes and choices of its formats; the minutes only until enough
matches were played on a site.
"""

import argparse
import os
from random import Random
from statistics import median

import django

from games.catalog import CHANCE, YARDSTICK, Meaning, get_bot, get_game

CARD, CALL, RESULT = 5.0, 8.0, 10.0  # seconds: to choose a card, to choose what to say, to read the result of a deal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--preset", default="")
    arguments = parser.parse_args()
    rules = get_game(arguments.game).newest
    for chosen in rules.formats:
        for seats in rules.seat_counts:
            options = rules.named_options(seats, rules.find_preset(arguments.preset), chosen)
            played = [
                played_out(get_game(arguments.game), seats, options, f"1:{number}")
                for number in range(arguments.matches)
            ]
            found = sorted(seconds / 60 for seconds, _ in played)
            choices = median(choices for _, choices in played)
            print(
                f"{chosen.slug}, {seats} seats: {median(found):.1f} minutes, from {found[0]:.1f} to {found[-1]:.1f}; "
                f"{choices:.0f} choices",
                flush=True,
            )


def played_out(game, seats, options, seed):
    """How long a match lasts, in seconds, and how many moves of seat 0 were a choice. seed: anything that prints."""
    from games.play.pace import BOT_PAUSE, BOT_THOUGHT, TRICK_PAUSE  # wants Django's settings

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
