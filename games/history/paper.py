"""One deal of a replay for a printed page: the hands, the auction, every trick and the result."""

from collections.abc import Sequence

from games.catalog import Meaning
from games.history.folding import Deal, Step
from games.history.replay import Replay
from games.kit.contract import Event
from games.kit.drawing import Play
from games.kit.markup import SMALL_FACES


def deal_on_paper(replay: Replay, deal: Deal) -> dict[str, object]:
    """Return the template context of a deal for printing.

    - "hands": the dealt hands of all seats
    - "hands_at_play": the hands at the start of the play, empty if they are still the same
    - "before_play": the moves before the first trick, such as bids, in words
    - "during_play": moves between the cards of the tricks, such as announcements, in words
    - "tricks": each with its "number" and "cells" by seat, of "face", "led" and "won"
    - "result": sentences
    """
    play_start = deal.tricks[0].first if deal.tricks else deal.last + 1  # The index of the first card's move.
    hands = replay.open_hands(deal.start)
    hands_at_play = replay.open_hands(max(play_start - 1, deal.start))
    play = replay.steps[play_start : deal.last + 1]
    calls_in_play = [step for step in play if step.seat is not None and not _card_events(replay, step)]
    return {
        "hands": hands,
        "hands_at_play": [] if hands_at_play == hands or not deal.tricks else hands_at_play,
        "before_play": [replay.words(move) for move in range(deal.start + 1, play_start)],
        "during_play": [replay.words(step.index) for step in calls_in_play],
        "tricks": _tricks(replay, play),
        "result": replay.sentences(deal.last)[1:],  # The first sentence is about the last move itself.
    }


def _card_events(replay: Replay, step: Step) -> list[Event]:
    """Return the events of the step that play a card. They have at least "seat" and "card"."""
    return [event for event in step.events if replay.rules.meaning(event) is Meaning.CARD_PLAYED]


def _tricks(replay: Replay, steps: list[Step]) -> list[dict[str, object]]:
    """Return the finished tricks of these steps (moves with their events), each with its "number" and "cells"."""
    cards: list[Event] = []
    tricks: list[dict[str, object]] = []
    for step in steps:
        cards += _card_events(replay, step)
        for event in step.events:
            if replay.rules.meaning(event) is Meaning.TRICK_FINISHED:
                # Some games list the cards only when the trick ends. Others have an event for each card.
                plays, winner = replay.drawing.finished_trick(event)
                cells = _cells(plays or cards, winner, len(replay.players))
                tricks.append({"number": len(tricks) + 1, "cells": cells})
                cards = []
    return tricks


def _cells(plays: Sequence[Event | Play], winner: int | None, seat_count: int) -> list[dict[str, object]]:
    """Return the row of a trick as cells by seat: a card's "face", and whether it has "led" or "won" the trick.

    plays: the cards in the order of play, each with "seat" and "card". winner: a seat.
    """
    cells: list[dict[str, object]] = [{"face": "", "led": False, "won": False} for _ in range(seat_count)]
    for position, play in enumerate(plays):
        seat = play["seat"]
        cells[seat] = {"face": SMALL_FACES[play["card"]], "led": position == 0, "won": seat == winner}
    return cells
