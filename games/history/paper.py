"""A deal of a replay on one page of paper: the hands as dealt, what was said, every trick, what it came to."""

from games.catalog import Meaning
from games.kit.markup import SMALL_FACES


def deal_on_paper(shown, deal):
    """A Deal of a Replay as a dict for its page.

    "dealt": every seat's hand, as `open_hands` makes them; "played": the hands that the play began with, [] where they
    are the same. "said": what was said before the first trick, "besides": what was said or done in the play that is no
    card, both in words. "tricks": dicts of "number" and "cells" by seat, dicts of "face", "led" and "won". "result":
    sentences.
    """
    begins = deal.tricks[0][1] if deal.tricks else deal.last + 1
    dealt, played = shown.open_hands(deal.start), shown.open_hands(max(begins - 1, deal.start))
    play = shown.steps[begins : deal.last + 1]
    return {
        "dealt": dealt,
        "played": [] if played == dealt or not deal.tricks else played,
        "said": [shown.words(move) for move in range(deal.start + 1, begins)],
        "besides": [shown.words(step.index) for step in play if step.seat is not None and not _cards(shown, step)],
        "tricks": _tricks(shown, play),
        "result": shown.sentences(deal.last)[1:],
    }


def _cards(shown, step):
    """The cards that were played with a step: dicts of at least "seat" and "card"."""
    return [event for event in step.events if shown.rules.meaning(event) is Meaning.CARD_PLAYED]


def _tricks(shown, play):
    """The tricks that the steps of a play make up."""
    lying, tricks = [], []
    for step in play:
        lying += _cards(shown, step)
        for event in step.events:
            if shown.rules.meaning(event) is Meaning.TRICK_FINISHED:
                plays, winner = shown.drawing.finished_trick(event)
                cells = _cells(plays or lying, winner, len(shown.players))
                tricks.append({"number": len(tricks) + 1, "cells": cells})
                lying = []
    return tricks


def _cells(plays, winner, count):
    cells = [{"face": "", "led": False, "won": False} for _ in range(count)]
    for place, play in enumerate(plays):
        seat = play["seat"]
        cells[seat] = {"face": SMALL_FACES[play["card"]], "led": place == 0, "won": seat == winner}
    return cells
