"""One deal of a replay for a printed page: the hands, the auction, every trick and the result."""

from games.catalog import Meaning
from games.history.folding import Deal, Step
from games.history.replay import Replay
from games.kit.contract import Event
from games.kit.drawing import Play
from games.kit.markup import SMALL_FACES


def deal_on_paper(replay: Replay, deal: Deal) -> dict[str, object]:
    """Return the template context of a printed deal.

    - "dealt": the hands of all seats, as from `open_hands`
    - "played": the hands at the start of the play, empty if they are still the same
    - "said": the moves before the first trick, in words
    - "besides": moves during the play that are no cards, in words
    - "tricks": each with its "number" and "cells" by seat, of "face", "led" and "won"
    - "result": sentences
    """
    begins = deal.tricks[0][1] if deal.tricks else deal.last + 1
    dealt, played = replay.open_hands(deal.start), replay.open_hands(max(begins - 1, deal.start))
    play = replay.steps[begins : deal.last + 1]
    return {
        "dealt": dealt,
        "played": [] if played == dealt or not deal.tricks else played,
        "said": [replay.words(move) for move in range(deal.start + 1, begins)],
        "besides": [replay.words(step.index) for step in play if step.seat is not None and not _cards(replay, step)],
        "tricks": _tricks(replay, play),
        "result": replay.sentences(deal.last)[1:],
    }


def _cards(replay: Replay, step: Step) -> list[Event]:
    """Return the events of the step that play a card. They have at least "seat" and "card"."""
    return [event for event in step.events if replay.rules.meaning(event) is Meaning.CARD_PLAYED]


def _tricks(replay: Replay, steps: list[Step]) -> list[dict[str, object]]:
    cards: list[Event] = []
    tricks: list[dict[str, object]] = []
    for step in steps:
        cards += _cards(replay, step)
        for event in step.events:
            if replay.rules.meaning(event) is Meaning.TRICK_FINISHED:
                plays, winner = replay.drawing.finished_trick(event)
                cells = _cells(plays or cards, winner, len(replay.players))
                tricks.append({"number": len(tricks) + 1, "cells": cells})
                cards = []
    return tricks


def _cells(plays: list[Play], winner: int | None, seat_count: int) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = [{"face": "", "led": False, "won": False} for _ in range(seat_count)]
    for place, play in enumerate(plays):
        seat = play["seat"]
        cells[seat] = {"face": SMALL_FACES[play["card"]], "led": place == 0, "won": seat == winner}
    return cells
