"""The drawing of Oh Hell: what every other layer asks for."""

from games.kit.drawing import Drawing, no_link, no_tricks
from games.oh_hell.table.felt import felt
from games.oh_hell.table.marks import EVENT_MARKS, MARK_KINDS
from games.oh_hell.table.mine import mine
from games.oh_hell.table.sheet import sheet
from games.oh_hell.table.words import SENTENCES, move_words


class OhHellDrawing(Drawing):
    """Source: the rules page of Oh Hell for what is on the table, and our own taste for how."""

    event_sentences = SENTENCES
    mark_kinds, event_marks = MARK_KINDS, EVENT_MARKS
    rules_sections = {"bid": "bidding", "play": "play", "deal": "scoring", "over": "end"}

    def trump_of(self, table):
        return table["trump"]

    def in_centre(self, table):
        return table["turned"]

    def felt(self, table, players):
        return felt(table, players)

    def mine(self, table, moves, players):
        return mine(table, moves, players)

    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link, standings=()):
        return sheet(score_sheet, players, viewer, link)

    def move_words(self, move, players, seat=None):
        return move_words(move, players[seat]["name"] if seat is not None else "")
