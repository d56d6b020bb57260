"""The drawing of Bleven: what every other layer asks for."""

from games.bleven.table.felt import felt
from games.bleven.table.marks import EVENT_MARKS, MARK_KINDS
from games.bleven.table.mine import mine
from games.bleven.table.sheet import sheet
from games.bleven.table.words import SENTENCES, deed
from games.kit.drawing import Drawing, no_link, no_tricks
from games.kit.language import said
from games.kit.words import Names

SECTIONS = {
    **dict.fromkeys(("turn", "discard", "poll"), "deal"),
    **dict.fromkeys(("predict", "reply", "raise"), "bidding"),
    **dict.fromkeys(("side_bet", "side_reply"), "play"),
    "deal": "scoring",
    "over": "end",
}


class BlevenDrawing(Drawing):
    """Source: the rules page of Bleven for what is on the table, and our own taste for how."""

    event_sentences = SENTENCES
    mark_kinds, event_marks = MARK_KINDS, EVENT_MARKS
    rules_sections = SECTIONS

    def moments_of(self, move):
        """As everywhere, and a prediction wherever a move names the tricks to win."""
        return {move["type"], "predict"} if "tricks" in move else {move["type"]}

    def suits_of(self, table):
        return [table["hand"]]  # in the order of play

    def felt(self, table, players):
        return felt(table, players)

    def mine(self, table, moves, players):
        return mine(table, moves, players)

    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link, standings=()):
        return sheet(score_sheet, players, viewer, link, standings)

    def finished_trick(self, event):
        return event["plays"], event["winner"]

    def move_words(self, move, players, seat=None):
        if move["type"] == "deal":
            return said("The cards are dealt")
        return deed(move, seat, Names([player["name"] for player in players]))
