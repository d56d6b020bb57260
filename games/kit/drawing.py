"""What every game's table has, as data for templates: seats, tricks, what is expected of whom.

Short strings of our own are `Markup` where many are drawn: templates need not look at them for what must be escaped.
"""

from abc import ABC, abstractmethod
from functools import partial
from itertools import product
from typing import NamedTuple

from games.kit.cards import RANKS
from games.kit.hands import sorted_hand
from games.kit.language import kept, packed, unpacked
from games.kit.markup import (
    FACES,
    NOTHING,
    SMALL_FACES,
    Markup,
    as_markup,
    backs,
    last_trick,
    led,
    nameplate,
    running_clock,
    stopped_clock,
    told_apart,
    trick_line,
)
from games.kit.words import Names, joined, short_names, who_took_it

DASH = as_markup("–")
SEAT_IDS = [Markup(f"seat-{seat}") for seat in range(8)]


def no_tricks():
    """As a sheet's `tricks`, where none are told."""
    return []


def no_link(deal, at="start"):
    """As a sheet's `link`, where there is no replay to lead to."""
    return ""


class Print(NamedTuple):
    """What is on a card: its text, the suit whose sign it has, or "", and the colours of both and of its ground."""

    text: str
    suit: str
    ink: str
    ground: str


class Drawing(ABC):
    """Draws one game: turns what its rules say into dicts for its templates.

    players: a list by seat of {"seat", "name", "kind", "level", "owner", "profile", "connected", "stand_in", "left",
    "ready", "clock", "avatar"}; the avatar is a pattern and a colour, or missing.
    tables and score sheets are the dicts of the game's `view` and `score_sheet`.
    """

    event_sentences: dict  # by type of event, a function of the event and the players' Names that yields sentences

    mark_kinds = {}  # what a replay's timeline marks: the heading of each kind, in the order to list them
    event_marks = {}  # by type of event, a function of the event and the Names that yields (kind, words) of marks

    rules_sections = {}  # by phase of a table, the id of the part of the rules page that tells of it

    def rules_section(self, table):
        """The id of the part of the rules page that a table's players may want to read now, or ""."""
        return self.rules_sections.get(table["phase"], "")

    def moments_of(self, move):
        """What a move is among the moments of its deal: a set of names."""
        return {move["type"]}

    @abstractmethod
    def felt(self, table, players):
        """What everybody sees of the table, made of `view(state, None)`."""

    @abstractmethod
    def mine(self, table, moves, players):
        """What one seat sees besides the felt: its hand, its bid box, what is expected of it.

        table: `view` for that seat, or for None: a spectator. moves: its legal moves if it is to act, else [].
        """

    @abstractmethod
    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link, standings=()):
        """The score sheet: its "rows", in the order of their deals.

        viewer: the seat of who reads it, or None.
        tricks: gives the finished tricks of the match in order, dicts of "deal", "trick" (its number in the deal) and
        "events" (of its last move). The match has to be folded for it, so only who tells of tricks calls it.
        link: gives the address of a moment of a deal, or "" where it leads nowhere. It takes the number of the deal
        from 1, and "start", "end", "trick-2" for the end of that trick, or a moment as by `moments_of`.
        standings: of the rules, of a match that is over; empty before.
        """

    def sentences(self, events, players, viewer=None):
        """What has happened, for those who listen: a list of whole sentences.

        viewer: the seat of who listens and is "you", or None.
        """
        return self.told(events, Names([player["name"] for player in players], viewer))

    def told(self, events, names):
        """The same, with the Names of the players."""
        return [sentence for event in events for sentence in self.event_sentences[event["type"]](event, names)]

    def marks(self, events, players):
        """What of events a replay's timeline marks: a list of (kind, words without a full stop)."""
        names = Names([player["name"] for player in players])
        told = [event for event in events if event["type"] in self.event_marks]
        return [mark for event in told for mark in self.event_marks[event["type"]](event, names)]

    def printed(self, card):
        """What is printed on a card, where pictures of it are drawn: a Print."""
        rank, suit = card
        return Print("10" if rank == "T" else rank, suit, "#c3221f" if suit in "DH" else "#1c1a17", "#fffefb")

    def in_centre(self, table):
        """A card that lies open in the middle of the table and that nobody has played, or None."""
        return None

    def finished_trick(self, event):
        """The cards and the winner of an event that finishes a trick: a list of {"seat", "card"}, and a seat or None.

        The list is empty where the cards are those that were played, an event each.
        """
        return event["plays"], event["seat"]

    @abstractmethod
    def move_words(self, move, players, seat=None):
        """A move in words, without a full stop: "Ana plays the ten of hearts"."""

    def trump_of(self, table):
        """The trump suit of the deal in progress, or None."""
        return None

    def suits_of(self, table):
        """The hand of a table as it is laid out: a list of suits, each a list of cards."""
        return sorted_hand(table["hand"], self.trump_of(table), *self.ranks_of(table))

    def ranks_of(self, table):
        """The orders of rank in the deal in progress, low to high: of plain suits and of the trump suit."""
        return RANKS, RANKS

    def news(self, events, players):
        """What of the last move's events the felt itself cannot show any more, as a sentence, or ""."""
        return ""

    def open_hands(self, tables, players):
        """Every seat's hand laid open, for a replay. tables: `view` for every seat, in order."""
        return [
            {
                "classes": f"seat-{seat}",
                "name": players[seat]["name"],
                "suits": [[SMALL_FACES[card] for card in suit] for suit in self.suits_of(table)],
            }
            for seat, table in enumerate(tables)
        ]


# Seats


def round_table(count, viewer):
    """The seats in their order at the table, the viewer's first; of nobody's, seat 0."""
    first = viewer or 0
    return [*range(first, count), *range(first)]


def drawn_seat(player, acting=False, dealer=False, held=0):
    """The dict of one seat at the table, to which a game adds its own numbers. held: cards in its hand."""
    away = not player["connected"] and player["kind"] != "bot"
    return {
        "id": SEAT_IDS[player["seat"]],
        "classes": f"seat seat-{player['seat']}{' acting' if acting else ''}{' away' if away else ''}",
        "who": nameplate(
            player["seat"],
            player["name"],
            player["profile"],
            player["kind"],
            player["level"],
            player["owner"],
            player["left"],
            player["stand_in"],
            away,
            dealer,
            player.get("avatar"),
        ),
        "backs": backs(held),
        "clock": drawn_clock(player["clock"]),
    }


def drawn_clock(clock):
    """A seat's clock as markup, or "" where there is none."""
    if not clock:
        return NOTHING
    reserve = int(clock["reserve"])
    return running_clock(max(0, clock["remaining"]), reserve) if clock["running"] else stopped_clock(reserve)


def own_part(stage, table, moves, players, sentence):
    """The dict of one seat's own part that games add to: what is expected of it, and who waits for whom.

    stage: where the match has got to, "Hand 2".
    """
    seat = table["seat"]
    return {
        "turn": "1" if moves else "",
        "stage": stage,
        "sentence": sentence,
        "hand": None,
        "bids": None,
        "result": None,
        "seated": seat is not None,
        "stand_in": seat is not None and players[seat]["stand_in"],
        "waited_for": joined(waited_for(players)) if seat is not None and players[seat]["ready"] else "",
    }


def waited_for(players):
    """The names of those whom the next deal waits for."""
    people = [player for player in players if player["kind"] not in ("bot", "program") and player["connected"]]
    return [player["name"] for player in people if not (player["ready"] or player["left"] or player["stand_in"])]


def caption(words, large="", classes=""):
    """What the middle of the table says. large: words above the others."""
    return {"words": words, "large": large, "classes": classes}


# Tricks


def shown_trick(table, tricks):
    """The cards that lie on the table and who has won them, if the trick is finished.

    tricks: those of the deal. A finished one stays until the next card is led, the last of a deal until the next deal.
    """
    plays = table["trick"]["plays"]
    if plays or not tricks:
        return plays, None
    return tricks[-1]["plays"], tricks[-1]["winner"]


EMPTY_SLOT = (Markup("slot"), NOTHING)
SLOT_CLASSES = {  # by whether its card was led, whether the trick is finished, whether the card has won it
    (lead, finished, won): Markup("slot filled" + " lead" * lead + " finished" * finished + " winner" * won)
    for lead, finished, won in product((False, True), repeat=3)
}


def slots(count, plays, winner=None, finished=False):
    """The places of a trick by seat, as (classes, face): face is empty where a card is still to come.

    winner: the seat that has won it. finished: it is over, even where nobody has won it.
    """
    finished = finished or winner is not None
    places = [EMPTY_SLOT] * count
    for place, play in enumerate(plays):
        seat = play["seat"]
        classes = SLOT_CLASSES[place == 0, finished, seat == winner]
        face = FACES[play["card"]]
        places[seat] = (classes, face if place else Markup(face + led()))
    return places


def past_tricks(tricks, names, words=who_took_it, turned=None):
    """The last trick with its cards, and the earlier ones as a line each, latest first: a dict of markup, or None.

    words: says of a trick and the names what became of it; its winner may be None. turned: which cards of a trick,
    a tuple, no seat has played.
    """
    return _drawn_tricks(packed(tricks, list(names)), words, turned) if tricks else None


@kept(1024)  # while a trick is played those before it stay as they are
def _drawn_tricks(known, words, turned):
    """known: the tricks and what players are called, packed."""
    tricks, names = unpacked(known)
    called = names, short_names(names)
    lines = [
        _drawn_trick(packed(number, trick, called), words, turned, number == len(tricks))
        for number, trick in enumerate(tricks, 1)
    ]
    return {"last": lines.pop(), "earlier": lines[::-1]}


@kept(4096)  # a trick is drawn when it is finished, and once more when it is no longer the last
def _drawn_trick(known, words, turned, is_last):
    """One trick as markup. known: its number, its dict, and what players are called, in full and in short, packed."""
    number, trick, (names, short) = unpacked(known)
    plays = trick["plays"]
    cards = tuple([play["card"] for play in plays])
    players = tuple([(play["seat"], short[play["seat"]]) for play in plays])
    place = None if trick["winner"] is None else (trick["winner"] - trick["leader"]) % len(plays)
    became = told_apart(partial(words, trick), names, {trick["leader"], trick["winner"]} - {None})
    drawn = last_trick if is_last else trick_line
    return drawn(number, turned(trick) if turned else (), cards, players, place, became)
