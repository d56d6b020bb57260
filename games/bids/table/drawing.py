"""The drawing of Bids: what every other layer asks for."""

from games.bids.rules.pack import ALLY
from games.bids.table.felt import felt
from games.bids.table.marks import EVENT_MARKS, MARK_KINDS
from games.bids.table.mine import mine
from games.bids.table.sheet import sheet
from games.bids.table.terms import PRINTS, laid_out
from games.bids.table.words import SENTENCES, move_words
from games.kit.drawing import Drawing, Print, no_link, no_tricks

# Of what is printed and of the ground, as in bids.css
COLOURS = {
    "R": ("#fffdf4", "#b0261d"),
    "Y": ("#2a1f08", "#f1c232"),
    "G": ("#fffdf4", "#1d6b3c"),
    "B": ("#fffdf4", "#1c4f9f"),
    "K": ("#f0d595", "#25221e"),
}
ALLY_COLOURS = ("#2a1f08", "#f3ead3")


class BidsDrawing(Drawing):
    """Source: the rules page of Bids for what is on the table, and our own taste for how."""

    event_sentences = SENTENCES
    mark_kinds, event_marks = MARK_KINDS, EVENT_MARKS
    rules_sections = {"play": "play", "deal": "scoring", "over": "end"}

    def suits_of(self, table):
        return laid_out(table["hand"])

    def felt(self, table, players):
        return felt(table, players)

    def mine(self, table, moves, players):
        return mine(table, moves, players)

    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link, standings=()):
        return sheet(score_sheet, players, viewer, tricks(), link)

    def printed(self, card):
        ink, ground = COLOURS[card[0]] if card != ALLY else ALLY_COLOURS
        return Print(PRINTS[card], "" if card == ALLY else card[0], ink, ground)

    def in_centre(self, table):
        return table["centre"]

    def finished_trick(self, event):
        return [], event.get("seat")  # of nobody, where it is burnt

    def move_words(self, move, players, seat=None):
        return move_words(move, players[seat]["name"] if seat is not None else "", len(players))
